import { describe, expect, test } from 'vitest';
import { EXTENSION_URI } from '../../../../relay/contract/handoff.ts';
import type { JsonObject } from '../../../../relay/contract/json.ts';
import { fieldsOf, message, reasonOf } from '../../../support/a2a-client.ts';
import { at, frankAndAlice } from '../../../support/frank-and-alice.ts';

/** Contexts and message ids (A2A 1.0.1 sections 3.3.1 and 3.4). */

const { relay, frank, alice, newId, send, update } = await frankAndAlice({ blockMs: 3_600_000 });

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

  // https://github.com/google/adk-python/issues/4934
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

  test('is the same task, however its recipient is named and whoever wrote it', async () => {
    const ours = (words: JsonObject): JsonObject => ({ metadata: { [EXTENSION_URI]: words } });
    const ways: readonly (readonly [string, JsonObject])[] = [
      ['/a2a', { ...message('named'), recipient: 'alice' }],
      ['/a2a', { ...message('named'), recipient: 'alice@acme' }],
      ['/a2a', { ...message('named'), recipient: 'ALICE' }],
      ['/a2a', { ...message('named'), tenant: 'alice' }],
      ['/a2a', { ...message('named'), metadata: { recipient: 'alice' } }],
      ['/a2a', { ...message('named'), ...ours({ recipient: 'alice@acme' }) }],
      ['/a2a', message('named', { metadata: { recipient: 'alice' } })],
      ['/a2a', message('named', ours({ recipient: 'alice' }))],
      ['/a2a', message('named', ours({ recipient: 'alice@acme' }))],
      ['/a/alice', message('named')],
      ['/a2a/alice@acme', message('named', { metadata: {} })],
      ['/a/alice', message('named', ours({}))],
      ['/a/alice', message('named', ours({ author: 'codex' }))],
      ['/a/alice', { ...message('named'), ...ours({ author: 'human' }) }],
      ['/a/alice', { ...message('named'), intent: 'inform' }],
      ['/a/alice', { ...message('named'), intent: 'ask_question' }],
    ];
    const before = relay.rows();
    const answers = [];
    for (const [path, params] of ways) answers.push(await frank.call('SendMessage', params, { at: path }));
    expect(new Set(answers.map((answer) => ('task' in answer ? answer.task.id : 'a message'))).size).toBe(1);
    expect(relay.rows()['task']).toBe((before['task'] ?? 0) + 1);
  });

  test('on a thread is the same step, however its recipient is named', async () => {
    const { id: taskId } = await send(message(newId()));
    const said = message(newId(), { taskId });
    await send(said);
    const before = relay.rows();
    for (const recipient of ['alice', 'alice@acme']) await frank.call('SendMessage', { ...said, recipient });
    expect(relay.rows()).toEqual(before);
  });

  test('to somebody else is another handoff', async () => {
    const mia = await relay.agent('mia');
    const { id } = await send(message('to both'));
    const other = await frank.call('SendMessage', { ...message('to both'), recipient: mia.handle });
    expect(other).toHaveProperty('task.status.state', 'TASK_STATE_SUBMITTED');
    expect(other).not.toHaveProperty('task.id', id);
  });

  test('that does something else is a conflict', async () => {
    const { id: taskId } = await send(message(newId()));
    const step = (words: JsonObject) =>
      message('a step', { taskId, metadata: { [EXTENSION_URI]: { transition: 'ask', ...words } } });
    const ask = { transition: 'ask', reason: 'unclear', session_id: 's1' };
    await alice.call('SendMessage', step(ask));
    await alice.call('SendMessage', step({ ...ask, author: 'human' }));
    for (const more of [
      { transition: 'complete' },
      { reason: 'too large' },
      { session_id: 's2' },
      { kind: 'information' },
      { artifacts: [{ artifactId: 'a', parts: [{ text: 'x' }] }] },
    ]) {
      const error = await alice.fail('SendMessage', step({ ...ask, ...more }));
      expect([more, reasonOf(error)]).toEqual([more, 'IDEMPOTENCY_CONFLICT']);
    }
  });

  test('that proposes something else is a conflict', async () => {
    const proposal = (rationale: string): JsonObject => ({
      ...message('a proposal'),
      intent: 'propose_action',
      proposed_action: { description: 'rename', target_files: ['a.ts'], rationale },
    });
    await send(proposal('clearer'));
    await send(proposal('clearer'));
    for (const other of [proposal('shorter'), message('a proposal')]) {
      expect(reasonOf(await frank.fail('SendMessage', other, { at }))).toBe('IDEMPOTENCY_CONFLICT');
    }
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
      idempotency_new: (before['idempotency_new'] ?? 0) + 1,
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

  test.each([{ client_idempotency_key: 'bare' }, { [EXTENSION_URI]: { idempotency_key: 'ours' } }])(
    'under a key of its own, %j, is the same with a new messageId, and a conflict with other words',
    async (metadata) => {
      const again = { metadata, parts: [{ text: 'the same words' }] };
      const first = await send(message(newId(), again));
      expect((await send(message(newId(), again))).id).toBe(first.id);
      const other = message(newId(), { metadata, parts: [{ text: 'other' }] });
      expect(reasonOf(await frank.fail('SendMessage', other, { at }))).toBe('IDEMPOTENCY_CONFLICT');
    },
  );

  test('that was refused may be mended under its id', async () => {
    const { id: taskId } = await send(message(newId()));
    const wrong = message('mended', { taskId, metadata: { [EXTENSION_URI]: { transition: 'accept' } } });
    expect(reasonOf(await frank.fail('SendMessage', wrong, { at }))).toBe('TRANSITION_NOT_ALLOWED');
    await send(message('mended', { taskId }));
  });
});
