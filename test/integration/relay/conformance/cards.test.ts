import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AgentCard } from '../../../../relay/contract/a2a.ts';
import type { JsonObject } from '../../../../relay/contract/json.ts';
import { EXTENSION_URI } from '../../../../relay/contract/handoff.ts';
import { assertAgentCard } from '../../../support/a2a-1.0-schema.ts';
import { message, type A2aClient } from '../../../support/a2a-client.ts';
import { relayForTest, startRelay, type TestRelay } from '../../../support/relay.ts';
import { sourcesOf } from './requirements/titles.ts';

/** Agent Cards at all their addresses (A2A 1.0.1 sections 8.2, 8.6 and 14.3), for anybody, and CORS. */

let relay: TestRelay;
let frank: A2aClient;

beforeAll(async () => {
  // all cards are some seconds old: dates have no smaller part, so that a younger one is sent anew
  let ago = 10_000;
  relay = await startRelay({ version: '1.2.3', clock: () => Date.now() - ago });
  await relay.agent('alice', {
    displayName: 'Älice',
    role: 'frontend',
    skills: ['react'],
    repos: ['github.com/acme/web'],
  });
  frank = await relay.agent('frank');
  ago = 0;
});
afterAll(() => relay.close());

const get = (path: string, headers: Record<string, string | undefined> = {}, method = 'GET') =>
  frank.http(method, path, { headers: { authorization: undefined, ...headers } });

const ALICE = [
  '/?id=alice',
  '/.well-known/agent-card.json?id=alice',
  '/.well-known/agent-card.json?id=alice@acme',
  '/.well-known/agent-card.json?id=alice%40acme',
  '/a2a?id=alice',
  '/a2a/?id=alice%40acme',
  '/a/alice',
  '/a/alice/',
  '/a/ALICE',
  '/a/alice%40acme',
  '/a2a/alice',
  '/a/alice/agent-card.json',
  '/a/alice@acme/agent-card.json',
  '/a/alice/.well-known/agent-card.json',
  '/a2a/alice/agent-card.json',
  '/a2a/alice/.well-known/agent-card.json',
];
const GUIDE = [
  '/.well-known/agent-card.json',
  '/.well-known/agent-card.json?id=guide@acme',
  '/a/guide',
  '/a2a',
  '/a2a/',
  '/',
];
/** The same, where only clients of before 1.0 look. */
const OLD = [
  ['/.well-known/agent.json', '/a2a'],
  ['/.well-known/agent.json?id=alice', '/a/alice'],
  ['/a/alice/.well-known/agent.json', '/a/alice'],
  ['/a2a/alice/.well-known/agent.json', '/a/alice'],
] as const;

describe.each([
  ['alice’s', ALICE, 'Älice', '/a/alice'],
  ['the guide’s', GUIDE, 'acme guide', '/a2a'],
] as const)('%s card', (_, paths, name, endpoint) => {
  test('is the same at every address, exact to the schema, and names an endpoint that answers', async () => {
    const headers = { 'a2a-version': '1.0' };
    const [first, ...others] = await Promise.all(paths.map((path) => get(path, headers)));
    if (first === undefined) throw new Error('no address');
    for (const other of others)
      expect([other.status, other.body, other.headers.etag]).toEqual([200, first.body, first.headers.etag]);
    const card: unknown = JSON.parse(first.body);
    assertAgentCard(card);
    expect(card.name).toBe(name);
    const url = `${relay.url}${endpoint}`;
    expect(card.supportedInterfaces).toEqual([
      { url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
      { url, protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' },
      { url, protocolBinding: 'JSONRPC', protocolVersion: '0.3' },
    ]);
    expect(card.capabilities).toMatchObject({ streaming: true, pushNotifications: true, extendedAgentCard: true });
    expect(card.capabilities.extensions).toMatchObject([{ uri: EXTENSION_URI, required: false }]);
    const { pathname } = new URL(card.supportedInterfaces[0]?.url ?? '');
    await frank.call('SendMessage', message(`to ${name}`), { at: pathname });
  });

  test(`can be cached, and is confirmed without a byte of it (A2A ${sourcesOf(['8.6-1', '8.6.1-1', '8.6.1-2', '8.6.1-3'])})`, async () => {
    for (const path of paths) {
      const { headers, body } = await get(path);
      expect(headers['content-type']).toMatch(/^application\/json/);
      expect(headers['cache-control']).toMatch(/max-age=\d+/);
      expect(headers.etag).toMatch(/^"[\w-]+"$/);
      expect(Date.parse(headers['last-modified'] ?? '')).not.toBeNaN();
      expect(headers['content-length']).toBe(String(Buffer.byteLength(body)));
      expect(headers.vary).toMatch(/A2A-Version/i);
      const { etag = '', 'last-modified': modified = '' } = headers;
      for (const condition of [
        { 'if-none-match': etag },
        { 'if-none-match': `W/${etag}` },
        { 'if-none-match': `"x", ${etag}` },
        { 'if-none-match': '*' },
        { 'if-modified-since': modified },
        { 'if-none-match': etag, 'if-modified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' },
      ]) {
        for (const method of ['GET', 'HEAD']) {
          const again = await get(path, condition, method);
          expect([again.status, again.body, again.headers.etag]).toEqual([304, '', etag]);
        }
      }
      for (const condition of [
        { 'if-none-match': '"x"' },
        { 'if-none-match': '"x"', 'if-modified-since': modified },
        { 'if-modified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' },
        { 'if-modified-since': 'garbage' },
      ]) {
        expect((await get(path, condition)).status).toBe(200);
      }
    }
  });

  test('has for HEAD the headers of GET, and no body', async () => {
    for (const path of paths) {
      const [head, whole] = [await get(path, {}, 'HEAD'), await get(path)];
      const { date: _a, ...headHeaders } = head.headers;
      const { date: _b, ...wholeHeaders } = whole.headers;
      expect([head.status, head.body, headHeaders]).toEqual([200, '', wholeHeaders]);
    }
  });

  test('is for pages of any origin, asked for before or not', async () => {
    for (const path of paths) {
      const origin = { origin: 'https://elsewhere.example' };
      const answer = await get(path, origin);
      expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([200, '*']);
      expect(answer.headers['access-control-allow-credentials']).toBeUndefined();
      expect(answer.headers['access-control-expose-headers']).toMatch(/ETag/);
      const preflight = await get(
        path,
        { ...origin, 'access-control-request-method': 'GET', 'access-control-request-headers': 'a2a-version' },
        'OPTIONS',
      );
      expect([preflight.status, preflight.body]).toEqual([204, '']);
      expect(preflight.headers['access-control-allow-origin']).toBe('*');
      expect(preflight.headers['access-control-allow-methods']).toMatch(/\bGET\b/);
      expect(preflight.headers['access-control-allow-headers']).toMatch(/\bA2A-Version\b/);
    }
  });
});

describe('the form of a card', () => {
  const json = async (path: string, headers: Record<string, string | undefined> = {}) => {
    const answer = await get(path, headers);
    expect([path, answer.status]).toEqual([path, 200]);
    return JSON.parse(answer.body) as JsonObject;
  };

  test('is that of the version that is asked for, by header or in the query', async () => {
    for (const version of ['1.0', '1.0.3']) assertAgentCard(await json('/a/alice', { 'a2a-version': version }));
    assertAgentCard(await json('/a/alice/agent-card.json?A2A-Version=1.0'));
    for (const version of ['0.3', '0.2', '0.1']) {
      const card = await json('/a/alice', { 'a2a-version': version });
      expect(card).toMatchObject({ url: `${relay.url}/a/alice`, protocolVersion: '0.3.0' });
      expect(card).not.toHaveProperty('supportedInterfaces');
    }
  });

  // https://github.com/a2aproject/a2a-java/issues/571
  test('has the members of all generations, and ours, where none is asked for', async () => {
    const [pure, hybrid] = [await json('/a/alice', { 'a2a-version': '1.0' }), await json('/a/alice')];
    expect(hybrid).toMatchObject({
      supportedInterfaces: pure['supportedInterfaces'],
      signatures: pure['signatures'],
      url: `${relay.url}/a/alice`,
      id: 'alice@acme',
      endpoint: `${relay.url}/a/alice`,
      metadata: { role: 'frontend', repos_owned: ['github.com/acme/web'] },
    });
    const guide = await json('/');
    expect(guide).toMatchObject({ id: 'guide@acme', endpoint: `${relay.url}/a2a` });
    expect(await json('/.well-known/agent-card.json?id=guide@acme')).toEqual(guide);
  });

  // https://github.com/a2aproject/a2a-inspector/issues/86
  test.each(OLD)('is that of 0.3 at %s, whatever is asked for', async (path, endpoint) => {
    const [plain, asked] = [await get(path), await get(path, { 'a2a-version': '1.0' })];
    expect(asked.body).toBe(plain.body);
    expect(JSON.parse(plain.body)).toMatchObject({ url: `${relay.url}${endpoint}`, preferredTransport: 'JSONRPC' });
  });

  test('has skills as names in our own format', async () => {
    for (const path of ['/.well-known/agent-card.json?id=alice@acme&format=agentrelay', '/a/alice?format=agentrelay']) {
      expect(await json(path, { 'a2a-version': '1.0' })).toMatchObject({ id: 'alice@acme', skills: ['react'] });
    }
  });

  test('is part of what a copy is known by', async () => {
    const answers = await Promise.all([
      get('/a/alice'),
      get('/a/alice', { 'a2a-version': '1.0' }),
      get('/a/alice', { 'a2a-version': '0.3' }),
      get('/a/alice?format=agentrelay'),
    ]);
    const tags = answers.map(({ headers }) => headers.etag ?? '');
    expect(new Set(tags).size).toBe(4);
    const crossed = await get('/a/alice', { 'a2a-version': '1.0', 'if-none-match': tags[0] });
    expect(crossed.status).toBe(200);
  });

  test.each([
    ['/a/alice', { 'a2a-version': '99.0' }, 'VERSION_NOT_SUPPORTED'],
    ['/a2a', { 'a2a-version': 'latest' }, 'VERSION_NOT_SUPPORTED'],
    ['/.well-known/agent-card.json?id=alice&A2A-Version=2.0', {}, 'VERSION_NOT_SUPPORTED'],
    ['/a/alice?format=yaml', {}, 'INVALID_PARAMS'],
  ])('%s with %j is none: %s', async (path, headers, reason) => {
    const { status, body } = await get(path, headers);
    expect(status).toBe(400);
    expect(JSON.parse(body)).toMatchObject({
      error: { details: expect.arrayContaining([expect.objectContaining({ reason })]) },
    });
  });

  test('is 1.0 where the relay is strict and nothing is asked for', async () => {
    const strict = await relayForTest({ strictCards: true });
    const mia = await strict.agent('mia');
    assertAgentCard(JSON.parse((await mia.http('GET', '/a/mia')).body));
    expect(JSON.parse((await mia.http('GET', '/a/mia/.well-known/agent.json')).body)).toHaveProperty('url');
  });

  test.each(['1.0', '0.3', undefined])('says nothing that is the owner’s own business, under %s', async (version) => {
    const { body } = await get('/a/alice', { 'a2a-version': version });
    expect(body).not.toMatch(/ar_|session|secret|"kind"|listed/);
  });
});

test('the key that cards are signed with is public, in the set that they name', async () => {
  const { signatures = [] } = JSON.parse((await get('/a/alice')).body) as AgentCard;
  for (const { protected: header } of signatures) {
    const { jku, kid } = JSON.parse(Buffer.from(header, 'base64url').toString()) as { jku: string; kid: string };
    const { headers, body } = await get(new URL(jku).pathname);
    expect(headers['content-type']).toMatch(/^application\/jwk-set\+json/);
    expect(JSON.parse(body)).toEqual({
      keys: [expect.objectContaining({ kty: 'OKP', crv: 'Ed25519', kid, alg: 'EdDSA' })],
    });
    expect(body).not.toContain('"d"');
    expect(kid).toBe(relay.relay.id);
  }
  expect(signatures).toHaveLength(2);
});

test.each([
  '/.well-known/agent-card.json?id=',
  '/.well-known/agent-card.json?id=nobody',
  '/.well-known/agent-card.json?id=alice@other',
  '/.well-known/agent-card.json?id=alice&id=alice',
  '/a2a?id=',
  '/a2a?id=nobody',
  '/a2a/?id=alice&id=alice',
  '/a/nobody',
  '/a/nobody/agent-card.json',
  '/a/__proto__/agent-card.json',
  '/a2a/nobody',
  `/a/${'x'.repeat(5000)}/agent-card.json`,
])('%s is no card', async (path) => {
  const { status, body } = await get(path);
  expect(status).toBe(404);
  expect(JSON.parse(body)).toMatchObject({
    error: { code: 404, status: 'NOT_FOUND', details: [{ reason: 'ROUTE_NOT_FOUND' }] },
  });
});

describe('methods', () => {
  const PATHS: readonly (readonly [path: string, allowed: readonly string[]])[] = [
    ['/', ['GET', 'HEAD', 'OPTIONS', 'POST']],
    ['/a2a', ['GET', 'HEAD', 'OPTIONS', 'POST']],
    ['/a2a/', ['GET', 'HEAD', 'OPTIONS', 'POST']],
    ['/a/alice', ['GET', 'HEAD', 'OPTIONS', 'POST']],
    ['/a2a/alice', ['GET', 'HEAD', 'OPTIONS', 'POST']],
    ['/a/alice/agent-card.json', ['GET', 'HEAD', 'OPTIONS']],
    ['/.well-known/agent-card.json', ['GET', 'HEAD', 'OPTIONS']],
    ['/v1/receipts', ['OPTIONS', 'POST']],
    ['/v1/directory', ['GET', 'HEAD', 'OPTIONS']],
    ['/v1/agents/me/card', ['OPTIONS', 'PUT']],
    ['/v1/register', ['OPTIONS', 'POST']],
    ['/v1/inbox/events', ['GET', 'OPTIONS']],
    ['/v1/tasks/x/events', ['GET', 'HEAD', 'OPTIONS']],
    ['/healthz', ['GET', 'HEAD', 'OPTIONS']],
  ];

  test.each(PATHS)('%s says which it has, before it looks at a key or a body', async (path, allowed) => {
    const list = (header: string | undefined) => header?.split(', ').toSorted();
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((m) => !allowed.includes(m))) {
      const answer = await frank.http(method, path, {
        headers: { authorization: undefined },
        ...(method !== 'HEAD' && { body: 'x'.repeat(2 ** 16) }),
      });
      expect([method, answer.status, list(answer.headers.allow)]).toEqual([method, 405, allowed]);
      if (method !== 'HEAD')
        expect(JSON.parse(answer.body)).toMatchObject({ error: { details: [{ reason: 'METHOD_NOT_ALLOWED' }] } });
    }
    const preflight = await get(
      path,
      { origin: 'https://elsewhere.example', 'access-control-request-method': 'POST' },
      'OPTIONS',
    );
    expect([preflight.status, list(preflight.headers.allow)]).toEqual([204, allowed]);
    expect(list(preflight.headers['access-control-allow-methods'])).toEqual(allowed);
    for (const name of ['Authorization', 'Content-Type', 'A2A-Version', 'A2A-Extensions', 'Last-Event-ID']) {
      expect(preflight.headers['access-control-allow-headers']).toContain(name);
    }
  });
});
