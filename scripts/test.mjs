// npm test: vitest, then Playwright, then one last line with the sum, which CI reads: "N passed, N failed, N skipped".
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const dir = mkdtempSync(join(tmpdir(), 'test-counts-'));
const sum = { passed: 0, failed: 0, skipped: 0 };
for (const { name, cli, args } of [
  { name: 'vitest', cli: 'node_modules/vitest/vitest.mjs', args: ['run'] },
  { name: 'playwright', cli: 'node_modules/@playwright/test/cli.js', args: ['test'] },
]) {
  const r = spawnSync(process.execPath, [join(root, cli), ...args], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, TEST_COUNTS: dir },
  });
  let c;
  try {
    c = JSON.parse(readFileSync(join(dir, `${name}.json`), 'utf8'));
  } catch {
    c = { passed: 0, failed: 1, skipped: 0 };
    console.error(`${name} ended without a result (${r.signal ?? r.status})`);
  }
  // a runner can fail with no failed test: no test found, a threshold, forbidOnly
  if (r.status !== 0 && c.failed === 0) c.failed = 1;
  for (const k of Object.keys(sum)) sum[k] += c[k];
}
rmSync(dir, { recursive: true });
process.stdout.write(`\n${sum.passed} passed, ${sum.failed} failed, ${sum.skipped} skipped\n`);
process.exit(sum.failed ? 1 : 0);
