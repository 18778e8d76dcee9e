import { describe, expect, test } from 'vitest';
import type { StreamResponse } from '../../../relay/contract/a2a.ts';
import type { Json, JsonObject } from '../../../relay/contract/json.ts';
import { decode03 } from '../../../relay/wire/a2a-0.3/decode.ts';
import { A2A_0_3 } from '../../../relay/wire/a2a-0.3/dialect.ts';
import { encodeAnswer03, encodeFrame03 } from '../../../relay/wire/a2a-0.3/encode.ts';
import { reasonOf, wrongFields } from './refused.ts';
import { ARTIFACT, MESSAGE, TASK } from './samples.ts';

/** A2A 0.3 (specification 0.3.0 sections 6 and 7). */

const message = (more: JsonObject = {}): JsonObject => ({
  kind: 'message',
  messageId: 'm',
  role: 'user',
  parts: [{ kind: 'text', text: 'hi' }],
  ...more,
});
const send = (params: JsonObject, method = 'message/send') => decode03(method, params);

describe('message/send', () => {
  test('is a send that waits, as the SDKs of 0.3 have it where nothing is said', () => {
    expect(send({ message: message() })).toEqual({
      op: 'send',
      message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'hi' }] },
      meta: {},
      returnImmediately: false,
    });
  });

  test.each<[JsonObject, boolean]>([
    [{}, false],
    [{ blocking: true }, false],
    [{ blocking: null }, false],
    [{ blocking: false }, true],
  ])('with the configuration %j returns at once: %j', (configuration, returnImmediately) => {
    expect(send({ message: message(), configuration })).toMatchObject({ returnImmediately });
  });

  test('has a history length, and modes that are checked', () => {
    const configuration = { historyLength: 3, acceptedOutputModes: ['text/plain'] };
    expect(send({ message: message(), configuration })).toMatchObject({ historyLength: 3 });
    expect(wrongFields(() => send({ message: message(), configuration: { historyLength: -1 } }))).toEqual([
      'configuration.historyLength',
    ]);
  });

  test('says whom it is for where our extension does', () => {
    expect(send({ message: message(), recipient: 'alice' })).toMatchObject({ meta: { recipient: 'alice' } });
    expect(send({ message: message({ metadata: { recipient: 'alice@acme' } }) })).toMatchObject({
      meta: { recipient: 'alice@acme' },
    });
  });

  test.each<[string, Json, JsonObject]>([
    ['text', { kind: 'text', text: 'hi' }, { text: 'hi' }],
    ['text under its old key', { type: 'text', text: 'hi' }, { text: 'hi' }],
    [
      'bytes',
      { kind: 'file', file: { bytes: 'QQ==', name: 'a.bin', mimeType: 'x/y' } },
      { raw: 'QQ==', filename: 'a.bin', mediaType: 'x/y' },
    ],
    ['an address', { kind: 'file', file: { uri: 'https://example.com/a' } }, { url: 'https://example.com/a' }],
    ['bytes of the proto', { kind: 'file', file: { fileWithBytes: 'QQ==' } }, { raw: 'QQ==' }],
    ['an address of the proto', { file: { file_with_uri: 'https://example.com' } }, { url: 'https://example.com' }],
    ['data', { kind: 'data', data: { a: [1] } }, { data: { a: [1] } }],
    ['data that is no object', { kind: 'data', data: { value: 5 }, metadata: { data_part_compat: true } }, { data: 5 }],
    ['a part of 1.0', { text: 'hi', mediaType: 'text/markdown' }, { text: 'hi', mediaType: 'text/markdown' }],
  ])('takes %s', (_, part, read) => {
    expect(send({ message: message({ parts: [part] }) })).toMatchObject({ message: { parts: [read] } });
  });

  test('takes the names of the proto: content, roles and snake case', () => {
    const { parts, ...rest } = message({ role: 'ROLE_USER', task_id: 't', context_id: 'c' });
    expect(send({ message: { ...rest, content: parts ?? [] } })).toMatchObject({
      message: { taskId: 't', contextId: 'c', role: 'ROLE_USER', parts: [{ text: 'hi' }] },
    });
  });

  test.each<[string[], JsonObject]>([
    [['message'], {}],
    [['message.messageId'], { message: { role: 'user', parts: [{ text: 'x' }] } }],
    [['message.role'], { message: message({ role: 'assistant' }) }],
    [['message.parts'], { message: message({ parts: [] }) }],
    [['message.parts[0]'], { message: message({ parts: [{ kind: 'text' }] }) }],
  ])('names what is wrong: %j', (fields, params) => {
    expect(wrongFields(() => send(params))).toEqual(expect.arrayContaining(fields));
  });
});

describe('the other methods', () => {
  test.each<[string, JsonObject, object]>([
    ['message/stream', { message: message() }, { op: 'stream' }],
    ['tasks/get', { id: 't', historyLength: 0 }, { op: 'getTask', id: 't', historyLength: 0 }],
    ['tasks/get', { task_id: 't' }, { op: 'getTask', id: 't' }],
    ['tasks/cancel', { id: 't', metadata: {} }, { op: 'cancelTask', id: 't' }],
    ['tasks/resubscribe', { id: 't' }, { op: 'subscribe', id: 't' }],
  ])('%s with %j', (method, params, operation) => {
    expect(decode03(method, params)).toMatchObject(operation);
  });

  test.each(['tasks/get', 'tasks/cancel', 'tasks/resubscribe'])('%s needs an id', (method) => {
    for (const params of [undefined, {}, { id: '' }, { id: 5 }])
      expect(wrongFields(() => decode03(method, params))).toEqual(['id']);
  });

  test.each(['tasks/send', 'message/frobnicate', '', '__proto__'])('%j is none', (method) => {
    expect(reasonOf(() => decode03(method, {}))).toBe('METHOD_NOT_FOUND');
  });

  test('that ask for a stream are refused in one', () => {
    expect(['message/stream', 'tasks/resubscribe', 'message/send', 'tasks/get'].map(A2A_0_3.refusesInStream)).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
});

describe('an answer', () => {
  test('is the bare task or message', () => {
    expect(encodeAnswer03({ kind: 'sent', response: { task: TASK } })).toMatchObject({ kind: 'task', id: TASK.id });
    expect(encodeAnswer03({ kind: 'sent', response: { message: MESSAGE } })).toMatchObject({
      kind: 'message',
      messageId: MESSAGE.messageId,
      role: 'user',
    });
    expect(encodeAnswer03({ kind: 'task', task: TASK })).toMatchObject({ kind: 'task' });
  });
});

describe('a frame', () => {
  const ids = { taskId: 't', contextId: 'c' };
  const frame = (response: StreamResponse, isLast = false): JsonObject => encodeFrame03({ response, isLast });

  test('of a status says whether it is the final one', () => {
    const status = { state: 'TASK_STATE_COMPLETED', message: MESSAGE, timestamp: '2026-01-31T12:00:00.000Z' } as const;
    for (const isLast of [true, false]) {
      expect(frame({ statusUpdate: { ...ids, status, metadata: { k: 1 } } }, isLast)).toMatchObject({
        kind: 'status-update',
        ...ids,
        status: { state: 'completed', message: { kind: 'message', role: 'user' }, timestamp: status.timestamp },
        final: isLast,
        metadata: { k: 1 },
      });
    }
  });

  test('of an artifact keeps its flags', () => {
    expect(frame({ artifactUpdate: { ...ids, artifact: ARTIFACT, append: true, lastChunk: false } })).toEqual({
      kind: 'artifact-update',
      ...ids,
      artifact: { ...ARTIFACT, parts: [{ kind: 'text', text: 'done' }] },
      append: true,
      lastChunk: false,
    });
  });

  test('of a task or a message is that', () => {
    expect(frame({ task: TASK })).toMatchObject({ kind: 'task' });
    expect(frame({ message: MESSAGE }, true)).toMatchObject({ kind: 'message' });
  });
});
