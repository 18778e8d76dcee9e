import { deepStrictEqual } from 'node:assert';
import { afterAll, beforeAll, beforeEach, afterEach, describe, expect, test } from 'vitest';
import {
  fieldsOf,
  headersOf,
  message,
  readError,
  reasonOf,
  rpcBody,
  type A2aClient,
} from '../../support/a2a-client.ts';
import { heapInUse } from '../../support/memory.ts';
import { RawConnection, rawRequest } from '../../support/raw-connection.ts';
import { startRelay, type TestRelay } from '../../support/relay.ts';

/** Whatever is sent, the answer says what is wrong with it, and nothing of it is kept. */

let relay: TestRelay;
let frank: A2aClient;
let before: Record<string, number>;

beforeAll(async () => {
  relay = await startRelay();
  await relay.agent('alice');
  frank = await relay.agent('frank');
});
afterAll(() => relay.close());
beforeEach(() => {
  before = relay.rows();
});
// whatever a test of these sends
afterEach(() => deepStrictEqual(relay.rows(), before));

const at = '/a/alice';
const post = (body: string | Uint8Array, headers: Record<string, string | undefined> = {}, path = at) =>
  frank.http('POST', path, { headers: { 'content-type': 'application/json', 'a2a-version': '1.0', ...headers }, body });
const good = rpcBody('SendMessage', message('m'));

describe('a content type', () => {
  test.each([
    undefined,
    '',
    'text/plain',
    'text/plain;charset=UTF-8',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json; charset=latin1',
    'application/json; charset=utf-16',
    'application/jsonx',
    'application/json, text/plain',
    'text/json',
    'json',
    'application',
    '*/*',
    ';;;',
    'application/json; charset=utf-8; charset=latin1',
    'x'.repeat(5000),
  ])('%j is not JSON: 415', async (type) => {
    const answer = await post(good, { 'content-type': type });
    const error = readError(answer, { id: null }, 415);
    expect([error.code, reasonOf(error)]).toEqual([-32005, 'UNSUPPORTED_MEDIA_TYPE']);
    for (const path of ['/v1/receipts', '/a2a'])
      expect((await post(good, { 'content-type': type }, path)).status).toBe(415);
  });

  test.each([
    'application/json',
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json;charset=UTF8',
    'application/json; charset="utf-8"',
    'application/json; x=y; charset=utf-8',
    'application/a2a+json',
    'application/vnd.example.v1+json',
  ])('%j is', async (type) => {
    expect(readError(await post(rpcBody('GetTask', { id: 'x' }), { 'content-type': type })).code).toBe(-32001);
  });

  test.each(['gzip', 'br', 'deflate', 'zstd', 'gzip, identity'])('in the encoding %s is not read', async (encoding) => {
    expect(readError(await post(good, { 'content-encoding': encoding }), { id: null }, 415).code).toBe(-32005);
  });
});

describe('a body', () => {
  test.each([
    ['of 2 MiB', ' '.repeat(2 * 1024 * 1024)],
    ['of 2 MiB that is a request', rpcBody('SendMessage', message('m', { parts: [{ text: 'x'.repeat(2 ** 21) }] }))],
  ])('%s is too large: 413', async (_, body) => {
    const error = readError(await post(body), { id: null }, 413);
    expect(error.data).toMatchObject([{ reason: 'PAYLOAD_TOO_LARGE', metadata: { limit: '1048576' } }]);
  });

  test.each([
    ['[', ']'],
    ['{"a":', '}'],
    ['[{"a":', '}]'],
  ])('of ten thousand %s is refused, closed or not', async (opening, closing) => {
    const deep = opening.repeat(10_000);
    expect(readError(await post(deep), { id: null }).code).toBe(-32700);
    const nested = `${deep}1${closing.repeat(10_000)}`;
    expect([-32600, -32602]).toContain(readError(await post(nested), { id: null }).code);
    const inside = `{"jsonrpc":"2.0","id":"deep","method":"SendMessage","params":{"message":{"metadata":{"x":${nested}}}}}`;
    const error = readError(await post(inside), { id: 'deep' });
    expect(error.code).toBe(-32602);
    expect(fieldsOf(error)[0]).toMatch(/^message\.metadata\.x/);
  });

  test.each([
    ['half of a surrogate pair', '"text":"\\ud800"'],
    ['the other half', '"text":"\\udc00 x"'],
    ['two halves the wrong way round', '"text":"\\udc00\\ud800"'],
    ['half a pair in a key', '"metadata":{"\\ud800":1}'],
    ['__proto__ as a key', '"metadata":{"__proto__":{"polluted":true}}'],
    ['__proto__ deep inside', '"data":{"a":[{"__proto__":1}]}'],
    ['a number that is none', '"data":1e400'],
  ])('with %s is refused, and says where', async (_, member) => {
    const part = member.includes('text') || member.includes('"data":') ? member : `"text":"x",${member}`;
    const body = `{"jsonrpc":"2.0","id":9,"method":"SendMessage","params":{"message":{"messageId":"m","role":"ROLE_USER","parts":[{${part}}]}}}`;
    const error = readError(await post(body), { id: 9 });
    expect(error.code).toBe(-32602);
    expect(fieldsOf(error)[0]).toMatch(/^message\.parts\[0\]/);
    expect({}).not.toHaveProperty('polluted');
  });

  test('with members of the same name is what the last one says', async () => {
    const twice = '{"jsonrpc":"2.0","id":1,"id":2,"method":"SendMessage","method":"GetTask","params":{"id":"x"}}';
    expect(readError(await post(twice), { id: 2 }).code).toBe(-32001);
  });
});

describe('an id', () => {
  const long = 'x'.repeat(10_000);

  test.each([
    ['SendMessage', message(long), 'message.messageId'],
    ['SendMessage', message('m', { taskId: long }), 'message.taskId'],
    ['SendMessage', message('m', { contextId: long }), 'message.contextId'],
    ['SendMessage', message('m', { referenceTaskIds: [long] }), 'message.referenceTaskIds[0]'],
    ['SendMessage', { ...message('m'), recipient: long }, 'recipient'],
    ['SendMessage', { ...message('m'), tenant: long }, 'tenant'],
    ['GetTask', { id: long }, 'id'],
    ['CancelTask', { id: long }, 'id'],
    ['SubscribeToTask', { id: long }, 'id'],
    ['ListTasks', { contextId: long }, 'contextId'],
    ['ListTasks', { pageToken: long }, 'pageToken'],
    ['tasks/update', { task_id: long }, 'task_id'],
    ['tasks/update', { task_id: 't', session_id: long }, 'session_id'],
    ['tasks/update', { task_id: 't', idempotency_key: long }, 'idempotency_key'],
    ['tasks/list', { page: { cursor: long } }, 'page.cursor'],
  ])('of ten thousand characters is refused: %s', async (method, params, field) => {
    const answer = await frank.rpc(method, params, { at });
    const error = readError(answer);
    expect([error.code, fieldsOf(error)]).toEqual([-32602, [field]]);
    // and is not sent back
    expect(answer.body.length).toBeLessThan(1500);
  });

  test.each([
    'a:b',
    'a/b',
    '../a',
    'a b',
    'a%2Fb',
    'é😀',
    '\u0000',
    "' OR 1=1 --",
    '%',
    '?',
    '#',
    '\\',
    '.',
    'null',
    '__proto__',
  ])('%j is one that nobody has', async (id) => {
    expect((await frank.fail('GetTask', { id }, { at })).code).toBe(-32001);
    expect((await frank.fail('tasks/update', { task_id: id, transition: 'accept' }, { at })).code).toBe(-32001);
    const encoded = id === '.' ? '%2E' : encodeURIComponent(id);
    const log = await frank.http('GET', `/v1/tasks/${encoded}/events`);
    expect(log.status).toBe(404);
    expect(JSON.parse(log.body)).toMatchObject({ error: { code: 404, details: [{ reason: 'TASK_NOT_FOUND' }] } });
  });
});

test.each(['x', '=', 'aGk', 'aGk=', 'aGk==', 'a===', 'aG k', 'aGk=\n', '😀', 'aGk=aGk=', 'a'.repeat(5)])(
  'base64 is read, or refused: %j',
  async (raw) => {
    // never sent: the role is missing
    const params = { message: { messageId: 'm', parts: [{ raw }] } };
    const fields = fieldsOf(await frank.fail('SendMessage', params, { at }));
    const isGood = ['aGk', 'aGk='].includes(raw);
    expect(fields).toEqual(['message.role', ...(isGood ? [] : ['message.parts[0].raw'])]);
  },
);

describe('a path', () => {
  test.each(['/a/%', '/a/%zz', '/a/%ff', '/a/%c3%28', '/a/al%ice', '/v1/tasks/%E0%A4%A/events', '/%'])(
    '%s is not percent-encoded: 400',
    async (path) => {
      for (const method of ['GET', 'POST']) {
        const { status, body, headers } = await frank.http(method, path);
        expect(status).toBe(400);
        expect(headers['content-type']).toMatch(/^application\/json/);
        expect(JSON.parse(body)).toMatchObject({ error: { code: 400, details: [{ reason: 'INVALID_REQUEST' }] } });
      }
    },
  );

  test.each([
    '/x',
    '/a',
    '/v1',
    '/v1/tasks',

    '/a2a/alice/x/y',
    '/.well-known',
    '/a/alice/..',
    '/metrics/x',
    '/admin',
  ])('%s is nothing: 404', async (path) => {
    for (const method of ['GET', 'POST', 'DELETE', 'PROPFIND']) {
      const { status, body } = await frank.http(method, path);
      expect(status).toBe(404);
      expect(JSON.parse(body)).toMatchObject({ error: { code: 404, details: [{ reason: 'ROUTE_NOT_FOUND' }] } });
    }
  });
});

describe('queries', () => {
  test.each([
    ['after', '-1'],
    ['after', 'x'],
    ['after', '1.5'],
    ['after', '0x10'],
    ['after', '1e3'],
    ['after', '9'.repeat(16)],
    ['limit', '0'],
    ['limit', '1001'],
    ['limit', ''],
    ['limit', '-5'],
  ])('of a log, %s=%s is refused', async (name, value) => {
    const { status, body } = await frank.http('GET', `/v1/tasks/x/events?${name}=${value}`);
    expect(status).toBe(400);
    expect(JSON.parse(body)).toMatchObject({
      error: { details: [{ fieldViolations: [{ field: name }] }, { reason: 'INVALID_PARAMS' }] },
    });
  });

  test.each([
    '',
    '?desk_id=',
    `?desk_id=${'x'.repeat(129)}`,
    '?desk_id=a&desk_id=b',
    '?desk_id=a&take_over=2',
    '?desk_id=a&take_over=true',
  ])('of an inbox, "%s" is refused', async (query) => {
    const { status, body } = await frank.http('GET', `/v1/inbox/events${query}`);
    expect(status).toBe(400);
    expect(JSON.parse(body)).toMatchObject({ error: { details: [{}, { reason: 'INVALID_PARAMS' }] } });
  });
});

test('two thousand of all of these leave no memory behind', async () => {
  const bad: Buffer[] = [
    good.slice(1),
    rpcBody('SendMessage', { message: { messageId: 'x'.repeat(5000), parts: [{ text: 'x'.repeat(5000) }] } }),
    rpcBody('SendStreamingMessage', {}),
    rpcBody('GetTask', { id: 'x'.repeat(10_000) }),
    rpcBody('GetTask', { id: 'nothing' }),
    rpcBody('Nothing', { a: 'x'.repeat(10_000) }),
    `${'['.repeat(10_000)}${']'.repeat(10_000)}`,
    `{"jsonrpc":"2.0","id":"${'y'.repeat(10_000)}","method":"GetTask"}`,
    rpcBody('SendMessage', message('m', { parts: [{ raw: '='.repeat(100_000) }] })),
    rpcBody('ListTasks', { pageToken: 'garbage' }),
  ].map((body, n) => rawRequest('POST', at, { ...headersOf(frank), 'x-n': String(n) }, body));
  const foreign = { ...headersOf(frank), authorization: 'Bearer nobody' };
  bad.push(rawRequest('POST', at, foreign, good), rawRequest('GET', '/a/%zz', headersOf(frank)));

  const round = async (times: number): Promise<void> => {
    const connections = await Promise.all(Array.from({ length: 8 }, () => RawConnection.open(relay.port)));
    let sent = 0;
    await Promise.all(
      connections.map(async (connection) => {
        while (sent < times) {
          const request = bad[sent++ % bad.length];
          if (request === undefined) throw new Error('nothing to send');
          connection.write(request);
          const { status } = (await connection.answer()) ?? { status: 0 };
          // of one wrong key over and over no more is said
          expect([200, 400, 401, 429]).toContain(status);
        }
        connection.destroy();
      }),
    );
  };
  // what is compiled, and what is kept once for all, comes first
  await round(500);
  const before = { heap: heapInUse(), rss: process.memoryUsage().rss };
  await round(2000);
  const grown = { heap: heapInUse() - before.heap, rss: process.memoryUsage().rss - before.rss };
  // They are 25 MB of requests. A thousandth part of each that stayed, or an object for each, would be more than this.
  expect(grown.heap).toBeLessThan(2_000_000);
  // Pages that the heap has given back are not all given back to the system.
  expect(grown.rss).toBeLessThan(40_000_000);
});
