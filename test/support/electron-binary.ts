import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Electron's executable, where it is installed. Looked up by file: importing the package would download it.
 * AGENTRELAY_REQUIRE_ELECTRON=1 makes its absence an error.
 */
export function findElectron(): string | undefined {
  const folder = fileURLToPath(new URL('../../node_modules/electron', import.meta.url));
  const pathFile = join(folder, 'path.txt');
  const dist = process.env['ELECTRON_OVERRIDE_DIST_PATH'] ?? join(folder, 'dist');
  if (existsSync(pathFile)) {
    const executable = join(dist, readFileSync(pathFile, 'utf8').trim());
    if (existsSync(executable)) return executable;
  }
  if (process.env['AGENTRELAY_REQUIRE_ELECTRON'] === '1') {
    throw new Error('AGENTRELAY_REQUIRE_ELECTRON=1, but the Electron binary is not installed');
  }
  return undefined;
}
