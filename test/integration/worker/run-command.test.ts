import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runCommand, type CommandRun } from '../../../main/worker/run-command.ts';
import { isAlive } from '../../support/app-process.ts';
import { because } from '../../support/skip.ts';
import { tempDir } from '../../support/temp-dir.ts';

const POSIX = because('there is no POSIX shell');

async function run(command: string, more: Partial<CommandRun> = {}) {
  let out = '';
  const end = await runCommand({
    command,
    input: '',
    env: { PATH: process.env['PATH'] },
    timeoutMs: 20_000,
    killMs: 200,
    onOutput: (chunk) => (out += chunk.toString()),
    signal: new AbortController().signal,
    ...more,
  });
  return { ...end, out };
}

describe.skipIf(process.platform === 'win32')('a command', POSIX, () => {
  test('has its stdin, its environment and nothing else, and all that it writes is read', async () => {
    const env = { PATH: process.env['PATH'], A: 'b' };
    const { how, out, errors } = await run('cat; echo "$A$SECRET"; echo oops >&2', { input: 'given\n', env });
    expect({ how, out, errors }).toEqual({ how: { kind: 'exited', code: 0 }, out: 'given\nb\n', errors: 'oops' });
  });

  test('need not read what it is given', async () => {
    const { how, out } = await run('echo done', { input: 'x'.repeat(1_000_000) });
    expect([how, out]).toEqual([{ kind: 'exited', code: 0 }, 'done\n']);
  });

  test.each([
    ['exit 7', { kind: 'exited', code: 7 }],
    ['kill -9 $$', { kind: 'killed', signal: 'SIGKILL' }],
    ['no-such-command-anywhere', { kind: 'exited', code: 127 }],
  ])('that does "%s" has ended that way', async (command, how) => {
    expect((await run(command)).how).toEqual(how);
  });

  test('of which stderr is long is remembered by its end', async () => {
    const { errors } = await run('i=0; while [ $i -lt 2000 ]; do echo "line $i" >&2; i=$((i+1)); done');
    expect(errors.length).toBeLessThanOrEqual(4096);
    expect(errors.endsWith('line 1999')).toBe(true);
  });

  test('that takes too long is asked to end, and does', async () => {
    const { how, out } = await run("trap 'echo bye; exit' TERM; echo begun; sleep 20 & wait", { timeoutMs: 300 });
    expect([how, out]).toEqual([{ kind: 'timed_out' }, 'begun\nbye\n']);
  });

  test('that does not listen is killed', async () => {
    const { how } = await run("trap '' TERM; sleep 20; sleep 20", { timeoutMs: 200 });
    expect(how).toEqual({ kind: 'timed_out' });
  });

  test('is ended from outside, with all that it has started', async () => {
    const pids = join(tempDir(), 'pids');
    const stop = new AbortController();
    const running = run(`echo $$ > ${pids}; sh -c 'echo $$ >> ${pids}; sleep 20; true' & sleep 20; true`, {
      signal: stop.signal,
    });
    const lines = (): number[] =>
      existsSync(pids) ? readFileSync(pids, 'utf8').split('\n').filter(Boolean).map(Number) : [];
    await expect.poll(lines).toHaveLength(2);
    stop.abort();
    expect((await running).how).toEqual({ kind: 'ended' });
    await expect.poll(() => lines().filter(isAlive)).toEqual([]);
  });

  test('that leaves something in the background is over when its shell is', async () => {
    const { how, out } = await run('sleep 20 & echo done');
    expect([how, out]).toEqual([{ kind: 'exited', code: 0 }, 'done\n']);
  });

  test('is not started when it was stopped before', async () => {
    const { how, out } = await run('echo done', { signal: AbortSignal.abort() });
    expect([how, out]).toEqual([{ kind: 'ended' }, '']);
  });
});
