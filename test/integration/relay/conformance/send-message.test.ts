import { afterAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../relay/contract/json.ts';
import { message, reasonOf } from '../../../support/a2a-client.ts';
import { befriend } from '../../../support/contacts.ts';
import { at, frankAndAlice } from '../../../support/frank-and-alice.ts';
import { openInbox } from '../../../support/inbox.ts';
import { isGone } from '../../../support/presence.ts';

/** SendMessage, GetTask and CancelTask (A2A 1.0.1 sections 3.1.1, 3.1.3, 3.1.5, 3.2.2). */

const { relay, frank, alice, newId, send, update } = await frankAndAlice({ blockMs: 3_600_000 });

describe('blocking', () => {
  // what follows sends to an alice who is not there
  afterAll(() => isGone(frank, alice));

  test.each([
    ['completed', [{ transition: 'accept' }, { transition: 'complete', message: 'done' }], 'TASK_STATE_COMPLETED'],
    ['failed', [{ transition: 'accept' }, { transition: 'fail', reason: 'no' }], 'TASK_STATE_FAILED'],
    ['declined', [{ transition: 'decline', reason: 'no' }], 'TASK_STATE_REJECTED'],
    ['a question', [{ transition: 'ask', message: 'which?' }], 'TASK_STATE_INPUT_REQUIRED'],
  ] as const)('lasts until it is %s', async (_, steps, state) => {
    const inbox = await openInbox(alice);
    const answer = send(message(newId()));
    const { task_id } = await inbox.handoff(({ event }) => event.kind === 'created');
    for (const step of steps) await update(task_id, step);
    expect((await answer).status.state).toBe(state);
    inbox.destroy();
  });

  test('lasts until the sender cancels it elsewhere', async () => {
    const inbox = await openInbox(alice);
    const answer = send(message(newId()));
    const { task_id } = await inbox.handoff(({ event }) => event.kind === 'created');
    await frank.call('CancelTask', { id: task_id });
    expect((await answer).status.state).toBe('TASK_STATE_CANCELED');
    inbox.destroy();
  });

  test('ends when the recipient’s own rules hold it', async () => {
    const inbox = await openInbox(alice);
    const answer = send(message(newId()));
    const { task_id } = await inbox.handoff(({ event }) => event.kind === 'created');
    const body = JSON.stringify({ items: [{ task_id, version: 1, state: 'held' }] });
    await alice.http('POST', '/v1/receipts', { headers: { 'content-type': 'application/json' }, body });
    expect((await answer).status.state).toBe('TASK_STATE_SUBMITTED');
    inbox.destroy();
  });

  test('is also for the answer to a question', async () => {
    const inbox = await openInbox(alice);
    const first = send(message(newId()));
    const { task_id: taskId } = await inbox.handoff(({ event }) => event.kind === 'created');
    await update(taskId, { transition: 'ask', message: 'which?' });
    expect((await first).status.state).toBe('TASK_STATE_INPUT_REQUIRED');
    const second = send(message(newId(), { taskId }));
    await inbox.handoff(({ event }) => event.kind === 'message');
    await update(taskId, { transition: 'complete' });
    expect((await second).status.state).toBe('TASK_STATE_COMPLETED');
    inbox.destroy();
  });

  test('does not hold the recipient, who has nobody to wait for', async () => {
    const inbox = await openInbox(alice);
    const { id: taskId } = await send({ ...message(newId()), configuration: { returnImmediately: true } });
    const own = await send(message(newId(), { taskId }), alice);
    expect(own.status).toMatchObject({ state: 'TASK_STATE_SUBMITTED', message: { role: 'ROLE_AGENT' } });
    inbox.destroy();
  });

  test('counts a recipient as there that only waits for somebody else', async () => {
    const mia = await relay.agent(`mia-${newId()}`);
    const priya = await relay.agent(`priya-${newId()}`);
    await befriend(frank, mia, priya);
    const inbox = await openInbox(priya);
    // mia has nothing open but a call of her own, which waits for priya
    const waiting = mia.call('SendMessage', message(newId()), { at: `/a/${priya.name}` });
    const first = await inbox.handoff(({ event }) => event.kind === 'created');
    const answer = frank.call('SendMessage', message(newId()), { at: `/a/${mia.name}` });
    const isWaiting = await Promise.race([answer.then(() => false), mia.call('ListTasks', {}).then(() => true)]);
    expect(isWaiting).toBe(true);
    const [task] = (await mia.call('ListTasks', {}, { at: `/a/${mia.name}` })).tasks;
    await mia.extension('tasks/update', { task_id: task?.id ?? '', transition: 'decline' });
    await priya.extension('tasks/update', { task_id: first.task_id, transition: 'decline' });
    expect(await answer).toMatchObject({ task: { status: { state: 'TASK_STATE_REJECTED' } } });
    await waiting;
    inbox.destroy();
  });
});

describe('history', () => {
  test('is all of it, none of it, or the newest of it', async () => {
    const { id: taskId } = await send(message('h1'));
    for (const messageId of ['h2', 'h3', 'h4']) await send(message(messageId, { taskId }));
    const ids = async (historyLength?: number) =>
      (await frank.call('GetTask', { id: taskId, ...(historyLength !== undefined && { historyLength }) })).history?.map(
        (m) => m.messageId,
      );
    expect(await ids()).toEqual(['h1', 'h2', 'h3', 'h4']);
    expect(await ids(2)).toEqual(['h3', 'h4']);
    expect(await ids(2 ** 31 - 1)).toEqual(['h1', 'h2', 'h3', 'h4']);
    expect(await ids(0)).toBeUndefined();
    const sent = await send({ ...message('h5', { taskId }), configuration: { historyLength: 1 } });
    expect(sent.history?.map((m) => m.messageId)).toEqual(['h5']);
    const { tasks } = await frank.call('ListTasks', { historyLength: 0, pageSize: 1 }, { at });
    expect(tasks[0]).not.toHaveProperty('history');
  });

  test('never has a message twice: the recipient’s newest is the status', async () => {
    const { id: taskId } = await send(message('a1'));
    await send(message('b1', { taskId }), alice);
    const pending = await frank.call('GetTask', { id: taskId });
    expect(pending.history?.map((m) => m.messageId)).toEqual(['a1']);
    expect(pending.status.message?.messageId).toBe('b1');
    await send(message('a2', { taskId }));
    const later = await frank.call('GetTask', { id: taskId });
    expect(later.history?.map((m) => m.messageId)).toEqual(['a1', 'b1', 'a2']);
    expect(later.status.message).toBeUndefined();
  });

  test('has the roles of the keys, whatever the messages said', async () => {
    const { id: taskId } = await send(message(newId(), { role: 'ROLE_AGENT' }));
    await send(message(newId(), { taskId, role: 'ROLE_USER' }), alice);
    const task = await send(message(newId(), { taskId }));
    expect(task.history?.map((m) => m.role)).toEqual(['ROLE_USER', 'ROLE_AGENT', 'ROLE_USER']);
    expect(task.history?.every((m) => m.taskId === task.id && m.contextId === task.contextId)).toBe(true);
  });
});

describe('a task', () => {
  test.each(['nothing', '01a22d06-0c74-728d-b94d-edaf775ead4d', 'a:b/c', 'x'.repeat(256), '__proto__'])(
    'that is not there is not made: %j',
    async (taskId) => {
      const before = relay.rows();
      for (const method of ['SendMessage', 'SendStreamingMessage']) {
        const error = await frank.fail(method, message(newId(), { taskId }), { at });
        expect([error.code, reasonOf(error)]).toEqual([-32001, 'TASK_NOT_FOUND']);
      }
      for (const method of ['GetTask', 'CancelTask', 'SubscribeToTask']) {
        expect((await frank.fail(method, { id: taskId }, { at })).code).toBe(-32001);
      }
      expect(relay.rows()).toEqual(before);
    },
  );

  test.each([
    ['completed', [{ transition: 'accept' }, { transition: 'complete' }]],
    ['failed', [{ transition: 'accept' }, { transition: 'fail' }]],
    ['declined', [{ transition: 'decline' }]],
  ] as const)('that is %s takes no message, cannot be cancelled or subscribed to', async (_, steps) => {
    const { id: taskId } = await send(message(newId()));
    for (const step of steps) await update(taskId, step);
    const before = relay.rows();
    for (const client of [frank, alice]) {
      expect((await client.fail('SendMessage', message(newId(), { taskId }), { at })).code).toBe(-32004);
      expect((await client.fail('SendStreamingMessage', message(newId(), { taskId }), { at })).code).toBe(-32004);
      expect((await client.fail('SubscribeToTask', { id: taskId }, { at })).code).toBe(-32004);
      expect((await client.fail('CancelTask', { id: taskId }, { at })).code).toBe(-32002);
    }
    expect(relay.rows()).toEqual(before);
  });

  test('that is accepted is not cancelled, and says why', async () => {
    const { id } = await send(message(newId()));
    await update(id, { transition: 'accept' });
    const error = await frank.fail('CancelTask', { id }, { at });
    expect(error).toMatchObject({
      code: -32002,
      data: [{ reason: 'TASK_NOT_CANCELABLE', domain: 'a2a-protocol.org', metadata: { cause: 'ALREADY_ACCEPTED' } }],
    });
  });

  test('that is cancelled is cancelled again, by its sender', async () => {
    const { id } = await send(message(newId()));
    const cancelled = await frank.call('CancelTask', { id, metadata: { why: 'x' } }, { at });
    expect(cancelled.status.state).toBe('TASK_STATE_CANCELED');
    expect(await frank.call('CancelTask', { id }, { at })).toEqual(cancelled);
    expect(await frank.call('GetTask', { id }, { at })).toEqual(cancelled);
    expect((await alice.fail('CancelTask', { id }, { at })).code).toBe(-32002);
  });
});

describe('an answer without a task', () => {
  test('is what a sender that waits gets, and at a retry too; who did not wait has its task', async () => {
    const waits = message(newId());
    const { id } = await send({ ...waits, configuration: { returnImmediately: true } });
    await update(id, { transition: 'reply_only', message: 'it is the cache' });
    expect(await send({ ...waits, configuration: { returnImmediately: true } })).toMatchObject({ id });
    expect(await frank.call('SendMessage', waits, { at })).toMatchObject({
      message: { taskId: id, parts: [{ text: 'it is the cache' }] },
    });
  });
});

describe('a chunk by tasks/update', () => {
  const artifacts = (text: string): JsonObject => ({ artifacts: [{ artifactId: 'reply', parts: [{ text }] }] });
  const refusal = async (task_id: string, params: JsonObject): Promise<string | undefined> =>
    reasonOf(await alice.fail('tasks/update', { task_id, ...params }));

  test('is answered without the thread, which would be read again with each of them', async () => {
    const { id } = await send(message(newId()));
    expect(await update(id, { ...artifacts('one'), append: false })).toMatchObject({ artifacts: [{}], history: [{}] });
    const later = await update(id, { ...artifacts(' two'), append: true });
    expect(later).toMatchObject({ id, status: { state: 'working' } });
    expect(later).not.toHaveProperty('artifacts');
    expect(later).not.toHaveProperty('history');
    expect(await update(id, { ...artifacts(' three'), append: true, history_length: 1 })).toMatchObject({
      artifacts: [{ parts: [{ text: 'one' }, { text: ' two' }, { text: ' three' }] }],
      history: [{}],
    });
  });

  test('that takes the handoff up binds it to its session', async () => {
    const { id } = await send(message(newId()));
    await update(id, { ...artifacts('one'), session_id: 's-1' });
    expect(await refusal(id, { transition: 'complete', session_id: 's-2' })).toBe('HELD_BY_OTHER_SESSION');
  });

  test('with an end that comes too late says what the handoff has become', async () => {
    const { id } = await send(message(newId()));
    await update(id, { transition: 'decline' });
    for (const more of [{}, artifacts('late')]) {
      expect(await refusal(id, { transition: 'complete', ...more })).toBe('STATE_CHANGED');
    }
  });
});
