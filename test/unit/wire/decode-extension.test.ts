import { describe, expect, test } from 'vitest';
import { EXTENSION_URI } from '../../../relay/contract/handoff.ts';
import type { Json, JsonObject } from '../../../relay/contract/json.ts';
import type { ListHandoffsOperation, UpdateOperation } from '../../../relay/operations/operation.ts';
import { decodeExtension } from '../../../relay/wire/agentrelay/decode.ts';
import { reasonOf, wrongFields } from './refused.ts';

function update(params: JsonObject): UpdateOperation {
  const operation = decodeExtension('tasks/update', { task_id: 't', ...params });
  if (operation.op !== 'update') throw new Error(operation.op);
  return operation;
}
function list(params: JsonObject | undefined): ListHandoffsOperation {
  const operation = decodeExtension('tasks/list', params);
  if (operation.op !== 'listHandoffs') throw new Error(operation.op);
  return operation;
}
const UPDATE = { op: 'update', id: 't', artifacts: [], append: false, lastChunk: true };

describe('tasks/update', () => {
  test('is read with all its members, in either spelling', () => {
    const expected = {
      op: 'update',
      id: 't',
      transition: 'complete',
      sessionId: 's-1',
      reason: 'Done',
      message: { messageId: '', role: 'ROLE_AGENT', parts: [{ text: 'Here it is' }] },
      kind: 'information',
      artifacts: [{ artifactId: 'a', parts: [{ text: 'x' }] }],
      append: true,
      lastChunk: true,
      author: 'claude-code',
      idempotencyKey: 'k-1',
    };
    const common = {
      transition: 'complete',
      reason: 'Done',
      message: 'Here it is',
      kind: 'information',
      append: true,
      author: 'claude-code',
    };
    expect(
      decodeExtension('tasks/update', {
        ...common,
        task_id: 't',
        session_id: 's-1',
        artifacts: [{ artifact_id: 'a', parts: [{ type: 'text', text: 'x' }] }],
        last_chunk: true,
        idempotency_key: 'k-1',
      }),
    ).toEqual(expected);
    expect(
      decodeExtension('tasks/update', {
        ...common,
        taskId: 't',
        sessionId: 's-1',
        artifacts: [{ artifactId: 'a', parts: [{ text: 'x' }] }],
        lastChunk: true,
        idempotencyKey: 'k-1',
      }),
    ).toEqual(expected);
  });

  test('needs the task, and nothing else', () => {
    expect(update({})).toEqual(UPDATE);
    expect(decodeExtension('tasks/update', { id: 't' })).toEqual(UPDATE);
    expect(decodeExtension('tasks/update', { id: 'another', task_id: 't' })).toEqual(UPDATE);
    expect(wrongFields(() => decodeExtension('tasks/update', { id: 5 }))).toEqual(['id']);
    for (const id of [null, '', 5, [], {}, 'x'.repeat(10_000)]) {
      expect(wrongFields(() => decodeExtension('tasks/update', { task_id: id }))).toEqual(['task_id']);
    }
    expect(wrongFields(() => decodeExtension('tasks/update', undefined))).toEqual(['task_id']);
  });

  test.each<[JsonObject, boolean, boolean]>([
    [{}, false, true],
    [{ append: true }, true, false],
    [{ append: false }, false, false],
    [{ append: true, last_chunk: true }, true, true],
    [{ last_chunk: false }, false, false],
  ])('with %j sends append %j and lastChunk %j', (params, append, lastChunk) => {
    expect(update(params)).toEqual({ ...UPDATE, append, lastChunk });
  });

  test('reads what it lacks from the metadata of our extension', () => {
    const words = { transition: 'accept', session_id: 's', kind: 'question' };
    expect(update({ metadata: { [EXTENSION_URI]: words } })).toEqual({
      ...UPDATE,
      transition: 'accept',
      sessionId: 's',
      kind: 'question',
    });
    const message = { parts: [{ text: 'x' }], metadata: { [EXTENSION_URI]: { ...words, repo: 'web' } } };
    expect(update({ transition: 'ask', message })).toMatchObject({
      transition: 'ask',
      sessionId: 's',
      message: { metadata: { [EXTENSION_URI]: { repo: 'web' } } },
    });
  });

  test('cannot make a handoff live yet', () => {
    for (const op of ['request', 'accept', 'end']) {
      expect(reasonOf(() => update({ live: { op } }))).toBe('UNSUPPORTED_OPERATION');
    }
  });

  test('names all that is wrong at once', () => {
    const params = {
      transition: 'fly',
      session_id: 1,
      reason: [],
      message: { parts: [] },
      artifacts: 'x',
      append: 'x',
    };
    expect(wrongFields(() => update(params)).toSorted()).toEqual(
      ['transition', 'session_id', 'reason', 'message.parts', 'artifacts', 'append'].toSorted(),
    );
  });
});

describe('the state in a tasks/update', () => {
  test.each([
    ['working', 'accept'],
    ['accepted', 'accept'],
    ['TASK_STATE_WORKING', 'accept'],
    ['input-required', 'ask'],
    ['input_required', 'ask'],
    ['completed', 'complete'],
    ['failed', 'fail'],
    ['declined', 'decline'],
    ['rejected', 'decline'],
    ['canceled', 'cancel'],
    ['cancelled', 'cancel'],
  ])('%s alone means %s', (state, transition) => {
    expect(update({ state })).toEqual({ ...UPDATE, transition });
  });

  test.each([
    ['working', 'accept'],
    ['working', 'take_over'],
    ['completed', 'complete'],
    ['completed', 'reply_only'],
  ])('%s may go with %s', (state, transition) => {
    expect(update({ state, transition })).toEqual({ ...UPDATE, transition });
  });

  test('may not contradict the transition, nor be one that nothing leads to', () => {
    expect(wrongFields(() => update({ state: 'completed', transition: 'accept' }))).toEqual(['state']);
    for (const state of ['pending', 'submitted', 'auth-required', 'unknown', 5, {}]) {
      expect(wrongFields(() => update({ state }))).toEqual(['state']);
    }
  });
});

describe('the history that a tasks/update answers with', () => {
  test('is limited by the caller, or by nothing said', () => {
    expect(update({ history_length: 0 }).historyLength).toBe(0);
    expect(update({ historyLength: 7 }).historyLength).toBe(7);
    expect(update({})).not.toHaveProperty('historyLength');
    for (const length of [-1, 1.5, 'all', 2 ** 31]) {
      expect(wrongFields(() => update({ history_length: length }))).toEqual(['history_length']);
    }
  });
});

describe('the message in a tasks/update', () => {
  const message = (json: Json) => update({ message: json }).message;

  test('may be a text, and an empty one is none', () => {
    expect(message('hi')).toEqual({ messageId: '', role: 'ROLE_AGENT', parts: [{ text: 'hi' }] });
    expect(message('')).toBeUndefined();
    expect(message(null)).toBeUndefined();
  });

  test.each<[string, Json]>([
    ['only parts', { parts: [{ text: 'hi' }] }],
    ['the form of 0.3', { kind: 'message', role: 'agent', parts: [{ kind: 'text', text: 'hi' }] }],
    ['the form of 1.0, whoever it says it is from', { role: 'ROLE_USER', parts: [{ text: 'hi' }] }],
  ])('may be %s', (_, json) => {
    expect(message(json)).toEqual({ messageId: '', role: 'ROLE_AGENT', parts: [{ text: 'hi' }] });
  });

  test('keeps the id, the metadata and the rest that it has', () => {
    const json = { messageId: 'm', taskId: 't', contextId: 'c', parts: [{ text: 'hi' }], metadata: { a: { b: null } } };
    expect(message(json)).toEqual({ ...json, role: 'ROLE_AGENT' });
  });

  test.each<[string, Json]>([
    ['message', 5],
    ['message', ['hi']],
    ['message', true],
    ['message.parts', {}],
    ['message.parts', { parts: 'hi' }],
    ['message.parts[0]', { parts: ['hi'] }],
    ['message.messageId', { messageId: 1, parts: [{ text: 'hi' }] }],
    ['message.taskId', { taskId: 'another', parts: [{ text: 'hi' }] }],
    ['message.metadata', { metadata: [], parts: [{ text: 'hi' }] }],
  ])('that is wrong in %s is refused: %j', (field, json) => {
    expect(wrongFields(() => message(json))).toEqual([field]);
  });
});

describe('tasks/list', () => {
  test('needs no params', () => {
    for (const params of [undefined, {}, { filter: null, page: {} }, { filter: { status: [] } }]) {
      expect(list(params)).toEqual({ op: 'listHandoffs', limit: 50, countTotal: false });
    }
  });

  test('takes a role, states in every spelling without repetition, and a page', () => {
    expect(
      list({
        filter: {
          role: 'recipient',
          status: ['pending', 'submitted', 'working', 'canceled', 'cancelled', 'input-required'],
        },
        page: { limit: '20', cursor: 'c', total: true },
      }),
    ).toEqual({
      op: 'listHandoffs',
      role: 'recipient',
      states: ['pending', 'accepted', 'cancelled', 'input_required'],
      limit: 20,
      cursor: 'c',
      countTotal: true,
    });
    expect(list({ filter: { status: 'pending' } }).states).toEqual(['pending']);
    expect(list({ filter: { status: ['auth-required'] } }).states).toEqual([]);
  });

  test.each<[string, JsonObject]>([
    ['filter', { filter: 'x' }],
    ['filter.role', { filter: { role: 'boss' } }],
    ['filter.role', { filter: { role: 1 } }],
    ['filter.status[0]', { filter: { status: ['open'] } }],
    ['filter.status[0]', { filter: { status: 'open' } }],
    ['filter.status[1]', { filter: { status: ['pending', 1] } }],
    ['filter.status', { filter: { status: {} } }],
    ['filter.status', { filter: { status: Array.from({ length: 33 }, () => 'pending') } }],
    ['page', { page: [] }],
    ['page.limit', { page: { limit: 0 } }],
    ['page.limit', { page: { limit: 101 } }],
    ['page.limit', { page: { limit: 'all' } }],
    ['page.cursor', { page: { cursor: 1 } }],
    ['page.cursor', { page: { cursor: 'x'.repeat(10_000) } }],
  ])('with a wrong %s is refused (%#)', (field, params) => {
    expect(wrongFields(() => list(params))).toEqual([field]);
  });
});

test('no other method belongs to the extension', () => {
  expect(reasonOf(() => decodeExtension('tasks/get', {}))).toBe('METHOD_NOT_FOUND');
});
