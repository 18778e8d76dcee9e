import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { agentrelay, run, startProcess, type TestProcess } from '../../support/app-process.ts';
import { because } from '../../support/skip.ts';
import { tempDir } from '../../support/temp-dir.ts';

/** A start under which no file can grow over so many bytes: what is longer fails, as on a full disk. */
function startWithSmallFiles(home: string, bytes: number): TestProcess {
  const start = ['scripts/start.mjs', '--headless', '--port', '0', '--home', home];
  const limited = `trap '' XFSZ; ulimit -f ${Math.floor(bytes / 512)}; exec "$0" "$@"`;
  return run('sh', ['-c', limited, process.execPath, ...start], { env: { AGENTRELAY_HANDLE: 'frank' } });
}

describe.skipIf(process.platform !== 'linux')(
  'an app whose disk is full',
  { timeout: 60_000, ...because('it is about Linux') },
  () => {
    it('ends by Ctrl-C as any other, and loses nothing of what it said was done', async () => {
      const home = tempDir();
      const database = join(home, 'relay.db');
      const roomy = startProcess({ home });
      await roomy.waitFor(/^Ready$/m);
      expect((await agentrelay(home, ['register', 'mia']).ended).code).toBe(0);
      // incompressible, so to say: pages of its own
      const body = 'x'.repeat(100_000);
      expect((await agentrelay(home, ['handoff', 'mia', '-m', body]).ended).code).toBe(0);
      roomy.kill('SIGTERM');
      await roomy.ended;

      // room for what is there and in the log for one more, but not for the database with it
      const full = startWithSmallFiles(home, statSync(database).size + 20_000);
      await full.waitFor(/^Ready$/m);
      expect((await agentrelay(home, ['handoff', 'mia', '-m', body]).ended).code).toBe(0);
      full.kill('SIGINT');
      expect(await full.ended).toEqual({ code: 0, signal: null });
      expect(full.stderr()).not.toMatch(/^\s+at /m);
      expect(readdirSync(join(home, 'run'))).toEqual([]);
      // the log could not be folded into the file
      expect(existsSync(`${database}-wal`)).toBe(true);

      const again = startProcess({ home });
      await again.waitFor(/^Ready$/m);
      const inbox = agentrelay(home, ['inbox', '--json']);
      expect((await inbox.ended).code).toBe(0);
      expect(JSON.parse(inbox.stdout())).toMatchObject({ items: [{}, {}] });
    });
  },
);
