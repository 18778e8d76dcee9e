import { describe, expect, test } from 'vitest';
import { RelayError } from '../../../relay/contract/reasons.ts';
import type { Json } from '../../../relay/contract/json.ts';
import { errorBody, readId, readRequest, successBody } from '../../../relay/wire/json-rpc.ts';
import { assertError } from '../../support/a2a-1.0-schema.ts';
import { reasonOf, refused } from './refused.ts';

const request = (over: { [key: string]: Json } = {}): Json => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'GetTask',
  params: { id: 't' },
  ...over,
});

describe('reading a request', () => {
  test.each([0, 7, -1, 2 ** 53 - 1, '', 'r1', '7', null])('the id %j is taken as it is', (id) => {
    expect(readRequest(request({ id }))).toEqual({ id, method: 'GetTask', params: { id: 't' } });
  });

  test('without an id it is a notification', () => {
    expect(readRequest({ jsonrpc: '2.0', method: 'GetTask' })).toEqual({
      id: undefined,
      method: 'GetTask',
      params: undefined,
    });
  });

  test('params may be absent or null, and unknown members are ignored', () => {
    expect(readRequest(request({ params: null, extra: 1 })).params).toBeUndefined();
  });

  test.each<[string, Json]>([
    ['a batch', [request()]],
    ['an empty batch', []],
    ['a string', 'GetTask'],
    ['a number', 1],
    ['null', null],
    ['an empty object', {}],
    ['no version', { id: 1, method: 'GetTask' }],
    ['another version', request({ jsonrpc: '1.0' })],
    ['a version that is a number', request({ jsonrpc: 2 })],
    ['no method', { jsonrpc: '2.0', id: 1 }],
    ['an empty method', request({ method: '' })],
    ['a method that is a number', request({ method: 1 })],
    ['a fractional id', request({ id: 1.5 })],
    ['an id beyond the safe integers', request({ id: 2 ** 53 })],
    ['an id that is an object', request({ id: { bad: 'type' } })],
    ['an id that is a list', request({ id: [1] })],
    ['an id that is a boolean', request({ id: true })],
    ['an id of 10,000 characters', request({ id: 'x'.repeat(10_000) })],
  ])('%s is an invalid request', (_, body) => {
    expect(reasonOf(() => readRequest(body))).toBe('INVALID_REQUEST');
  });

  test.each<[string, Json]>([
    ['a string', 'not an object'],
    ['a list', [1]],
    ['a number', 0],
    ['false', false],
  ])('params that are %s are invalid params', (_, params) => {
    expect(refused('INVALID_PARAMS', () => readRequest(request({ params }))).violations[0]?.field).toBe('params');
  });
});

test.each<[string, Json, unknown]>([
  ['a good id', request({ id: 'r1', method: 5 }), 'r1'],
  ['a fractional id', request({ id: 1.5 }), null],
  ['an id of another type', request({ id: {} }), null],
  ['no id', {}, null],
  ['a batch', [request()], null],
  ['no object', 'x', null],
])('an error about a body with %s has the right id', (_, body, id) => {
  expect(readId(body)).toBe(id);
});

describe('writing an answer', () => {
  test.each([1, '1', null, '"quoted\u2028"'])('the id %j is echoed with its type, and the result as it is', (id) => {
    expect(JSON.parse(successBody(id, '{"task":{"n":1.50}}'))).toEqual({
      jsonrpc: '2.0',
      id,
      result: { task: { n: 1.5 } },
    });
  });

  test('a success has no error, and an error no result', () => {
    expect(successBody(1, '{}')).not.toContain('error');
    const answer: unknown = JSON.parse(errorBody('r1', new RelayError('TASK_NOT_FOUND', 'There is no such task.')));
    assertError(answer);
    expect(Object.keys(answer)).toEqual(['jsonrpc', 'id', 'error']);
    expect(answer.id).toBe('r1');
  });
});
