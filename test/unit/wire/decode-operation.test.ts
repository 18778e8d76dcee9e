import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../relay/contract/json.ts';
import { decodeOperation } from '../../../relay/wire/a2a-1.0/decode.ts';
import { reasonOf, wrongFields } from './refused.ts';

const list = (params: JsonObject | undefined) => decodeOperation('ListTasks', params);
const LIST = { op: 'listTasks', pageSize: 50, includeArtifacts: false };

describe.each([
  ['GetTask', 'getTask'],
  ['CancelTask', 'cancelTask'],
  ['SubscribeToTask', 'subscribe'],
])('%s', (method, op) => {
  test('names a task, and perhaps a tenant', () => {
    expect(decodeOperation(method, { id: 't:1/2', tenant: 'bob', metadata: {}, unknown: 1 })).toEqual({
      op,
      id: 't:1/2',
      tenant: 'bob',
    });
    expect(decodeOperation(method, { id: 't', tenant: '' })).toEqual({ op, id: 't' });
  });

  test.each<JsonObject | undefined>([
    undefined,
    {},
    { id: null },
    { id: '' },
    { id: 5 },
    { id: ['t'] },
    { id: { id: 't' } },
    { id: 'x'.repeat(10_000) },
    { taskId: 't' },
  ])('without a proper id is refused (%#)', (params) => {
    expect(wrongFields(() => decodeOperation(method, params))).toEqual(['id']);
  });

  test('with a tenant of another type is refused', () => {
    expect(wrongFields(() => decodeOperation(method, { id: 't', tenant: {} }))).toEqual(['tenant']);
  });
});

test('GetTask takes a history length under either name', () => {
  expect(decodeOperation('GetTask', { id: 't', history_length: '3' })).toEqual({
    op: 'getTask',
    id: 't',
    historyLength: 3,
  });
  expect(wrongFields(() => decodeOperation('GetTask', { id: 't', historyLength: -1 }))).toEqual(['historyLength']);
});

describe('ListTasks', () => {
  test('needs no params', () => {
    expect(list(undefined)).toEqual(LIST);
    expect(list({ contextId: '', pageToken: '', status: 0, pageSize: null })).toEqual(LIST);
  });

  test('takes every filter, in the names of the proto too', () => {
    const filters = {
      contextId: 'c',
      status: 'TASK_STATE_WORKING',
      pageSize: 100,
      pageToken: 'p',
      historyLength: 0,
      statusTimestampAfter: '2026-01-31T12:00:00Z',
      includeArtifacts: true,
    };
    const expected = {
      op: 'listTasks',
      contextId: 'c',
      states: ['accepted'],
      pageSize: 100,
      pageToken: 'p',
      historyLength: 0,
      statusSince: Date.UTC(2026, 0, 31, 12),
      includeArtifacts: true,
    };
    expect(list(filters)).toEqual(expected);
    const snake = Object.entries(filters).map(([name, value]): [string, Json] => [
      name.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`),
      value,
    ]);
    expect(list(Object.fromEntries(snake))).toEqual(expected);
  });

  test('filters by a state that no handoff is ever in: nothing matches', () => {
    expect(list({ status: 'TASK_STATE_AUTH_REQUIRED' })).toEqual({ ...LIST, states: [] });
  });

  test('takes the unspecified state for no filter', () => {
    expect(list({ status: 'TASK_STATE_UNSPECIFIED' })).toEqual(LIST);
  });

  test.each<[string, Json]>([
    ['pageSize', 0],
    ['pageSize', 101],
    ['pageSize', -5],
    ['pageSize', 1e9],
    ['pageSize', 1.5],
    ['pageSize', 'many'],
    ['pageSize', true],
    ['historyLength', -1],
    ['status', 'working'],
    ['status', 'TASK_STATE_BOGUS'],
    ['status', 9],
    ['status', ''],
    ['status', {}],
    ['status', ['TASK_STATE_WORKING']],
    ['statusTimestampAfter', 'yesterday'],
    ['statusTimestampAfter', 1_769_860_800_000],
    ['includeArtifacts', 'yes'],
    ['pageToken', 5],
    ['pageToken', 'x'.repeat(10_000)],
    ['contextId', 'x'.repeat(257)],
    ['contextId', []],
  ])('refuses the %s %j', (name, value) => {
    expect(wrongFields(() => list({ [name]: value }))).toEqual([name]);
  });

  test('names all that is wrong at once', () => {
    expect(wrongFields(() => list({ pageSize: 0, status: 'x', historyLength: -1 }))).toEqual([
      'status',
      'pageSize',
      'historyLength',
    ]);
  });
});

test('an extended card is asked for without params, or with a tenant', () => {
  for (const params of [undefined, {}, { tenant: '' }]) {
    expect(decodeOperation('GetExtendedAgentCard', params)).toEqual({ op: 'extendedCard' });
  }
  expect(decodeOperation('GetExtendedAgentCard', { tenant: 'alice' })).toEqual({ op: 'extendedCard', tenant: 'alice' });
  expect(wrongFields(() => decodeOperation('GetExtendedAgentCard', { tenant: 1 }))).toEqual(['tenant']);
});

describe('a method that is not served', () => {
  test.each(['Frobnicate', 'sendMessage', 'constructor', '__proto__', '', 'tasks/update'])(
    '%j does not exist',
    (method) => {
      expect(reasonOf(() => decodeOperation(method, {}))).toBe('METHOD_NOT_FOUND');
    },
  );
});
