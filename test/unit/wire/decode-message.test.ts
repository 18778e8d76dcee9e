import { describe, expect, test } from 'vitest';
import { ARTIFACT_MEDIA_TYPE } from '../../../relay/contract/artifact.ts';
import type { Message, Part } from '../../../relay/contract/a2a.ts';
import type { Json, JsonObject } from '../../../relay/contract/json.ts';
import type { SendOperation } from '../../../relay/operations/operation.ts';
import { EXTENSION_URI } from '../../../relay/contract/handoff.ts';
import { decodeOperation } from '../../../relay/wire/a2a-1.0/decode.ts';
import { refused, wrongFields } from './refused.ts';

const MESSAGE = { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text: 'hi' }] } as const;

function send(params: JsonObject): SendOperation {
  const operation = decodeOperation('SendMessage', params);
  if (operation.op !== 'send') throw new Error(operation.op);
  return operation;
}
const message = (over: JsonObject): Message => send({ message: { ...MESSAGE, ...over } }).message;
const part = (json: Json): Part | undefined => message({ parts: [json] }).parts[0];
const wrong = (over: JsonObject): string[] => wrongFields(() => message(over));
const wrongPart = (json: Json): string[] => wrong({ parts: [json] });

describe('a message', () => {
  test('is read with all its members, and nothing else', () => {
    const full = {
      messageId: 'm-1',
      role: 'ROLE_USER',
      parts: [{ text: 'hi' }],
      contextId: 'c-1',
      taskId: 't-1',
      metadata: { k: [1, { deep: null }], schema: 'x' },
      extensions: ['https://example.com/ext/v1'],
      referenceTaskIds: ['t-0'],
    };
    expect(message({ ...full, kind: 'message', unknown: 1 })).toEqual(full);
  });

  test('may use the names of the proto', () => {
    expect(
      send({
        message: {
          message_id: 'm-1',
          role: 'ROLE_USER',
          context_id: 'c-1',
          task_id: 't-1',
          reference_task_ids: ['t-0'],
          parts: [{ text: 'hi', media_type: 'text/plain' }],
        },
      }).message,
    ).toEqual({
      messageId: 'm-1',
      role: 'ROLE_USER',
      contextId: 'c-1',
      taskId: 't-1',
      referenceTaskIds: ['t-0'],
      parts: [{ text: 'hi', mediaType: 'text/plain' }],
    });
  });

  test('with both spellings of a name means the camel-case one, unless that is null', () => {
    expect(message({ taskId: 'a', task_id: 'b' }).taskId).toBe('a');
    expect(message({ taskId: null, task_id: 'b' }).taskId).toBe('b');
  });

  test('has no member where null, an empty string or an empty list was sent', () => {
    expect(
      message({
        contextId: null,
        taskId: '',
        metadata: null,
        extensions: [],
        referenceTaskIds: null,
        parts: [{ text: '', mediaType: '', filename: null, metadata: null, raw: null, url: null, data: null }],
      }),
    ).toEqual({ messageId: 'm-1', role: 'ROLE_USER', parts: [{ text: '' }] });
  });

  test.each([
    ['ROLE_USER', 'ROLE_USER'],
    [1, 'ROLE_USER'],
    ['ROLE_AGENT', 'ROLE_AGENT'],
    [2, 'ROLE_AGENT'],
  ])('with the role %j is from %s', (role, expected) => {
    expect(message({ role }).role).toBe(expected);
  });

  test.each(['user', 'agent', 'ROLE_UNSPECIFIED', 'USER', '', '1', 0, 3, null, true, [], {}])(
    'with the role %j is refused',
    (role) => {
      expect(wrong({ role })).toEqual(['message.role']);
    },
  );

  test.each(['messageId', 'contextId', 'taskId'])('has a %s of at most 256 characters', (name) => {
    expect(message({ [name]: 'x'.repeat(256) })).toHaveProperty(name);
    for (const value of ['x'.repeat(257), 'x'.repeat(10_000), 5, true, ['t'], { id: 't' }]) {
      expect(wrong({ [name]: value })).toEqual([`message.${name}`]);
    }
  });

  test('may have ids of any characters', () => {
    for (const id of ['a:b/c', '../..', 't 1', 'ü\u0000', "'; drop table"])
      expect(message({ taskId: id }).taskId).toBe(id);
  });

  test.each([
    ['metadata', ['x', 1, true, []]],
    ['extensions', ['x', 1, {}, [1], [''], [null], Array.from({ length: 257 }, () => 'x')]],
    ['referenceTaskIds', ['x', 1, {}, [1], [''], ['x'.repeat(257)]]],
    ['parts', [null, [], 'x', 1, {}, [null], ['x'], [[]], Array.from({ length: 257 }, () => ({ text: 'x' }))]],
  ] as const)('with another type in %s is refused', (name, values) => {
    for (const value of values) {
      const fields = wrong({ [name]: value });
      expect(fields).toHaveLength(1);
      expect(fields[0]).toMatch(new RegExp(`^message\\.${name}(\\[0\\])?$`));
    }
  });

  test('that is missing is refused member by member', () => {
    const all = ['message', 'message.messageId', 'message.role', 'message.parts'];
    for (const params of [undefined, {}, { message: null }, { message: 'hi' }, { message: [] }]) {
      expect(wrongFields(() => decodeOperation('SendMessage', params))).toEqual(all);
    }
  });

  test('without what is required is refused, naming each: https://github.com/a2aproject/a2a-python/issues/876', () => {
    expect(wrongFields(() => send({ message: {} }))).toEqual(['message.messageId', 'message.role', 'message.parts']);
    expect(wrongFields(() => send({ message: { messageId: '', role: null, parts: [] } }))).toEqual([
      'message.messageId',
      'message.role',
      'message.parts',
    ]);
  });

  test('that is wrong all over is refused for at most 20 things', () => {
    const error = refused('INVALID_PARAMS', () => message({ parts: Array.from({ length: 200 }, () => 1) }));
    expect(error.violations).toHaveLength(20);
    expect(error.message).toBe('message.parts[0]: must be an object (and 19 more)');
  });
});

describe('a part', () => {
  test.each<[string, Json, Part]>([
    ['text', { text: 'hi', mediaType: 'text/markdown' }, { text: 'hi', mediaType: 'text/markdown' }],
    ['an empty text', { text: '' }, { text: '' }],
    ['a file', { raw: 'iVBORw0KGgo=', filename: 'a.png' }, { raw: 'iVBORw0KGgo=', filename: 'a.png' }],
    ['an empty file', { raw: '' }, { raw: '' }],
    ['a file in the URL alphabet', { raw: '-_8' }, { raw: '+/8=' }],
    ['an address', { url: 'https://x/y.pdf', metadata: { k: 1 } }, { url: 'https://x/y.pdf', metadata: { k: 1 } }],
    ['data', { data: { a: [1, null, 'x'] } }, { data: { a: [1, null, 'x'] } }],
    ['data that is a list', { data: [] }, { data: [] }],
    ['data that is false', { data: false }, { data: false }],
    ['data that is zero', { data: 0 }, { data: 0 }],
    ['data that is an empty string', { data: '' }, { data: '' }],
    ['data that is null', { data: null }, { data: null }],
    ['data that is null among unset contents', { text: null, raw: null, data: null }, { data: null }],
    ['text among unset contents', { text: 'hi', raw: null, url: null, data: null }, { text: 'hi' }],
    ['a 0.3 text part, whose kind is unknown here', { kind: 'text', text: 'hi' }, { text: 'hi' }],
  ])('holds %s', (_, json, expected) => {
    expect(part(json)).toEqual(expected);
  });

  test.each<[string, Json]>([
    ['no content', {}],
    ['only a media type', { mediaType: 'text/plain' }],
    ['text and data', { text: 'hi', data: {} }],
    ['text and a file', { text: 'hi', raw: '' }],
    ['a file and its address', { raw: 'QQ==', url: 'https://x' }],
    ['a file in its 0.3 form', { kind: 'file', file: { bytes: 'QQ==' } }],
  ])('with %s is refused', (_, json) => {
    expect(wrongPart(json)).toEqual(['message.parts[0]']);
  });

  test.each<[string, Json]>([
    ['text', { text: 1 }],
    ['text', { text: {} }],
    ['text', { text: ['hi'] }],
    ['raw', { raw: 'not base64!' }],
    ['raw', { raw: 'QQ=' }],
    ['raw', { raw: [1, 2, 3] }],
    ['url', { url: '' }],
    ['url', { url: '/relative' }],
    ['url', { url: 'example.com/x' }],
    ['url', { url: 'http://' }],
    ['url', { url: 5 }],
    ['mediaType', { text: 'hi', mediaType: 1 }],
    ['filename', { text: 'hi', filename: [] }],
    ['metadata', { text: 'hi', metadata: 'x' }],
  ])('with a wrong %s is refused: %j', (name, json) => {
    expect(wrongPart(json)).toEqual([`message.parts[0].${name}`]);
  });

  test('is named by its place', () => {
    expect(wrong({ parts: [{ text: 'a' }, {}, { raw: '!' }] })).toEqual(['message.parts[1]', 'message.parts[2].raw']);
  });
});

describe('a typed artifact', () => {
  const typed = (data: Json): Json => ({ data, mediaType: ARTIFACT_MEDIA_TYPE });

  test.each<Json>([
    { type: 'file_diff', path: 'web/login.ts', diff: '@@' },
    { type: 'file_ref', path: 'web/login.ts', lines: [1, 20] },
    { type: 'test_command', command: 'npm test' },
    { type: 'api_contract', inline: '{}', format: 'openapi' },
    { type: 'link', url: 'https://example.com' },
    { type: 'test_result', command: 'npm test', exit_code: 1, failed: 2 },
  ])('of a known type is kept as it came: %j', (data) => {
    expect(part(typed(data))).toEqual({ data, mediaType: ARTIFACT_MEDIA_TYPE });
  });

  test('of an unknown type is kept, whatever is in it', () => {
    const data = { type: 'screenshot', px: [1, 2], nested: { deep: null } };
    expect(part(typed(data))).toEqual({ data, mediaType: ARTIFACT_MEDIA_TYPE });
  });

  test.each<[string, Json]>([
    ['data', null],
    ['data', []],
    ['data', 'file_diff'],
    ['data', { diff: '@@' }],
    ['data', { type: 1 }],
    ['data.diff', { type: 'file_diff' }],
    ['data.diff', { type: 'file_diff', diff: '' }],
    ['data', { type: 'file_diff', diff: '@@', extra: 1 }],
    ['data.lines.0', { type: 'file_ref', path: 'a', lines: [0, 1] }],
    ['data', { type: 'api_contract', format: 'openapi' }],
    ['data.url', { type: 'link', url: 'not a url' }],
  ])('that is wrong in %s is refused: %j', (where, data) => {
    expect(wrongPart(typed(data))).toEqual([`message.parts[0].${where}`]);
  });

  test('without the media type is data like any other', () => {
    expect(part({ data: { type: 'file_diff' } })).toEqual({ data: { type: 'file_diff' } });
  });
});

describe('the configuration of a send', () => {
  const configured = (configuration: Json): SendOperation => send({ message: MESSAGE, configuration });

  test('blocks by default, with the whole history', () => {
    for (const params of [
      { message: MESSAGE },
      { message: MESSAGE, configuration: null },
      { message: MESSAGE, configuration: {} },
    ]) {
      expect(send(params)).toEqual({ op: 'send', message: MESSAGE, meta: {}, returnImmediately: false });
    }
  });

  test.each<[Json, number]>([
    [0, 0],
    ['0', 0],
    [10, 10],
    ['10', 10],
    [2_147_483_647, 2_147_483_647],
  ])('takes the history length %j', (historyLength, expected) => {
    expect(configured({ historyLength }).historyLength).toBe(expected);
    expect(configured({ history_length: historyLength }).historyLength).toBe(expected);
  });

  test.each<Json>([-1, '-1', 1.5, '1.5', 2_147_483_648, 'x', ' 1', '', true, [], {}])(
    'does not take the history length %j',
    (historyLength) => {
      // an empty string is ProtoJSON's way to say nothing only for strings
      expect(wrongFields(() => configured({ historyLength }))).toEqual(['configuration.historyLength']);
    },
  );

  test('is refused when it is of another type', () => {
    expect(wrongFields(() => configured('x'))).toEqual(['configuration']);
    expect(wrongFields(() => configured({ returnImmediately: 'true', acceptedOutputModes: 'text/plain' }))).toEqual([
      'configuration.acceptedOutputModes',
      'configuration.returnImmediately',
    ]);
  });

  test('returns immediately on request, under either name', () => {
    expect(configured({ returnImmediately: true }).returnImmediately).toBe(true);
    expect(configured({ return_immediately: true }).returnImmediately).toBe(true);
  });

  test('hands the media types that the sender wants on to the recipient', () => {
    const modes = ['text/plain', 'application/json'];
    const { metadata } = configured({ acceptedOutputModes: modes }).message;
    expect(metadata?.[EXTENSION_URI]).toMatchObject({ accepted_output_modes: modes });
    for (const none of [[], null]) {
      expect(configured({ acceptedOutputModes: none }).message).toEqual(configured({}).message);
    }
  });

  test('takes a webhook, under either name, and null is none', () => {
    for (const name of ['taskPushNotificationConfig', 'task_push_notification_config']) {
      const webhook = { url: 'https://hook', wakeUp: false, generation: 'A2A 1.0' };
      expect(configured({ [name]: { url: 'https://hook' } }).push).toEqual(webhook);
    }
    expect(configured({ taskPushNotificationConfig: null })).not.toHaveProperty('push');
  });
});

test('a streaming send is the same in another mode', () => {
  const params = { message: MESSAGE, tenant: 'bob', configuration: { historyLength: 1 } };
  expect(decodeOperation('SendStreamingMessage', params)).toEqual({ ...send(params), op: 'stream' });
});
