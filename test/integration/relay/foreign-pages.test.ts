import { deepStrictEqual } from 'node:assert';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { headersOf, message, readError, reasonOf, rpcBody, type A2aClient } from '../../support/a2a-client.ts';
import { RawConnection, rawRequest } from '../../support/raw-connection.ts';
import { relayForTest, startRelay, type TestRelay } from '../../support/relay.ts';

/** A web page that a person happens to have open reaches a relay on loopback, and gets nowhere with it. */

let relay: TestRelay;
let frank: A2aClient;
let before: Record<string, number>;

beforeAll(async () => {
  relay = await startRelay({ registration: 'open' });
  await relay.agent('alice');
  frank = await relay.agent('frank');
});
afterAll(() => relay.close());
beforeEach(() => {
  before = relay.rows();
});
// whatever a test of these sends
afterEach(() => deepStrictEqual(relay.rows(), before));

const body = rpcBody('SendMessage', message('from a page'));
const register = JSON.stringify({ handle: 'evil' });
const page = {
  origin: 'https://evil.example',
  referer: 'https://evil.example/',
  'sec-fetch-mode': 'cors',
  'sec-fetch-site': 'cross-site',
};

async function ask(
  method: string,
  path: string,
  headers: Record<string, string>,
  text = '',
): Promise<{ status: number; body: string }> {
  const connection = await RawConnection.open(relay.port);
  connection.write(rawRequest(method, path, headers, text));
  const answer = await connection.answer();
  connection.destroy();
  if (answer === undefined) throw new Error('no answer');
  return answer;
}

describe('what a page can send without asking first', () => {
  test.each(['text/plain', 'text/plain;charset=UTF-8', 'application/x-www-form-urlencoded', 'multipart/form-data'])(
    'a POST of %s stores nothing, with a key or without',
    async (type) => {
      const { host = '', authorization = '' } = headersOf(frank);
      for (const at of ['/a2a', '/a/alice', '/a2a/alice', '/v1/receipts']) {
        expect((await ask('POST', at, { host, ...page, 'content-type': type }, body)).status).toBe(401);
        expect((await ask('POST', at, { host, ...page, 'content-type': type, authorization }, body)).status).toBe(415);
      }
      // even where anybody may register
      expect((await ask('POST', '/v1/register', { host, ...page, 'content-type': type }, register)).status).toBe(415);
    },
  );

  test('a POST without a content type stores nothing', async () => {
    const { host = '', authorization = '' } = headersOf(frank);
    expect((await ask('POST', '/a2a', { host, ...page }, body)).status).toBe(401);
    expect((await ask('POST', '/a2a', { host, ...page, authorization }, body)).status).toBe(415);
    expect((await ask('POST', '/v1/register', { host, ...page }, register)).status).toBe(415);
  });

  test('cookies say nothing of who somebody is', async () => {
    const { host = '' } = headersOf(frank);
    const cookie = `key=${frank.apiKey}; authorization=Bearer ${frank.apiKey}`;
    const headers = { host, ...page, cookie, 'content-type': 'application/json', 'a2a-version': '1.0' };
    expect((await ask('POST', '/a/alice', headers, body)).status).toBe(401);
  });

  test('nor does the address', async () => {
    const { authorization: _, ...headers } = headersOf(frank);
    for (const query of [
      `?key=${frank.apiKey}`,
      `?access_token=${frank.apiKey}`,
      `?authorization=Bearer%20${frank.apiKey}`,
    ]) {
      expect((await ask('POST', `/a/alice${query}`, headers, body)).status).toBe(401);
      expect((await ask('GET', `/v1/inbox/events${query}&desk_id=d`, headers)).status).toBe(401);
    }
  });
});

describe('a name of its own for the relay’s address (DNS rebinding)', () => {
  const HOSTS = (port: number): readonly string[] => [
    'evil.example',
    `evil.example:${port}`,
    `127.0.0.1.evil.example:${port}`,
    `localhost.evil.example:${port}`,
    `127.0.0.1:${port + 1}`,
    '127.0.0.1',
    'localhost',
    `localhost.:${port}`,
    `127.0.0.1:${port}@evil.example`,
    `127.0.0.1:${port}, evil.example`,
    `127.0.0.1:${port}/`,
    `127.1:${port}`,
    `0.0.0.0:${port}`,
    `[::ffff:127.0.0.1]:${port}`,
    `2130706433:${port}`,
    ` `,
    'x'.repeat(5000),
    '../..',
    `LOCALHOST:${port}\u0000`.replace('\u0000', '%00'),
  ];

  test('is refused on every path, whoever asks, and nothing is said of what is there', async () => {
    const whole = headersOf(frank);
    for (const host of HOSTS(relay.port)) {
      for (const [method, path, text] of [
        ['POST', '/a/alice', body],
        ['POST', '/a2a', body],
        ['POST', '/a/nobody', body],
        ['POST', '/v1/register', register],
        ['GET', '/v1/inbox/events?desk_id=d', ''],
        ['GET', '/a/alice', ''],
        ['GET', '/.well-known/agent-card.json', ''],
        ['GET', '/healthz', ''],
        ['GET', '/nothing', ''],
        ['OPTIONS', '/a2a', ''],
        ['PUT', '/a2a', ''],
      ] as const) {
        const answer = await ask(method, path, { ...whole, ...page, host }, text);
        expect([host, method, path, answer.status]).toEqual([host, method, path, 403]);
        expect(answer.body).toContain('HOST_NOT_ALLOWED');
      }
    }
  });

  test('beside one of the relay’s own is refused, whichever comes first', async () => {
    const own = `127.0.0.1:${relay.port}`;
    for (const hosts of [
      [own, 'evil.example'],
      ['evil.example', own],
      [own, own],
    ]) {
      for (const [method, path] of [
        ['GET', '/healthz'],
        ['POST', '/a/alice'],
        ['GET', '/nothing'],
        ['OPTIONS', '/a2a'],
        ['HEAD', '/a/alice'],
      ] as const) {
        const connection = await RawConnection.open(relay.port);
        const { host: _, ...headers } = headersOf(frank);
        const [first = '', second = ''] = hosts;
        connection.write(
          rawRequest(method, path, { host: first, HOST: second, ...headers }, method === 'POST' ? body : ''),
        );
        const answer = await connection.answer(method);
        expect([hosts, method, path, answer?.status]).toEqual([hosts, method, path, 400]);
        expect(answer?.body).toContain(method === 'HEAD' ? '' : 'INVALID_REQUEST');
        connection.destroy();
      }
    }
  });

  test('in the target is refused, whatever the Host header says', async () => {
    const { host = '' } = headersOf(frank);
    for (const target of [
      'http://evil.example',
      'http://evil.example/healthz',
      `https://evil.example:${relay.port}/healthz`,
      'HTTP://evil.example?x=1',
      `http://${host}@evil.example/healthz`,
    ]) {
      expect([target, (await ask('GET', target, { host })).status]).toEqual([target, 403]);
    }
    expect((await ask('POST', 'http://evil.example/a/alice', headersOf(frank), body)).status).toBe(403);
  });

  test('in the Host header counts for nothing where the target has the right one (RFC 9112 section 3.2.2)', async () => {
    const { host = '', authorization = '' } = headersOf(frank);
    expect((await ask('GET', `http://${host}/healthz`, { host })).status).toBe(200);
    expect(
      (await ask('GET', `HTTP://LOCALHOST:${relay.port}/healthz?a=http://b/`, { host: 'evil.example' })).status,
    ).toBe(200);
    const events = `http://${host}/v1/tasks/unknown/events?limit=1`;
    expect((await ask('GET', events, { host, authorization })).body).toContain('TASK_NOT_FOUND');
    // no target has a host here
    expect((await ask('GET', '/healthz?http://evil.example/', { host })).status).toBe(200);
    expect((await ask('GET', '/http://evil.example/', { host })).status).toBe(404);
  });

  test('on an endpoint is an error in its own form', async () => {
    const answer = await frank.rpc('ListTasks', {}, { headers: { host: 'evil.example' } });
    expect(reasonOf(readError(answer, { id: null }, 403))).toBe('HOST_NOT_ALLOWED');
  });

  test('no name at all is refused', async () => {
    const { host: _, ...headers } = headersOf(frank);
    expect((await ask('POST', '/a/alice', headers, body)).status).toBe(400);
    const connection = await RawConnection.open(relay.port);
    connection.write(`GET /a/alice HTTP/1.0\r\n\r\n`);
    expect((await connection.answer())?.status).toBe(403);
  });

  test('the names of loopback, and the public one, are the relay’s own', async () => {
    for (const name of ['127.0.0.1', 'localhost', 'LocalHost', '[::1]']) {
      expect((await ask('GET', '/healthz', { host: `${name}:${relay.port}` })).status).toBe(200);
    }
    const shared = await relayForTest({ publicUrl: 'https://relay.acme.example' });
    const mia = await shared.agent('mia');
    const health = (host: string) => mia.http('GET', '/healthz', { headers: { host } });
    expect((await health('relay.acme.example')).status).toBe(200);
    expect((await health(`127.0.0.1:${shared.port}`)).status).toBe(200);
    expect((await health('acme.example')).status).toBe(403);
  });
});

test('a page that was given a key may use it from any origin: it is the key that counts', async () => {
  const answer = await frank.rpc('ListTasks', {}, { headers: page });
  expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([200, '*']);
  expect(answer.headers['access-control-allow-credentials']).toBeUndefined();
});
