import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../../../../relay/contract/json.ts';
import { assertError } from '../../../support/a2a-1.0-schema.ts';
import { message, readError, reasonOf, type A2aClient, type HttpAnswer } from '../../../support/a2a-client.ts';
import { openInbox } from '../../../support/inbox.ts';
import { startRelay, type TestRelay } from '../../../support/relay.ts';
import { sourcesOf } from './requirements/titles.ts';

/** JSON-RPC 2.0 as A2A uses it (A2A 1.0.1 section 9). */

let relay: TestRelay;
let frank: A2aClient;
let alice: A2aClient;

beforeAll(async () => {
  relay = await startRelay({ blockMs: 3_600_000 });
  alice = await relay.agent('alice');
  frank = await relay.agent('frank');
});
afterAll(() => relay.close());

const at = '/a/alice';
const JSON_TYPE = { 'content-type': 'application/json', 'a2a-version': '1.0' };

function post(body: string, headers: Record<string, string> = {}): Promise<HttpAnswer> {
  return frank.http('POST', at, { headers: { ...JSON_TYPE, ...headers }, body });
}

describe('an id', () => {
  const IDS: readonly Json[] = [
    'r1',
    '',
    '1',
    'é😀',
    ' ',
    'x'.repeat(1024),
    0,
    -1,
    1,
    2 ** 53 - 1,
    -(2 ** 53) + 1,
    null,
  ];

  // https://github.com/a2aproject/a2a-js/issues/176
  test.each(IDS)('is echoed with its exact type: %j', async (id) => {
    await frank.call('ListTasks', {}, { at, id });
    await frank.fail('GetTask', { id: 'x' }, { at, id });
    await frank.fail('Nothing', {}, { at, id });
    await frank.fail('GetTask', {}, { at, id, headers: { 'a2a-version': '99.0' } });
  });

  test.each(IDS)('is echoed in every frame of a stream: %j', async (id) => {
    const stream = await frank.stream('SendStreamingMessage', message(`stream ${JSON.stringify(id).slice(0, 20)}`), {
      at,
      id,
    });
    const first = await stream.next();
    if (first === undefined || !('task' in first)) throw new Error('the task comes first');
    await frank.call('CancelTask', { id: first.task.id });
    expect(await stream.rest()).toHaveLength(1);
  });

  test('is echoed when the params hold what cannot be kept', async () => {
    const answer = await post('{"jsonrpc":"2.0","id":"r7","method":"ListTasks","params":{"a":"\\ud800"}}');
    expect(readError(answer, { id: 'r7' }).code).toBe(-32602);
  });

  test.each(['1.5', '1e400', '9007199254740993', 'true', '{}', '[]', '[1]', `"${'x'.repeat(1025)}"`])(
    'that is none is refused, with null in its place: %s',
    async (id) => {
      const answer = await post(`{"jsonrpc":"2.0","id":${id},"method":"ListTasks"}`);
      const error = readError(answer, { id: null });
      expect([error.code, reasonOf(error)]).toEqual([-32600, 'INVALID_REQUEST']);
    },
  );

  test('of 1.0 is the integer 1', async () => {
    expect((await post('{"jsonrpc":"2.0","id":1.0,"method":"ListTasks"}')).body).toMatch(/^\{"jsonrpc":"2.0","id":1,/);
  });
});

describe('an envelope', () => {
  test.each<[string, number, Json]>([
    ['{"jsonrpc":"1.0","id":3,"method":"ListTasks"}', -32600, 3],
    ['{"jsonrpc":2.0,"id":3,"method":"ListTasks"}', -32600, 3],
    ['{"id":3,"method":"ListTasks"}', -32600, 3],
    ['{"jsonrpc":"2.0","id":3}', -32600, 3],
    ['{"jsonrpc":"2.0","id":3,"method":7}', -32600, 3],
    ['{"jsonrpc":"2.0","id":3,"method":""}', -32600, 3],
    ['{"jsonrpc":"2.0","id":3,"method":null}', -32600, 3],
    ['{"jsonrpc":"2.0","id":3,"method":["ListTasks"]}', -32600, 3],
    ['{"jsonrpc":"2.0","id":3,"method":"ListTasks","params":[]}', -32602, 3],
    ['{"jsonrpc":"2.0","id":3,"method":"ListTasks","params":"x"}', -32602, 3],
    ['{"jsonrpc":"2.0","id":3,"method":"ListTasks","params":7}', -32602, 3],
    ['{}', -32600, null],
    ['null', -32600, null],
    ['true', -32600, null],
    ['7', -32600, null],
    ['"ListTasks"', -32600, null],
    ['[]', -32600, null],
    ['[{"jsonrpc":"2.0","id":1,"method":"ListTasks"}]', -32600, null],
    ['[1,2,3]', -32600, null],
    ['', -32700, null],
    ['{', -32700, null],
    ['{"jsonrpc":"2.0","id":3,"method":"ListTasks"} x', -32700, null],
    ["{'jsonrpc':'2.0'}", -32700, null],
    ['{"jsonrpc":"2.0","id":3,"method":"ListTasks",}', -32700, null],
    ['\u0000', -32700, null],
  ])(`%s is answered with %i (A2A ${sourcesOf(['9.3-1', '9.5-1'])})`, async (body, code, id) => {
    const error = readError(await post(body), { id });
    expect(error.code).toBe(code);
    expect(reasonOf(error)).toBeDefined();
  });

  test('with a byte order mark, white space and unknown members is read', async () => {
    const answer = await post('\ufeff \n{"jsonrpc":"2.0","id":1,"method":"ListTasks","params":null,"x":[]}\r\n');
    expect(answer.status).toBe(200);
    expect(answer.body).toContain('"result"');
  });

  test('that is no UTF-8 is a parse error', async () => {
    const body = Buffer.concat([
      Buffer.from('{"jsonrpc":"2.0","id":1,"method":"'),
      Buffer.from([0xc3, 0x28]),
      Buffer.from('"}'),
    ]);
    expect(readError(await frank.http('POST', at, { headers: JSON_TYPE, body }), { id: null }).code).toBe(-32700);
  });

  test('is answered without a word more than there has to be', async () => {
    const success = JSON.parse((await frank.rpc('ListTasks', {}, { at })).body) as object;
    expect(Object.keys(success)).toEqual(['jsonrpc', 'id', 'result']);
    const failure = JSON.parse((await frank.rpc('Nothing', {}, { at })).body) as object;
    expect(Object.keys(failure)).toEqual(['jsonrpc', 'id', 'error']);
  });
});

describe('a notification', () => {
  const notify = (method: string, params: unknown) => post(JSON.stringify({ jsonrpc: '2.0', method, params }));

  test('is carried out, and answered with nothing', async () => {
    const { status, body, headers } = await notify('SendMessage', message('notification'));
    expect([status, body, headers['content-type']]).toEqual([204, '', undefined]);
    const { tasks } = await frank.call('ListTasks', { pageSize: 1 }, { at });
    expect(tasks[0]?.history?.[0]?.messageId).toBe('notification');
  });

  test('waits for nobody and streams to nobody', async () => {
    const inbox = await openInbox(alice);
    for (const method of ['SendMessage', 'SendStreamingMessage']) {
      expect((await notify(method, message(`${method} notification`))).status).toBe(204);
      const { event } = await inbox.handoff(({ event: { kind } }) => kind === 'created');
      expect(event).toMatchObject({ message: { messageId: `${method} notification` } });
    }
    const [task] = (await frank.call('ListTasks', { pageSize: 1 }, { at })).tasks;
    expect((await notify('SubscribeToTask', { id: task?.id })).status).toBe(204);
    inbox.destroy();
  });

  test.each([
    ['GetTask', { id: 'nothing' }],
    ['Nothing', {}],
    ['SendMessage', { message: {} }],
    ['tasks/update', { task_id: 'nothing', transition: 'accept' }],
  ])('that fails is answered with nothing, too: %s', async (method, params) => {
    const { status, body } = await notify(method, params);
    expect([status, body]).toEqual([204, '']);
  });

  test('is not what a broken request is', async () => {
    for (const body of ['{"method":"ListTasks"}', '{"jsonrpc":"2.0","method":7}']) {
      expect(readError(await post(body), { id: null }).code).toBe(-32600);
    }
  });
});

describe('without a good key', () => {
  test.each<[string | undefined, string]>([
    [undefined, 'NO_HEADER'],
    ['', 'NO_HEADER'],
    ['Bearer', 'NOT_BEARER'],
    ['Basic YWxpY2U6eA==', 'NOT_BEARER'],
    ['Bearer hunter2', 'UNKNOWN_KEY'],
    [`Bearer ar_${'A'.repeat(43)}`, 'UNKNOWN_KEY'],
    [`Bearer ar_${'A'.repeat(43)}, Bearer x`, 'NOT_BEARER'],
  ])('%s: 401 that says how, and why not', async (authorization, cause) => {
    for (const path of [at, '/a2a', '/a/nobody']) {
      const answer = await frank.rpc('ListTasks', {}, { at: path, headers: { authorization } });
      expect(answer.headers['www-authenticate']).toBe('Bearer realm="agentrelay"');
      const error = readError(answer, { id: null }, 401);
      expect(error.data).toMatchObject([{ reason: 'UNAUTHENTICATED', metadata: { cause } }]);
      expect(error.message).toContain('agentrelay register');
    }
    for (const [method, path] of [
      ['GET', '/v1/inbox/events?desk_id=d'],
      ['GET', '/v1/tasks/x/events'],
      ['POST', '/v1/receipts'],
    ] as const) {
      const answer = await frank.http(method, path, { headers: { authorization } });
      expect(answer.status).toBe(401);
      expect(answer.headers['www-authenticate']).toBe('Bearer realm="agentrelay"');
      expect(JSON.parse(answer.body)).toMatchObject({ error: { code: 401, status: 'UNAUTHENTICATED' } });
    }
  });

  test('the key of the answer is nowhere in it', async () => {
    const key = `ar_${'s3cret'.repeat(7)}A`;
    const answer = await frank.rpc('ListTasks', {}, { at, headers: { authorization: `Bearer ${key}` } });
    expect(answer.status).toBe(401);
    expect(JSON.stringify(answer)).not.toContain('s3cret');
  });
});

test('every error says what it is in an array of details, never as null', async () => {
  for (const [method, params] of [
    ['GetTask', { id: 'x' }],
    ['GetTask', {}],
    ['Nothing', {}],
    ['CreateTaskPushNotificationConfig', {}],
  ] as const) {
    const answer = await frank.rpc(method, params, { at });
    expect(answer.status).toBe(200);
    const json: unknown = JSON.parse(answer.body);
    assertError(json);
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
    expect(reasonOf(json.error)).toBeDefined();
  }
});
