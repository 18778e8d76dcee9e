import { spawnSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readInstance, run, type TestProcess } from '../../support/app-process.ts';
import { ROOT } from '../../support/project-root.ts';
import { because } from '../../support/skip.ts';
import { tempDir } from '../../support/temp-dir.ts';

/** `npm start` as a person has it, in a package whose start needs no build. */
function npmStart(home: string): TestProcess {
  const folder = tempDir();
  const start = `"${process.execPath}" "${join(ROOT, 'scripts/start.mjs')}"`;
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, scripts: { start } }));
  return run('npm', ['start', '--prefix', folder, '--', '--headless', '--port', '0', '--home', home], {
    env: { AGENTRELAY_HANDLE: 'frank' },
  });
}

describe.skipIf(spawnSync('npm', ['--version']).status !== 0)(
  'npm start',
  { timeout: 60_000, ...because('there is no npm') },
  () => {
    it('passes on what stands after --', async () => {
      const home = tempDir();
      const npm = npmStart(home);
      await npm.waitFor(/^Ready$/m);
      expect(readInstance(home).pid).not.toBe(npm.pid);
    });

    it('ends by Ctrl-C with everything it started', async () => {
      const home = tempDir();
      const npm = npmStart(home);
      await npm.waitFor(/^Ready$/m);
      // a terminal sends it to npm, its shell and the app alike; the exit code of npm is the shell's affair
      process.kill(-npm.pid, 'SIGINT');
      await npm.ended;
      expect(readdirSync(join(home, 'run'))).toEqual([]);
    });

    it.each(['SIGTERM', 'SIGKILL'] as const)('leaves nothing behind when npm alone gets %s', async (signal) => {
      const home = tempDir();
      const npm = npmStart(home);
      await npm.waitFor(/^Ready$/m);
      npm.kill(signal);
      // its output ends when the last process that holds it has ended
      await npm.ended;
      expect(readdirSync(join(home, 'run'))).toEqual([]);
    });
  },
);
