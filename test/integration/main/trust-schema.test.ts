import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startApp } from '../../../main/app.ts';
import { TRUST_SCHEMA } from '../../../main/desk/trust/trust-schema.ts';
import { appOptions, runApp } from '../../support/running-app.ts';
import { tempDir } from '../../support/temp-dir.ts';

it('lies where the first line of a new trust.yaml says, for its owner alone, and is the one of this version', async () => {
  const home = tempDir();
  const started = await startApp(appOptions(home));
  if (started.kind === 'started') await started.app.close();
  const [line = ''] = readFileSync(join(home, 'trust.yaml'), 'utf8').split('\n');
  const [, place = ''] = /^# yaml-language-server: \$schema=(\S+)$/.exec(line) ?? [];
  const path = join(home, place);
  expect(readFileSync(path, 'utf8')).toBe(TRUST_SCHEMA);
  if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600);

  const { mtimeMs } = statSync(path);
  writeFileSync(path, '{"title": "of an older version"}');
  await runApp(home);
  expect(readFileSync(path, 'utf8')).toBe(TRUST_SCHEMA);
  expect(statSync(path).mtimeMs).not.toBe(mtimeMs);
});
