import { describe, expect, test } from 'vitest';
import { attempt, type AttemptEnd } from '../../../main/worker/attempt.ts';
import { createRelayWork } from '../../../main/worker/relay-work.ts';
import { runWorker, type Report } from '../../../main/worker/worker.ts';
import { message, type A2aClient } from '../../support/a2a-client.ts';
import { because } from '../../support/skip.ts';
import { statusText, workPlace, type WorkPlace } from '../../support/worker.ts';

const WORKER = 'worker-1';

/** Real commands and a real relay, without the process around them. */
function works(place: WorkPlace, command: string, { leaseMs = 30_000, attempts = 3, timeoutMs = 20_000 } = {}) {
  const relay = createRelayWork(
    { relay: () => place.relay.url, apiKey: place.bot.apiKey, timeoutMs: 5_000 },
    { worker: WORKER, leaseMs, attempts, waitMs: 5_000 },
  );
  const env = { PATH: process.env['PATH'] };
  const options = { relay, worker: WORKER, command, env, timeoutMs, killMs: 200, random: () => 0 };
  return {
    options,
    /** One attempt at what there is to do. */
    async attempt(stop = new AbortController().signal): Promise<AttemptEnd> {
      const work = await relay.lease(new AbortController().signal);
      if (work === undefined) throw new Error('nothing to do');
      return attempt(work, options, stop);
    },
  };
}

/** Resolves when bot has said something on the thread. */
async function hasSpoken(frank: A2aClient, id: string): Promise<void> {
  const status = async (): Promise<string> => statusText(await frank.call('GetTask', { id }));
  await expect.poll(status, { timeout: 10_000 }).not.toBe('');
}

const SPEAKS = `echo '{"type":"message","text":"begun"}'; sleep 20; true`;

describe.skipIf(process.platform === 'win32')('an attempt', because('there is no POSIX shell'), () => {
  test('is over when a person takes the handoff over: the command is ended, and nothing more is said', async () => {
    const place = await workPlace();
    const id = await place.send('Mine after all');
    const running = works(place, SPEAKS, { leaseMs: 1_000 }).attempt();
    await hasSpoken(place.frank, id);
    await place.bot.extension('tasks/update', { task_id: id, transition: 'take_over' });
    expect(await running).toEqual({ outcome: 'lost', reason: expect.stringContaining('does not have the handoff') });
    expect((await place.frank.call('GetTask', { id })).status.state).toBe('TASK_STATE_WORKING');
  });

  test('is over when what is said is too much for a request, though not for a command, and says what counts', async () => {
    const place = await workPlace();
    const id = await place.send('Too much');
    const { attempt: once } = works(place, `head -c 1000000 /dev/zero | tr '\\0' '"'`, { attempts: 1 });
    expect(await once()).toMatchObject({
      outcome: 'failed',
      reason: expect.stringMatching(/takes 2000\d{3} bytes as JSON/),
    });
    expect(statusText(await place.reaches(id, 'FAILED'))).toContain('quotation marks');
  });

  test('delivers what is as long as a command may print, where it takes no more in JSON', async () => {
    const place = await workPlace();
    const id = await place.send('As much as goes');
    const { attempt: once } = works(place, `head -c 1047000 /dev/zero | tr '\\0' 'a'`, { attempts: 1 });
    expect(await once()).toEqual({ outcome: 'completed' });
    await place.reaches(id, 'COMPLETED');
  });

  test('that is stopped ends its command, and puts the handoff back', async () => {
    const place = await workPlace();
    const id = await place.send('Stop');
    const stop = new AbortController();
    const running = works(place, SPEAKS).attempt(stop.signal);
    await hasSpoken(place.frank, id);
    stop.abort();
    expect(await running).toEqual({ outcome: 'stopped' });
    expect(await works(place, 'true', { attempts: 1 }).attempt()).toEqual({ outcome: 'completed' });
  });

  test('that fails says when it is tried again, and in the end that it is not', async () => {
    const place = await workPlace();
    await place.send('Fails');
    const { attempt: once } = works(place, 'echo why >&2; exit 4', { attempts: 2 });
    const reason = 'The command ended with exit code 4. It said: why';
    expect(await once()).toEqual({ outcome: 'retry', reason, retryInMs: expect.any(Number) });
    expect(await once()).toEqual({ outcome: 'failed', reason });
  });

  test('goes on after its last word until the command has ended, but hears it no more', async () => {
    const place = await workPlace();
    const id = await place.send('Cleans up');
    const { attempt: once } = works(place, `echo '{"type":"complete"}'; echo more; exit 9`);
    expect(await once()).toEqual({ outcome: 'completed' });
    expect(statusText(await place.reaches(id, 'COMPLETED'))).toBe('Done.');
  });
});

test('a worker goes from one handoff to the next, and ends when it is stopped', async () => {
  const place = await workPlace();
  const ids = [await place.send('one'), await place.send('two')];
  const stop = new AbortController();
  const done: string[] = [];
  const report = (what: Report): void => {
    if (what.kind === 'finished') done.push(what.work.view.task_id);
    if (done.length === 3) stop.abort();
  };
  const running = runWorker({ ...works(place, 'echo ok').options, once: false, report }, stop.signal);
  await expect.poll(() => done.length, { timeout: 10_000 }).toBe(2);
  const late = await place.frank.call('SendMessage', message('late'), { at: '/a/bot' });
  await running;
  expect(done).toEqual([...ids, 'task' in late ? late.task.id : '']);
});

test('a worker whose key is refused ends, and says so', async () => {
  const place = await workPlace();
  const { options } = works(place, 'true');
  const relay = createRelayWork(
    { relay: () => place.relay.url, apiKey: 'ar_unknown', timeoutMs: 5_000 },
    { worker: WORKER, leaseMs: 30_000, attempts: 3, waitMs: 5_000 },
  );
  const running = runWorker({ ...options, relay, once: true, report: () => undefined }, new AbortController().signal);
  await expect(running).rejects.toMatchObject({ reason: 'UNAUTHENTICATED' });
});
