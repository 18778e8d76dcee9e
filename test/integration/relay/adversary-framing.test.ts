import { deepStrictEqual } from 'node:assert';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { EXTENSION_URI } from '../../../relay/contract/handoff.ts';
import { headersOf, message, rpcBody } from '../../support/a2a-client.ts';
import { faultLog } from '../../support/fault-log.ts';
import { frankAndAlice } from '../../support/frank-and-alice.ts';
import { RawConnection, rawRequest, type RawAnswer } from '../../support/raw-connection.ts';
import { stillServes } from '../../support/still-serves.ts';

/** Requests that two readers could read in two ways: where one ends and the next begins, which path, which member. */

const { logger, faults } = faultLog();
const { relay, frank, alice } = await frankAndAlice({ logger, registration: 'open' });

let before: Record<string, number>;
beforeEach(() => {
  before = relay.rows();
});
// whatever a test of these sends, nothing of it is stored, and nothing of it is a fault of ours
afterEach(() => {
  deepStrictEqual(relay.rows(), before);
  deepStrictEqual(faults, []);
});

/** All answers on one connection to some bytes, until the relay closes it or `limit` have come. */
async function answersTo(bytes: string | Uint8Array, limit: number): Promise<readonly RawAnswer[]> {
  const connection = await RawConnection.open(relay.port);
  connection.write(bytes);
  const answers: RawAnswer[] = [];
  while (answers.length < limit) {
    const answer = await connection.answer();
    if (answer === undefined) break;
    answers.push(answer);
  }
  connection.destroy();
  return answers;
}

describe('a request in a request', () => {
  const host = (): string => `127.0.0.1:${relay.port}`;
  const head = (): string =>
    `POST /a/alice HTTP/1.1\r\nHost: ${host()}\r\nAuthorization: Bearer ${frank.apiKey}\r\nContent-Type: application/json\r\nA2A-Version: 1.0\r\n`;
  /** What an attacker wants to be read as a request of its own. */
  const hidden = (): string =>
    rawRequest('POST', '/a/alice', headersOf(frank), rpcBody('SendMessage', message('hidden'))).toString();

  test.each([
    ['a length beside chunks', 'Content-Length: 4\r\nTransfer-Encoding: chunked\r\n', '0\r\n\r\n'],
    ['chunks beside a length', 'Transfer-Encoding: chunked\r\nContent-Length: 6\r\n', '0\r\n\r\n'],
    ['two lengths', 'Content-Length: 0\r\nContent-Length: 9\r\n', ''],
    ['one length twice', 'Content-Length: 0\r\nContent-Length: 0\r\n', ''],
    ['lengths in a list', 'Content-Length: 0, 9\r\n', ''],
    ['a length with a sign', 'Content-Length: +0\r\n', ''],
    ['a length in hexadecimal', 'Content-Length: 0x0\r\n', ''],
    ['a length of many digits', 'Content-Length: 99999999999999999999\r\n', ''],
    ['a space before the colon', 'Transfer-Encoding : chunked\r\n', '0\r\n\r\n'],
    ['a folded line', 'X-A: b\r\n Transfer-Encoding: chunked\r\n', '0\r\n\r\n'],
    ['a folded length', 'Content-Length:\r\n 0\r\n', ''],
    ['an unknown coding', 'Transfer-Encoding: xchunked\r\n', '0\r\n\r\n'],
    ['chunks that are not last', 'Transfer-Encoding: chunked, identity\r\n', '0\r\n\r\n'],
    ['two codings', 'Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n', '0\r\n\r\n'],
    ['a coding behind a vertical tab', 'Transfer-Encoding: \u000bchunked\r\n', '0\r\n\r\n'],
    ['a line end that is none', 'Content-Length: 0\n', ''],
    ['a lone carriage return', 'X-A: b\rContent-Length: 0\r\n', ''],
    ['a null', 'X-A: \0\r\nContent-Length: 0\r\n', ''],
    ['a chunk of no size', 'Transfer-Encoding: chunked\r\n', '\r\n\r\n'],
    ['a chunk of a negative size', 'Transfer-Encoding: chunked\r\n', '-1\r\n\r\n'],
    ['a chunk larger than any', 'Transfer-Encoding: chunked\r\n', 'fffffffffffffffff\r\n'],
    ['a chunk whose end is not there', 'Transfer-Encoding: chunked\r\n', '1\r\nxx0\r\n\r\n'],
    ['a chunk that ends in a line feed', 'Transfer-Encoding: chunked\r\n', '0\n\n'],
  ])('behind %s is not read as one', async (_, headers, body) => {
    const answers = await answersTo(`${head()}${headers}\r\n${body}${hidden()}`, 3);
    expect(answers.length).toBeLessThanOrEqual(2);
    for (const answer of answers) {
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.body).not.toContain('"task"');
    }
    await stillAnswers();
  });

  test('in the body of GET, or of HEAD, is a body', async () => {
    for (const method of ['GET', 'HEAD', 'OPTIONS']) {
      const inside = hidden();
      const outer = `${method} /healthz HTTP/1.1\r\nHost: ${host()}\r\nContent-Length: ${Buffer.byteLength(inside)}\r\n\r\n${inside}`;
      const connection = await RawConnection.open(relay.port);
      connection.write(outer);
      await connection.answer(method);
      // the next answer on this connection is that to the next request
      connection.write(rawRequest('GET', '/readyz', { host: host() }));
      const next = await connection.answer();
      expect(next === undefined || next.body.includes('"ready"')).toBe(true);
      connection.destroy();
    }
  });

  test('behind an upgrade is not read in another protocol', async () => {
    for (const upgrade of ['h2c', 'websocket', 'TLS/1.0']) {
      const bytes = `GET /healthz HTTP/1.1\r\nHost: ${host()}\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: ${upgrade}\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n`;
      const [answer] = await answersTo(bytes, 1);
      expect([upgrade, answer?.status]).toEqual([upgrade, 200]);
    }
    const [preface] = await answersTo('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 1);
    expect(preface?.status ?? 400).toBe(400);
  });

  test('in a header of CONNECT or TRACE is no request', async () => {
    for (const line of [`CONNECT ${host()} HTTP/1.1`, 'TRACE /a/alice HTTP/1.1']) {
      const answers = await answersTo(`${line}\r\nHost: ${host()}\r\nX-Secret: s3cr3t\r\n\r\n`, 1);
      for (const { status, body } of answers) {
        expect(status).toBeGreaterThanOrEqual(400);
        expect(body).not.toContain('s3cr3t');
      }
    }
  });

  async function stillAnswers(): Promise<void> {
    expect((await frank.http('GET', '/healthz')).status).toBe(200);
  }
});

describe('a path', () => {
  test.each([
    '/a/../admin/agents',
    '/a/%2e%2e/admin/agents',
    '/a/%2e%2e%2fadmin%2fagents',
    '/a/%252e%252e/admin/agents',
    '/a/..%5cadmin%5cagents',
    '/a/alice/../../metrics',
    '//a/alice',
    '///healthz',
    '/a//alice',
    '/a/alice//tasks',
    '/./a/alice',
    '/a/./alice',
    '/a/alice/.',
    '/a/alice%2f..%2ffrank',
    '/a/alice%00',
    '/a/alice%00.json',
    '/a/%00alice',
    '/a/alice.',
    '/a/alice..',
    '/a/alice%20',
    '/a/alice%0d%0aX-Injected:%201',
    '/a/alice;v=1',
    '/a/alice%3fx',
    '/a/alice%23x',
    '/a/%61lice%252f',
    '/A/alice',
    '/a/alice/agent-card.json/',
    '/a/alice/agent-card.json%00',
    '/.well-known/../relay.db',
    '/.well-known/%2e%2e/relay.db',
    '/..%2f..%2f..%2fetc%2fpasswd',
    '/v1/../relay.db',
    '/v1/tasks/..%2f..%2fkeys/events',
  ])('%s leads nowhere else than it says', async (path) => {
    for (const method of ['GET', 'POST', 'DELETE']) {
      const [answer] = await answersTo(rawRequest(method, path, { host: `127.0.0.1:${relay.port}` }), 1);
      const { status = 0, headers = new Map<string, string>(), body = '' } = answer ?? {};
      const isCard = status === 200 && body.includes('"skills"');
      // what is not a path of ours, or wants a key; the card of the very agent at its own address
      expect([path, method, isCard || [400, 401, 404, 405].includes(status), status]).toEqual([
        path,
        method,
        true,
        status,
      ]);
      if (isCard) expect(body).toContain('/a/alice');
      expect(headers.has('x-injected')).toBe(false);
      expect(body).not.toMatch(/SQLite|root:|agentrelay_/);
    }
  });

  test('that is as long as a head may be is refused like a short one', async () => {
    const long = `/a/${'x'.repeat(15_000)}`;
    const [answer] = await answersTo(rawRequest('GET', long, { host: `127.0.0.1:${relay.port}` }), 1);
    expect(answer?.status).toBe(404);
    expect(answer?.body.length).toBeLessThan(1500);
    const [tooLong] = await answersTo(rawRequest('GET', long.repeat(2), { host: `127.0.0.1:${relay.port}` }), 1);
    expect(tooLong?.status).toBe(431);
  });
});

describe('a key that every object has', () => {
  const POISONS = [
    '{"__proto__":{"polluted":1}}',
    '{"constructor":{"prototype":{"polluted":1}}}',
    '{"a":{"__proto__":{"polluted":1}}}',
    '{"a":[{"__proto__":{"polluted":1}}]}',
    '{"__proto__":null}',
    '{"\\u005f_proto__":{"polluted":1}}',
    '{"toString":1,"valueOf":1,"hasOwnProperty":1,"then":1,"toJSON":1}',
  ];
  const ROUTES: readonly (readonly [method: string, path: string])[] = [
    ['POST', '/v1/register'],
    ['PUT', '/v1/agents/me/card'],
    ['POST', '/v1/contacts'],
    ['POST', '/v1/blocks'],
    ['POST', '/v1/receipts'],
    ['POST', '/v1/leases'],
    ['POST', '/v1/keys'],
    ['POST', '/v1/invites/redeem'],
    ['POST', '/a/alice/message:send'],
    ['POST', '/a/alice/tasks/none:cancel'],
    ['POST', '/a2a'],
  ];

  test.each(ROUTES)('is in no body of %s %s anything but a key', async (method, path) => {
    for (const poison of POISONS) {
      const headers = { 'content-type': 'application/json', 'a2a-version': '1.0' };
      const { status, body } = await frank.http(method, path, { headers, body: poison });
      expect([poison, status < 500, body.length > 0]).toEqual([poison, true, true]);
      if (poison.includes('proto__')) expect([poison, body]).toEqual([poison, expect.stringContaining('error')]);
      expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
    }
  });

  test('is in no call anything but a key', async () => {
    for (const poison of POISONS) {
      for (const [method, params] of [
        [
          'SendMessage',
          `{"message":{"messageId":"p","role":"ROLE_USER","parts":[{"text":"x"}],"taskId":"none","metadata":${poison}}}`,
        ],
        ['SendMessage', `{"message":${poison}}`],
        [
          'SendMessage',
          `{"message":{"messageId":"p","role":"ROLE_USER","parts":[{"data":${poison}}],"taskId":"none"}}`,
        ],
        ['tasks/update', `{"task_id":"none","metadata":{"${EXTENSION_URI}":${poison}}}`],
        ['tasks/update', poison],
        ['GetTask', poison],
      ] as const) {
        const body = `{"jsonrpc":"2.0","id":1,"method":"${method}","params":${params}}`;
        const headers = { 'content-type': 'application/json', 'a2a-version': '1.0' };
        const answer = await frank.http('POST', '/a/alice', { headers, body });
        expect([answer.status, answer.body]).toEqual([200, expect.stringContaining('"error"')]);
        expect('polluted' in {}).toBe(false);
      }
    }
  });

  test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf'])(
    'as a method, a handle, a query or a header, %s is nothing special',
    async (name) => {
      expect((await frank.fail(name, {})).code).toBe(-32601);
      expect((await frank.http('GET', `/a/${name}`)).status).toBe(404);
      expect((await frank.http('GET', `/v1/directory?${name}=1&${name}[x]=1`)).status).toBe(200);
      expect((await frank.http('GET', '/healthz', { headers: { [name]: 'x' } })).status).toBe(200);
      expect((await frank.http('GET', `/${name}`)).status).toBe(404);
    },
  );
});

describe('a member that is there twice', () => {
  const twice = (first: string, second: string): string =>
    `{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{"message":{"messageId":"d","role":"ROLE_USER","parts":[{"text":"x"}]},"recipient":${first},"recipient":${second}}}`;

  test('is what its last one says, for every reader of it: nobody is checked that is not meant', async () => {
    const headers = { 'content-type': 'application/json', 'a2a-version': '1.0' };
    const toNobody = await frank.http('POST', '/a2a', { headers, body: twice('"alice"', '"nobody"') });
    expect(toNobody.body).toContain('RECIPIENT_NOT_FOUND');
    const inPath = await frank.http('POST', '/a/alice', { headers, body: twice('"alice"', '"frank"') });
    expect(inPath.body).toContain('"error"');
    const method = `{"jsonrpc":"2.0","id":1,"method":"ListTasks","method":"Nothing","params":{}}`;
    expect((await frank.http('POST', '/a2a', { headers, body: method })).body).toContain('-32601');
  });

  test('of a registration is one name', async () => {
    const answer = await frank.http('POST', '/v1/register', {
      headers: { 'content-type': 'application/json' },
      body: '{"handle":"new-one","handle":"alice"}',
    });
    expect(answer.body).toContain('HANDLE_TAKEN');
  });
});

test('and everybody else is served as before', async () => {
  await expect(stillServes(frank, alice)).resolves.toBeUndefined();
  // that was meant to be stored
  before = relay.rows();
});
