import { expect, test } from 'vitest';
import { A2aClient, message } from '../../support/a2a-client.ts';
import { lease, leased, post, QUICK_LEASES } from '../../support/leases.ts';
import { relayForTest } from '../../support/relay.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** A relay whose clock can be set, with work for bot. */
async function setUp() {
  let off = 0;
  const relay = await relayForTest({ leases: QUICK_LEASES, clock: () => Date.now() + off });
  const [bot, frank] = [await relay.agent('bot', { kind: 'a2a' }), await relay.agent('frank')];
  return { relay, bot, frank, id: await handOver(frank, 'first'), setClock: (by: number) => (off += by) };
}

async function handOver(frank: A2aClient, id: string): Promise<string> {
  const params = { ...message(id), configuration: { returnImmediately: true } };
  const answer = await frank.call('SendMessage', params, { at: '/a/bot' });
  if (!('task' in answer)) throw new Error('a message, where a task was expected');
  return answer.task.id;
}

test.each([
  ['forward by an hour', HOUR],
  ['forward by two days', 2 * DAY],
  ['back by a day', -DAY],
])('a clock that steps %s takes no work from a worker that is at it', async (_which, step) => {
  const { bot, frank, id, setClock } = await setUp();
  await leased(bot, 'w1', { attempts: 1 });
  setClock(step);
  // another lease makes the relay look at all of them
  await handOver(frank, 'second');
  const { lease_ms: left, task } = await leased(bot, 'w2');
  expect(task.id).not.toBe(id);
  expect(left).toBeGreaterThan(29_000);
  expect(left).toBeLessThanOrEqual(30_000);
  expect((await post(bot, `/v1/leases/${id}/renew`, { worker: 'w1' })).status).toBe(200);
  expect((await frank.call('GetTask', { id })).status.state).toBe('TASK_STATE_WORKING');
});

test('a clock that steps back does not hold up what a worker has left', async () => {
  const { bot, id, setClock } = await setUp();
  await leased(bot, 'w1', { lease_s: 1 });
  setClock(-DAY);
  // the lease runs out, and its wait is over, in the time that they take
  expect(await leased(bot, 'w2')).toMatchObject({ task: { id }, attempt: 2 });
});

test('a clock that steps back while work waits does not make it wait longer', async () => {
  const { bot, id, setClock } = await setUp();
  await leased(bot, 'w1');
  await post(bot, `/v1/leases/${id}/release`, { worker: 'w1' });
  setClock(-DAY);
  expect(await leased(bot, 'w2')).toMatchObject({ task: { id }, attempt: 2 });
});

test('a clock that was set back while the relay was away does not hold up what waits', async () => {
  const first = await relayForTest({ leases: { ...QUICK_LEASES, firstRetryMs: HOUR, lastRetryMs: HOUR } });
  const [bot, frank] = [await first.agent('bot', { kind: 'a2a' }), await first.agent('frank')];
  const id = await handOver(frank, 'first');
  await leased(bot, 'w1');
  await post(bot, `/v1/leases/${id}/release`, { worker: 'w1' });
  expect(await lease(bot, 'w2')).toBeUndefined();
  await first.relay.close();
  const { dataDir } = first;
  const second = await relayForTest({ dataDir, leases: QUICK_LEASES, clock: () => Date.now() - DAY });
  const again = new A2aClient({ url: second.url, apiKey: bot.apiKey });
  expect(await leased(again, 'w2')).toMatchObject({ task: { id }, attempt: 2 });
});

test('the thread has the times of the clock as it is set', async () => {
  const { bot, frank, id, setClock } = await setUp();
  setClock(HOUR);
  const from = Date.now() + HOUR;
  await leased(bot, 'w1');
  const { timestamp } = (await frank.call('GetTask', { id })).status;
  expect(Date.parse(timestamp ?? '')).toBeGreaterThanOrEqual(from);
});
