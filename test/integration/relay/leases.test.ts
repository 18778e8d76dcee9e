import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Task } from '../../../relay/contract/a2a.ts';
import type { JsonObject } from '../../../relay/contract/json.ts';
import { createAdminToken } from '../../../relay/identity/admin-token.ts';
import { createRelay } from '../../../relay/server.ts';
import { A2aClient, message, reasonOf } from '../../support/a2a-client.ts';
import { frankAndAlice } from '../../support/frank-and-alice.ts';
import { openInbox } from '../../support/inbox.ts';
import { lease, leased, post, QUICK_LEASES, refusalOf, release } from '../../support/leases.ts';
import { relayForTest } from '../../support/relay.ts';
import { auditStore } from '../../support/store-audit.ts';

const { relay, frank, alice, newId, update } = await frankAndAlice({ leases: QUICK_LEASES });

/** A handoff of frank's to an agent that no other test has, and that agent. */
async function handoffTo(name: string, text = 'Please look'): Promise<{ bot: A2aClient; id: string }> {
  const bot = await relay.agent(name);
  const { id } = await handOver(name, text);
  return { bot, id };
}

async function handOver(name: string, text: string): Promise<Task> {
  const params = { ...message(newId(), { parts: [{ text }] }), configuration: { returnImmediately: true } };
  const answer = await frank.call('SendMessage', params, { at: `/a/${name}` });
  if (!('task' in answer)) throw new Error('no task');
  return answer.task;
}

/** Frank's answer to a question. */
function answerTo(taskId: string, text: string): Promise<unknown> {
  const answer = message(newId(), { taskId, parts: [{ text }] });
  return frank.call('SendMessage', { ...answer, configuration: { returnImmediately: true } });
}

/** Whether the directory says that an agent is there. */
async function isOnline(reader: A2aClient, handle: string): Promise<boolean> {
  const { body } = await reader.http('GET', '/v1/directory');
  const { agents } = JSON.parse(body) as { agents: readonly { handle: string; online: boolean }[] };
  return agents.some((agent) => agent.handle === handle && agent.online);
}

/** Resolves when a lease of one second, taken now, has run out. */
async function aSecondLater(): Promise<void> {
  const { bot } = await handoffTo(`clock-${newId()}`);
  await leased(bot, 'w1', { lease_s: 1 });
  await leased(bot, 'w2');
}

async function stateOf(id: string): Promise<string> {
  return (await frank.call('GetTask', { id })).status.state;
}

/** A step of a worker's, as any recipient takes it. */
function step(client: A2aClient, task_id: string, session_id: string, params: JsonObject): Promise<JsonObject> {
  return update(task_id, { session_id, ...params }, client);
}

describe('a lease', () => {
  test('is of the oldest handoff that is pending, which is thereby accepted', async () => {
    const { bot, id } = await handoffTo('bot-oldest', 'the first');
    await handOver('bot-oldest', 'the second');

    const one = await leased(bot, 'w1');
    expect(one).toMatchObject({ lease: 1, attempt: 1, attempts: 5 });
    expect(one.lease_ms).toBeGreaterThan(29_000);
    expect(one.lease_ms).toBeLessThanOrEqual(30_000);
    expect(one.task).toMatchObject({
      id,
      kind: 'task',
      status: { state: 'working' },
      history: [{ role: 'user', parts: [{ kind: 'text', text: 'the first' }] }],
      metadata: { 'urn:agentrelay:handoff:1': { state: 'accepted', session_id: 'w1', sender: 'frank@acme' } },
    });
    expect(await stateOf(id)).toBe('TASK_STATE_WORKING');
  });

  test('is answered by what every recipient does, and then is over', async () => {
    const { bot, id } = await handoffTo('bot-done');
    const before = relay.rows()['lease'] ?? 0;
    await leased(bot, 'w1');
    expect(relay.rows()['lease']).toBe(before + 1);
    await step(bot, id, 'w1', { transition: 'complete', message: 'Done.' });
    expect(await stateOf(id)).toBe('TASK_STATE_COMPLETED');
    expect(refusalOf(await post(bot, `/v1/leases/${id}/renew`, { worker: 'w1' }))).toEqual([409, 'LEASE_LOST']);
    expect(relay.rows()['lease']).toBe(before);
    expect(await lease(bot, 'w1')).toBeUndefined();
  });

  test('is given once: of many workers that ask at once, each gets another handoff or none', async () => {
    const { bot } = await handoffTo('bot-many');
    for (let n = 1; n < 10; n++) await handOver('bot-many', `no ${n}`);
    const workers = Array.from({ length: 15 }, (_, n) => `w${n}`);
    const got = await Promise.all(workers.map((worker) => lease(bot, worker, { wait_s: 0.3 })));
    const ids = got.flatMap((one) => (one === undefined ? [] : [one.task.id]));
    expect([ids.length, new Set(ids).size]).toEqual([10, 10]);
  });

  test('is given again to the worker that has it: its answer was lost', async () => {
    const { bot, id } = await handoffTo('bot-again');
    await handOver('bot-again', 'another');
    const first = await leased(bot, 'w1');
    const again = await leased(bot, 'w1');
    expect([first.task.id, again.task.id, again.lease, again.attempt]).toEqual([id, id, 1, 1]);
  });

  test('is renewed by the worker that has it, and by no other', async () => {
    const { bot, id } = await handoffTo('bot-renew');
    await leased(bot, 'w1', { lease_s: 1 });
    const answer = await post(bot, `/v1/leases/${id}/renew`, { worker: 'w1', lease_s: 60 });
    expect([answer.status, JSON.parse(answer.body)]).toEqual([200, { task_id: id, lease_ms: 60_000 }]);
    expect(refusalOf(await post(bot, `/v1/leases/${id}/renew`, { worker: 'w2' }))).toEqual([409, 'LEASE_LOST']);
    expect(refusalOf(await post(bot, `/v1/leases/${id}/release`, { worker: 'w2' }))).toEqual([409, 'LEASE_LOST']);
    await aSecondLater();
    expect(await lease(bot, 'w2')).toBeUndefined();
  });
});

describe('what a worker may not have', () => {
  test('a handoff that a person or another session accepted', async () => {
    const { bot, id } = await handoffTo('bot-taken');
    await update(id, { transition: 'accept' }, bot);
    const other = await handOver('bot-taken', 'another');
    await step(bot, other.id, 's1', { transition: 'accept' });
    expect(await lease(bot, 'w1')).toBeUndefined();
  });

  test('a handoff that its own rules hold', async () => {
    const { bot, id } = await handoffTo('bot-held');
    await post(bot, '/v1/receipts', { items: [{ task_id: id, version: 1, state: 'held' }] });
    expect(await lease(bot, 'w1')).toBeUndefined();
    await post(bot, '/v1/receipts', { items: [{ task_id: id, version: 1, state: 'surfaced' }] });
    expect((await leased(bot, 'w1')).task.id).toBe(id);
  });

  test('a handoff of others, not even by its id', async () => {
    const { id } = await handoffTo('bot-others');
    for (const what of ['renew', 'release']) {
      for (const client of [alice, frank]) {
        const answer = await post(client, `/v1/leases/${id}/${what}`, { worker: 'w1' });
        expect([what, ...refusalOf(answer)]).toEqual([what, 404, 'TASK_NOT_FOUND']);
      }
    }
  });

  test('one that a person has taken over', async () => {
    const { bot, id } = await handoffTo('bot-over');
    await leased(bot, 'w1');
    await update(id, { transition: 'take_over' }, bot);
    expect(refusalOf(await post(bot, `/v1/leases/${id}/renew`, { worker: 'w1' }))).toEqual([409, 'LEASE_LOST']);
    expect(await lease(bot, 'w1')).toBeUndefined();
  });
});

describe('a failed attempt', () => {
  test('is followed by another one, of any worker, later', async () => {
    const { bot, id } = await handoffTo('bot-retry');
    await leased(bot, 'w1');
    const { retry_in_ms: wait } = await release(bot, id, 'w1', { reason: 'exit code 1' });
    expect(wait).toBeGreaterThanOrEqual(5);
    expect(wait).toBeLessThanOrEqual(10);
    expect(await leased(bot, 'w2')).toMatchObject({ task: { id }, lease: 2, attempt: 2 });
    const late = await bot.fail('tasks/update', { task_id: id, session_id: 'w1', transition: 'complete' });
    expect(reasonOf(late)).toBe('HELD_BY_OTHER_SESSION');
  });

  test('is the last one when all are spent: the relay gives up, and says why', async () => {
    const { bot, id } = await handoffTo('bot-spent');
    for (const attempt of [1, 2, 3]) {
      expect(await leased(bot, 'w1', { attempts: 3 })).toMatchObject({ attempt });
      const released = await release(bot, id, 'w1', { reason: `broken ${attempt}` });
      expect(released.retry_in_ms === undefined).toBe(attempt === 3);
    }
    const { status } = await frank.call('GetTask', { id });
    expect(status.state).toBe('TASK_STATE_FAILED');
    expect(status.message).toMatchObject({
      role: 'ROLE_AGENT',
      parts: [{ text: 'Given up after 3 attempts. broken 3' }],
    });
    expect(await lease(bot, 'w1')).toBeUndefined();
  });

  test('does not count when nobody is to blame, and the next worker has it at once', async () => {
    const { bot, id } = await handoffTo('bot-stop');
    await leased(bot, 'w1', { attempts: 1 });
    const waiting = leased(bot, 'w2', { attempts: 1 });
    expect(await release(bot, id, 'w1', { outcome: 'stopped' })).toEqual({ task_id: id, retry_in_ms: 0 });
    expect(await waiting).toMatchObject({ task: { id }, lease: 2, attempt: 1 });
  });
});

describe('a lease that runs out', () => {
  test('is a failed attempt, after which another worker takes over', async () => {
    const { bot, id } = await handoffTo('bot-crash');
    await leased(bot, 'w1', { lease_s: 1 });
    expect(await leased(bot, 'w2')).toMatchObject({ task: { id }, lease: 2, attempt: 2 });
  });

  test('ends what ends its worker each time, with nobody there to ask', async () => {
    const { bot, id } = await handoffTo('bot-poison');
    const stream = await frank.stream('SubscribeToTask', { id });
    await leased(bot, 'w1', { lease_s: 1, attempts: 1 });
    const frames = await stream.rest();
    expect(frames.at(-1)).toMatchObject({
      statusUpdate: {
        status: {
          state: 'TASK_STATE_FAILED',
          message: { parts: [{ text: 'Given up after 1 attempt. The worker stopped without an answer.' }] },
        },
      },
    });
  });

  test('leaves the worker that is only late its answer, as long as nobody else is at it', async () => {
    const { bot, id } = await handoffTo('bot-late');
    await leased(bot, 'w1', { lease_s: 1 });
    await aSecondLater();
    expect(refusalOf(await post(bot, `/v1/leases/${id}/renew`, { worker: 'w1' }))).toEqual([409, 'LEASE_LOST']);
    await step(bot, id, 'w1', { transition: 'complete', message: 'Late.' });
    expect(await stateOf(id)).toBe('TASK_STATE_COMPLETED');
    expect(await lease(bot, 'w2')).toBeUndefined();
  });
});

describe('a question', () => {
  test('ends the attempt, and the answer is work for any worker, with all attempts anew', async () => {
    const { bot, id } = await handoffTo('bot-ask');
    await leased(bot, 'w1', { attempts: 2 });
    await release(bot, id, 'w1', { reason: 'once' });
    await leased(bot, 'w1', { attempts: 2 });
    await step(bot, id, 'w1', { transition: 'ask', message: 'Which browser?' });
    expect(await stateOf(id)).toBe('TASK_STATE_INPUT_REQUIRED');
    expect(await lease(bot, 'w2')).toBeUndefined();

    const next = leased(bot, 'w2', { attempts: 2 });
    await answerTo(id, 'Firefox');
    const one = await next;
    expect(one).toMatchObject({ task: { id }, lease: 3, attempt: 1 });
    expect(JSON.stringify(one.task)).toContain('Firefox');
    await release(bot, id, 'w2', { reason: 'again' });
    expect(await stateOf(id)).toBe('TASK_STATE_WORKING');
  });

  test('of which the worker itself has read the answer is acknowledged', async () => {
    const { bot, id } = await handoffTo('bot-ack');
    await leased(bot, 'w1');
    await step(bot, id, 'w1', { transition: 'ask', message: 'Which?' });
    await answerTo(id, 'This one');
    const { task } = await leased(bot, 'w1');
    const receipts = { recipient: { acked: 4 } };
    expect(task).toMatchObject({ metadata: { 'urn:agentrelay:handoff:1': { last_version: 4, receipts } } });
  });
});

describe('a worker that waits', () => {
  test('has the handoff as soon as it is there, and counts as connected until then', async () => {
    const bot = await relay.agent('bot-wait');
    const next = leased(bot, 'w1');
    // a blocking send waits for whoever is connected
    const params = message(newId());
    const answered = frank.call('SendMessage', params, { at: '/a/bot-wait' });
    const { task } = await next;
    await step(bot, task.id, 'w1', { transition: 'complete', message: 'At once.' });
    expect(await answered).toMatchObject({ task: { status: { state: 'TASK_STATE_COMPLETED' } } });
  });

  test('counts as connected while it works, though nothing of it is', async () => {
    const { bot, id } = await handoffTo('bot-busy');
    await leased(bot, 'w1');
    // longer than it lingers after its call
    await aSecondLater();
    const answered = frank.call('SendMessage', message(newId()), { at: '/a/bot-busy' });
    await step(bot, id, 'w1', { transition: 'complete', message: 'First.' });
    const { task } = await leased(bot, 'w1');
    await step(bot, task.id, 'w1', { transition: 'complete', message: 'Second.' });
    expect(await answered).toMatchObject({ task: { status: { message: { parts: [{ text: 'Second.' }] } } } });
  });

  test('is told when nothing has come', async () => {
    const bot = await relay.agent('bot-idle');
    const answer = await post(bot, '/v1/leases', { worker: 'w1', wait_s: 0.1 });
    expect([answer.status, answer.body]).toEqual([204, '']);
  });

  test('leaves nothing behind when it leaves', async () => {
    const bot = await relay.agent('bot-left');
    const leaving = new AbortController();
    const inbox = await openInbox(frank, { deskId: 'desk', takeOver: true });
    onTestFinished(() => inbox.destroy());
    const gone = post(bot, '/v1/leases', { worker: 'w1', wait_s: 50 }, leaving.signal).catch(() => 'gone');
    const { id } = await handOver('bot-left', 'one');
    await inbox.handoff(({ task_id, handoff }) => task_id === id && handoff.state === 'accepted');
    leaving.abort();
    await gone;
    // whether the relay had answered or not, another worker gets it
    expect(await leased(bot, 'w1')).toMatchObject({ task: { id } });
  });

  test('is answered when its agent is removed, and asks in vain from then on', async () => {
    const adminToken = createAdminToken(randomBytes);
    const other = await relayForTest({ adminToken });
    const bot = await other.agent('bot');
    const waiting = post(bot, '/v1/leases', { worker: 'w1', wait_s: 50 });
    const mia = await other.agent('mia');
    await expect.poll(() => isOnline(mia, 'bot@acme')).toBe(true);
    await new A2aClient({ url: other.url, apiKey: adminToken }).http('DELETE', '/admin/agents/bot');
    expect((await waiting).status).toBe(204);
    expect(refusalOf(await post(bot, '/v1/leases', { worker: 'w1' }))).toEqual([401, 'UNAUTHENTICATED']);
  });

  test('is answered when the relay stops', async () => {
    const other = await relayForTest();
    const bot = await other.agent('bot');
    const waiting = post(bot, '/v1/leases', { worker: 'w1', wait_s: 50 });
    await expect.poll(() => isOnline(bot, 'bot@acme')).toBe(true);
    await other.relay.close();
    expect((await waiting).status).toBe(204);
  });
});

test.each([
  ['do not run out while it is away, when no worker can renew', 60_000, undefined],
  ['run out soon after, where nobody renews them', 0, { lease: 2, attempt: 2 }],
])('leases outlive the relay, and %s', async (_what, graceMs, taken) => {
  const first = await relayForTest({ leases: QUICK_LEASES });
  const bot = await first.agent('bot');
  const mia = await first.agent('mia');
  const answer = await mia.call('SendMessage', message('m1'), { at: '/a/bot' });
  if (!('task' in answer)) throw new Error('no task');
  const { id } = answer.task;
  await leased(bot, 'w1');
  await first.relay.close();

  const { dataDir } = first;
  const aMinuteLater = (): number => Date.now() + 60_000;
  const second = await createRelay({
    dataDir,
    name: 'acme',
    clock: aMinuteLater,
    leases: { ...QUICK_LEASES, graceMs },
  });
  onTestFinished(() => second.close());
  const again = new A2aClient({ url: await second.listen({ host: '127.0.0.1', port: 0 }), apiKey: bot.apiKey });
  if (taken !== undefined) {
    expect(await leased(again, 'w2')).toMatchObject(taken);
    return;
  }
  expect(await lease(again, 'w2', { wait_s: 0.2 })).toBeUndefined();
  expect((await post(again, `/v1/leases/${id}/renew`, { worker: 'w1' })).status).toBe(200);
  await step(again, id, 'w1', { transition: 'complete', message: 'Still here.' });
});

test('what is wrong with a request is said, field by field', async () => {
  const wrong = [
    [{}, 'worker'],
    [{ worker: '' }, 'worker'],
    [{ worker: 'w', wait_s: 51 }, 'wait_s'],
    [{ worker: 'w', lease_s: 0 }, 'lease_s'],
    [{ worker: 'w', attempts: 0 }, 'attempts'],
    [{ worker: 'w', agent: 'frank' }, 'agent'],
    [{ worker: 'w', agent: 'nobody' }, 'agent'],
  ] as const;
  for (const [body, field] of wrong) {
    const answer = await post(alice, '/v1/leases', body);
    expect([answer.status, answer.body]).toEqual([400, expect.stringContaining(`"field":"${field}"`)]);
  }
  expect((await post(alice, '/v1/leases', { worker: 'w', wait_s: 0, agent: 'alice@acme' })).status).toBe(204);
  const nobody = new A2aClient({ url: relay.url, apiKey: 'ar_nobody' });
  expect(refusalOf(await post(nobody, '/v1/leases', { worker: 'w' }))).toEqual([401, 'UNAUTHENTICATED']);
});

test('all of it has left a sound store', () => {
  expect(auditStore(join(relay.dataDir, 'relay.db'))).toEqual([]);
});
