import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Task } from '../../../../relay/contract/a2a.ts';
import { EXTENSION_URI } from '../../../../relay/contract/handoff.ts';
import type { JsonObject } from '../../../../relay/contract/json.ts';
import { fieldsOf, message, reasonOf, type A2aClient } from '../../../support/a2a-client.ts';
import { openInbox } from '../../../support/inbox.ts';
import { startRelay, type TestRelay } from '../../../support/relay.ts';

/** SendMessage, GetTask and CancelTask (A2A 1.0.1 sections 3.1.1, 3.1.3, 3.1.5, 3.2.2, 3.3.1, 3.4). */

let relay: TestRelay;
let frank: A2aClient;
let alice: A2aClient;
let count = 0;

beforeAll(async () => {
  relay = await startRelay({ blockMs: 3_600_000 });
  alice = await relay.agent('alice');
  frank = await relay.agent('frank');
});
afterAll(() => relay.close());

const at = '/a/alice';
const newId = (): string => `m${++count}`;

async function send(params: JsonObject, client = frank): Promise<Task> {
  const answer = await client.call('SendMessage', params, { at });
  if (!('task' in answer)) throw new Error('a message, where a task was expected');
  return answer.task;
}
const update = (task_id: string, params: JsonObject) => alice.extension('tasks/update', { task_id, ...params });

describe('blocking', () => {
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

describe('a context', () => {
  test('that is not named is the one of the two agents', async () => {
    const [first, second] = [await send(message(newId())), await send(message(newId()))];
    expect(second.contextId).toBe(first.contextId);
    const mia = await relay.agent(`mia-${newId()}`);
    const other = await mia.call('SendMessage', message(newId()), { at });
    expect(other).not.toMatchObject({ task: { contextId: first.contextId } });
  });

  test.each(['c-1', 'é😀 "', 'x'.repeat(256)])('of the client’s own is kept: %j', async (contextId) => {
    const task = await send(message(newId(), { contextId }));
    expect(task.contextId).toBe(contextId);
    const again = await send(message(newId(), { contextId }));
    expect(again.contextId).toBe(contextId);
    expect(again.id).not.toBe(task.id);
    const { tasks, totalSize } = await frank.call('ListTasks', { contextId }, { at });
    expect(tasks.map(({ id }) => id).toSorted()).toEqual([task.id, again.id].toSorted());
    expect(totalSize).toBe(2);
  });

  test('of a client’s own is its own: another pair that uses the same name shares nothing', async () => {
    const mia = await relay.agent(`mia-${newId()}`);
    await send(message(newId(), { contextId: 'shared' }));
    expect((await mia.call('ListTasks', { contextId: 'shared' })).totalSize).toBe(0);
  });

  test('that is too long is refused, never cut', async () => {
    const error = await frank.fail('SendMessage', message(newId(), { contextId: 'x'.repeat(257) }), { at });
    expect([error.code, fieldsOf(error)]).toEqual([-32602, ['message.contextId']]);
  });

  test('is inferred from the task, and may not contradict it', async () => {
    const { id: taskId, contextId } = await send(message(newId(), { contextId: 'c-7' }));
    expect((await send(message(newId(), { taskId }))).contextId).toBe(contextId);
    expect((await send(message(newId(), { taskId, contextId }))).contextId).toBe(contextId);
    const error = await frank.fail('SendMessage', message(newId(), { taskId, contextId: 'c-8' }), { at });
    expect([error.code, fieldsOf(error)]).toEqual([-32602, ['message.contextId']]);
  });

  test('alone, after a question, is a new task in it', async () => {
    const { id: task_id, contextId } = await send(message(newId()));
    await update(task_id, { transition: 'ask', message: 'which?' });
    const next = await send(message(newId(), { contextId }));
    expect(next.id).not.toBe(task_id);
    expect((await frank.call('GetTask', { id: task_id })).status.state).toBe('TASK_STATE_INPUT_REQUIRED');
  });
});

describe('the same message again', () => {
  test('is the same task, whatever the configuration and the endpoint', async () => {
    const first = await send(message('twice'));
    const before = relay.rows();
    expect(await send(message('twice'))).toEqual(first);
    const configured = await send({
      ...message('twice'),
      configuration: { historyLength: 0, returnImmediately: true },
    });
    expect(configured.id).toBe(first.id);
    expect(configured).not.toHaveProperty('history');
    const streamed = await frank.stream('SendStreamingMessage', message('twice'), { at });
    expect(await streamed.next()).toMatchObject({ task: { id: first.id } });
    streamed.destroy();
    expect(relay.rows()).toEqual(before);
  });

  test('ten times at once is one task', async () => {
    const before = relay.rows();
    const tasks = await Promise.all(Array.from({ length: 10 }, () => send(message('at once'))));
    expect(new Set(tasks.map(({ id }) => id)).size).toBe(1);
    expect(relay.rows()).toEqual({
      ...before,
      task: (before['task'] ?? 0) + 1,
      task_event: (before['task_event'] ?? 0) + 1,
      feed: (before['feed'] ?? 0) + 2,
      idempotency: (before['idempotency'] ?? 0) + 1,
    });
  });

  test('is the same also on a thread, and after its end', async () => {
    const { id: taskId } = await send(message(newId()));
    const said = message(newId(), { taskId });
    await send(said);
    await update(taskId, { transition: 'decline', reason: 'no' });
    const before = relay.rows();
    expect(await send(said)).toMatchObject({ id: taskId, status: { state: 'TASK_STATE_REJECTED' } });
    expect(relay.rows()).toEqual(before);
  });

  test('with other words is a conflict', async () => {
    await send(message('conflict'));
    const before = relay.rows();
    for (const more of [
      { parts: [{ text: 'other' }] },
      { metadata: { a: 1 } },
      { contextId: 'other' },
      { extensions: ['urn:x'] },
      { referenceTaskIds: ['t-0'] },
    ]) {
      const error = await frank.fail('SendMessage', message('conflict', more), { at });
      expect([error.code, reasonOf(error)]).toEqual([-32000, 'IDEMPOTENCY_CONFLICT']);
    }
    expect(relay.rows()).toEqual(before);
  });

  test('that was refused may be mended under its id', async () => {
    const { id: taskId } = await send(message(newId()));
    const wrong = message('mended', { taskId, metadata: { [EXTENSION_URI]: { transition: 'accept' } } });
    expect(reasonOf(await frank.fail('SendMessage', wrong, { at }))).toBe('TRANSITION_NOT_ALLOWED');
    await send(message('mended', { taskId }));
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

describe('what is sent', () => {
  test('comes back as it was, in every kind of part', async () => {
    const parts = [
      { text: 'é😀\n\u0000"\\', mediaType: 'text/markdown' },
      { text: '' },
      { raw: 'aGk=', filename: 'a.txt', mediaType: 'text/plain' },
      { url: 'https://example.com/a?b=c#d', metadata: { k: [1, { x: null }] } },
      { data: null },
      { data: 1.5e300 },
      { data: { deep: [[[{ a: -0.25, b: false, c: '', constructor: 1, toString: 2 }]]] } },
      { data: [] },
    ];
    const metadata = { mine: { n: 12345678901, list: [1, 'two', null, { three: true }] } };
    const task = await send(message(newId(), { parts, metadata, extensions: ['urn:x'], referenceTaskIds: ['t-0'] }));
    for (const client of [frank, alice]) {
      const [first] = (await client.call('GetTask', { id: task.id }, { at })).history ?? [];
      expect(first).toMatchObject({ parts, metadata, extensions: ['urn:x'], referenceTaskIds: ['t-0'] });
    }
  });

  test('may be in any form that ProtoJSON allows, and leaves in one', async () => {
    const messageId = newId();
    const task = await send({
      message: {
        message_id: messageId,
        context_id: 'snake',
        role: 1,
        parts: [
          { raw: '-_-_', media_type: 'image/png', text: null },
          { text: 'x', url: null, unknown: 1 },
        ],
        task_id: null,
        reference_task_ids: [],
        unknown: {},
      },
      configuration: { history_length: '5', return_immediately: true, accepted_output_modes: ['text/plain'] },
      unknown: true,
    });
    expect(task.contextId).toBe('snake');
    expect(task.history).toMatchObject([
      { messageId, role: 'ROLE_USER', parts: [{ raw: '+/+/', mediaType: 'image/png' }, { text: 'x' }] },
    ]);
    expect(task.history?.[0]).not.toHaveProperty('referenceTaskIds');
    expect(await frank.call('ListTasks', { context_id: 'snake', page_size: 5, status: 1 })).toMatchObject({
      pageSize: 5,
      totalSize: 1,
    });
  });

  test('has to have an id, a role and parts: all that is missing is named at once', async () => {
    for (const [sent, fields] of [
      [{}, ['message', 'message.messageId', 'message.role', 'message.parts']],
      [{ message: {} }, ['message.messageId', 'message.role', 'message.parts']],
      [{ message: { messageId: '', role: 'user', parts: [] } }, ['message.messageId', 'message.role', 'message.parts']],
      [{ message: { messageId: 'm', role: 'ROLE_UNSPECIFIED', parts: [{}] } }, ['message.role', 'message.parts[0]']],
    ] as const) {
      for (const method of ['SendMessage', 'SendStreamingMessage']) {
        const error = await frank.fail(method, sent as JsonObject, { at });
        expect(error.code).toBe(-32602);
        expect(fieldsOf(error).toSorted()).toEqual([...fields].toSorted());
      }
    }
  });
});

describe('what the card does not offer', () => {
  test.each([
    ['CreateTaskPushNotificationConfig', { taskId: 't', url: 'https://example.com/hook' }],
    ['GetTaskPushNotificationConfig', { taskId: 't', id: 'c' }],
    ['ListTaskPushNotificationConfigs', { taskId: 't' }],
    ['DeleteTaskPushNotificationConfig', { taskId: 't', id: 'c' }],
    [
      'SendMessage',
      { ...message('push'), configuration: { taskPushNotificationConfig: { url: 'https://example.com' } } },
    ],
  ])('push notifications: %s', async (method, params) => {
    const before = relay.rows();
    const error = await frank.fail(method, params, { at });
    expect([error.code, reasonOf(error)]).toEqual([-32003, 'PUSH_NOTIFICATION_NOT_SUPPORTED']);
    expect(relay.rows()).toEqual(before);
  });

  test('an extended card', async () => {
    for (const params of [undefined, {}, { tenant: 'alice' }]) {
      const error = await frank.fail('GetExtendedAgentCard', params, { at });
      expect([error.code, reasonOf(error)]).toEqual([-32004, 'UNSUPPORTED_OPERATION']);
    }
  });
});

describe('an extension', () => {
  test.each([
    [EXTENSION_URI, EXTENSION_URI],
    [`urn:other,${EXTENSION_URI}`, EXTENSION_URI],
    [` ${EXTENSION_URI} , urn:other`, EXTENSION_URI],
    ['urn:other', undefined],
    [`${EXTENSION_URI}x`, undefined],
    ['', undefined],
    [undefined, undefined],
  ])('asked for as %j is named back as %j', async (asked, named) => {
    const headers = { 'a2a-extensions': asked };
    for (const method of ['ListTasks', 'GetTask']) {
      const answer = await frank.rpc(method, { id: 'x' }, { at, headers });
      expect(answer.headers['a2a-extensions']).toBe(named);
    }
    const stream = await frank.stream('SendStreamingMessage', message(newId()), { at, headers });
    expect(stream.sse.response.headers['a2a-extensions']).toBe(named);
    stream.destroy();
  });
});
