import { randomBytes } from 'node:crypto';
import { request as httpRequest, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startWindowServer, type WindowServer } from '../../../main/browser/window-server.ts';
import { StartError } from '../../../main/start-error.ts';
import { RelayError } from '../../../relay/contract/reasons.ts';
import { builtWindow } from '../../support/built-window.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { scriptedDesk, type ScriptedDesk } from './scripted-desk.ts';

const JSON_TYPE = { 'content-type': 'application/json' };

interface SetUp {
  readonly desk: ScriptedDesk;
  readonly server: WindowServer;
  readonly time: { now: number };
}

async function setUp(desk = scriptedDesk(), heartbeatMs?: number, port?: number): Promise<SetUp> {
  const time = { now: 0 };
  const server = await startWindowServer({
    desk,
    root: builtWindow(),
    logger: pino({ level: 'silent' }),
    clock: () => time.now,
    random: randomBytes,
    ...(heartbeatMs !== undefined && { heartbeatMs }),
    ...(port !== undefined && { port }),
  });
  onTestFinished(() => server.close());
  return { desk, server, time };
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** One request as written: fetch would not let a test say any Host or Origin that it likes. */
async function send(
  server: WindowServer,
  method: string,
  path: string,
  headers: OutgoingHttpHeaders = {},
  body?: string,
): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
  const request = httpRequest(server.url, { method, path, headers: { ...headers, ...length } }, resolve);
  request.once('error', reject);
  request.end(body);
  const response = await promise;
  return { status: response.statusCode ?? 0, headers: response.headers, body: await text(response) };
}

const reasonOf = (answer: Answer): string => (JSON.parse(answer.body) as { error: { reason: string } }).error.reason;
const tokenOf = (address: string): string => new URL(address).hash.slice(1);

/** A browser that came with a fresh address: what it sends with each request. */
async function enter(server: WindowServer): Promise<OutgoingHttpHeaders> {
  const own = { ...JSON_TYPE, origin: server.url };
  const answer = await send(server, 'POST', '/session', own, JSON.stringify({ token: tokenOf(server.open()) }));
  expect(answer.status).toBe(200);
  return { ...own, cookie: answer.headers['set-cookie']?.[0]?.split(';')[0] ?? '' };
}

describe('the files of the window', () => {
  it('are there for everybody who asks by the right name', async () => {
    const { server } = await setUp();
    const page = await send(server, 'GET', '/');
    expect(page).toMatchObject({ status: 200, body: '<!doctype html><title>AgentRelay</title>' });
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    expect((await send(server, 'GET', '/assets/app-1a2b3c4d.js')).headers['content-type']).toBe(
      'text/javascript; charset=utf-8',
    );
  });

  it('carry a policy that lets nothing in and nothing out', async () => {
    const { headers } = await send((await setUp()).server, 'GET', '/');
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';/);
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(headers['content-security-policy']).not.toMatch(/unsafe|\*|https?:/);
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
    });
  });

  it('are kept by a browser where their name says what is in them, and only there', async () => {
    const { server } = await setUp();
    expect((await send(server, 'GET', '/')).headers['cache-control']).toBe('no-store');
    expect((await send(server, 'GET', '/index.html')).headers['cache-control']).toBe('no-store');
    expect((await send(server, 'GET', '/assets/app-1a2b3c4d.js')).headers['cache-control']).toMatch(/immutable/);
  });

  it.each([
    '/../secret.json',
    '/%2e%2e/secret.json',
    '/..%2fsecret.json',
    '/assets/../../secret.json',
    '/link.json',
    '/assets/app-1a2b3c4d.js.map',
    '/assets',
    '/assets/',
    '//evil.example/',
    '/%00',
    '/%',
  ])('are all that is served: not %s', async (path) => {
    const answer = await send((await setUp()).server, 'GET', path);
    expect(answer.status).toBe(404);
    expect(answer.headers['content-security-policy']).toBeDefined();
  });

  it('must have been built', async () => {
    const start = startWindowServer({
      desk: scriptedDesk(),
      root: join(tempDir(), 'renderer'),
      logger: pino({ level: 'silent' }),
      clock: () => 0,
      random: randomBytes,
    });
    await expect(start).rejects.toThrow(StartError);
    await expect(start).rejects.toThrow(/npm run build/);
  });
});

describe('an address of the window', () => {
  it('keeps its token in the fragment, which no server sees', async () => {
    const { server } = await setUp();
    expect(server.open()).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#[\w-]{43}$/);
    expect(server.open()).not.toBe(server.open());
  });

  it('gives a cookie that no script reads and no other site sends', async () => {
    const { server } = await setUp();
    const body = JSON.stringify({ token: tokenOf(server.open()) });
    const answer = await send(server, 'POST', '/session', { ...JSON_TYPE, origin: server.url }, body);
    expect(answer.headers['set-cookie']).toEqual([
      expect.stringMatching(/^agentrelay-\d+=[\w-]{43}; Path=\/desk; HttpOnly; SameSite=Strict$/),
    ]);
  });

  it('lets one browser in, once', async () => {
    const { server } = await setUp();
    const own = { ...JSON_TYPE, origin: server.url };
    const body = JSON.stringify({ token: tokenOf(server.open()) });
    expect((await send(server, 'POST', '/session', own, body)).status).toBe(200);
    const replayed = await send(server, 'POST', '/session', own, body);
    expect(replayed.status).toBe(401);
    expect(reasonOf(replayed)).toBe('UNAUTHENTICATED');
    expect(replayed.headers['set-cookie']).toBeUndefined();
  });

  it('is good for ten minutes', async () => {
    const { server, time } = await setUp();
    const body = JSON.stringify({ token: tokenOf(server.open()) });
    time.now += 10 * 60_000 + 1;
    expect((await send(server, 'POST', '/session', { ...JSON_TYPE, origin: server.url }, body)).status).toBe(401);
  });

  it.each(['{}', '{"token":""}', '{"token":7}', '{"token":"guess"}', '[]', 'null'])('is not %s', async (body) => {
    const { server } = await setUp();
    expect((await send(server, 'POST', '/session', { ...JSON_TYPE, origin: server.url }, body)).status).toBe(401);
  });
});

describe('the window', () => {
  it('calls the desk as the human', async () => {
    const { desk, server } = await setUp(scriptedDesk(() => ({ url: 'x' })));
    const answer = await send(server, 'POST', '/desk/openWindow', await enter(server), '{}');
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.body)).toEqual({ ok: true, value: { url: 'x' } });
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(desk.calls).toEqual([{ command: 'openWindow', input: {}, surface: 'human' }]);
  });

  it('gets the reason of a refusal in an envelope', async () => {
    const desk = scriptedDesk(() => {
      throw new RelayError('TASK_NOT_FOUND', 'No such handoff.');
    });
    const { server } = await setUp(desk);
    const answer = await send(server, 'POST', '/desk/getThread', await enter(server), '{"task_id":"t"}');
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.body)).toEqual({
      ok: false,
      error: { reason: 'TASK_NOT_FOUND', message: 'No such handoff.' },
    });
  });

  it('learns of a fault of ours no more than that it is one', async () => {
    const desk = scriptedDesk(() => {
      throw new Error('the key is ar_secret');
    });
    const { server } = await setUp(desk);
    const answer = await send(server, 'POST', '/desk/getSnapshot', await enter(server), '{}');
    expect(reasonOf(answer)).toBe('INTERNAL');
    expect(answer.body).not.toContain('ar_secret');
  });

  it('is told that an answer cannot be sent, and goes on', async () => {
    const tooLong = {
      toJSON: () => {
        throw new RangeError('Invalid string length');
      },
    };
    const answers: Readonly<Record<string, unknown>> = { getStatus: { number: 1n }, getSnapshot: tooLong };
    const { server } = await setUp(scriptedDesk(({ command }) => answers[command] ?? { url: 'x' }));
    const own = await enter(server);
    const call = (command: string) => send(server, 'POST', `/desk/${command}`, own, '{}');
    expect(reasonOf(await call('getStatus'))).toBe('INTERNAL');
    expect(reasonOf(await call('getSnapshot'))).toBe('INTERNAL');
    expect(JSON.parse((await call('openWindow')).body)).toEqual({ ok: true, value: { url: 'x' } });
  });

  it('may be open in several browsers', async () => {
    const { server } = await setUp();
    const [first, second] = [await enter(server), await enter(server)];
    expect(first['cookie']).not.toBe(second['cookie']);
    for (const own of [first, second]) {
      expect((await send(server, 'POST', '/desk/getSnapshot', own, '{}')).status).toBe(200);
    }
  });

  it.each([
    ['another command', '/desk/deleteEverything', 404, 'METHOD_NOT_FOUND'],
    ['a member of every object', '/desk/constructor', 404, 'METHOD_NOT_FOUND'],
    ['another address', '/elsewhere', 404, 'ROUTE_NOT_FOUND'],
    ['a file with POST', '/', 404, 'ROUTE_NOT_FOUND'],
  ])('is told that there is not: %s', async (_, path, status, reason) => {
    const { desk, server } = await setUp();
    const answer = await send(server, 'POST', path, await enter(server), '{}');
    expect([answer.status, reasonOf(answer)]).toEqual([status, reason]);
    expect(desk.calls).toEqual([]);
  });

  it.each([
    ['text', { 'content-type': 'text/plain' }, '{}', 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }, 'a=1', 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['JSON by another name', { 'content-type': 'text/plain; application/json' }, '{}', 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['no JSON', {}, '{', 400, 'PARSE_ERROR'],
    ['a prototype', {}, '{"__proto__":{"as":"mia"}}', 400, 'PARSE_ERROR'],
    ['too much', {}, JSON.stringify('x'.repeat(4 * 1024 * 1024)), 413, 'PAYLOAD_TOO_LARGE'],
  ])('may not send %s', async (_, headers, body, status, reason) => {
    const { desk, server } = await setUp();
    const answer = await send(server, 'POST', '/desk/getSnapshot', { ...(await enter(server)), ...headers }, body);
    expect([answer.status, reasonOf(answer)]).toEqual([status, reason]);
    expect(desk.calls).toEqual([]);
  });
});

describe('an attacker', () => {
  it.each(['/desk/getSnapshot', '/desk/openWindow', '/desk/deleteEverything'])(
    'without a cookie gets nothing from POST %s',
    async (path) => {
      const { desk, server } = await setUp();
      const answer = await send(server, 'POST', path, { ...JSON_TYPE, origin: server.url }, '{}');
      expect([answer.status, reasonOf(answer)]).toEqual([401, 'UNAUTHENTICATED']);
      expect(desk.calls).toEqual([]);
    },
  );

  it('without a cookie gets no events', async () => {
    const { desk, server } = await setUp();
    expect((await send(server, 'GET', '/desk/events?after=0')).status).toBe(401);
    expect(desk.subscriptions).toEqual([]);
  });

  it('with a cookie of another start, or a token in its place, gets nothing', async () => {
    const { server } = await setUp();
    const name = String((await enter(server))['cookie']).split('=')[0];
    const other = await enter((await setUp()).server);
    for (const value of [String(other['cookie']).split('=')[1], tokenOf(server.open()), '']) {
      const headers = { ...JSON_TYPE, origin: server.url, cookie: `${name}=${value}` };
      expect((await send(server, 'POST', '/desk/getSnapshot', headers, '{}')).status).toBe(401);
    }
  });

  it('who has the person open a page that posts text gets nothing, even with the cookie', async () => {
    const { desk, server } = await setUp();
    const headers = {
      ...(await enter(server)),
      origin: 'https://evil.example',
      'content-type': 'text/plain',
      'sec-fetch-site': 'cross-site',
    };
    const answer = await send(server, 'POST', '/desk/sendHandoff', headers, '{"to":"mia","body":"x"}');
    expect([answer.status, reasonOf(answer)]).toEqual([403, 'HOST_NOT_ALLOWED']);
    expect(desk.calls).toEqual([]);
  });

  it.each([
    ['the name of another host, rebound to loopback', { host: 'evil.example' }],
    ['that name with our port', { host: 'evil.example:7319' }],
    ['the Origin of another page', { origin: 'http://evil.example' }],
    ['the Origin of another port of this machine', { origin: 'http://127.0.0.1:1' }],
    ['an Origin that hides itself', { origin: 'null' }],
    ['another page of this machine', { 'sec-fetch-site': 'same-site' }],
    ['another site', { 'sec-fetch-site': 'cross-site' }],
  ])('who comes with %s gets nothing, even with the cookie', async (_, headers) => {
    const { desk, server } = await setUp();
    const own = await enter(server);
    for (const [method, path] of [
      ['POST', '/desk/getSnapshot'],
      ['POST', '/session'],
      ['GET', '/desk/events?after=0'],
      ['GET', '/'],
    ] as const) {
      const answer = await send(server, method, path, { ...own, ...headers }, method === 'POST' ? '{}' : undefined);
      expect([path, answer.status]).toEqual([path, 403]);
    }
    expect(desk.calls).toEqual([]);
  });

  it('who sends no Origin gets nothing by POST, even with the cookie', async () => {
    const { desk, server } = await setUp();
    const { origin: _, ...headers } = await enter(server);
    expect((await send(server, 'POST', '/desk/getSnapshot', headers, '{}')).status).toBe(403);
    expect(desk.calls).toEqual([]);
  });

  it.each(['OPTIONS', 'PUT', 'DELETE', 'HEAD', 'PATCH'])('who asks by %s is given no permission', async (method) => {
    const { server } = await setUp();
    const answer = await send(server, method, '/desk/getSnapshot', await enter(server), '{}');
    expect(answer.status).toBe(404);
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });
});

describe('events', () => {
  /** What a stream has brought, as it comes. */
  async function listen(server: WindowServer, path: string, headers: OutgoingHttpHeaders) {
    const { promise, resolve } = Promise.withResolvers<IncomingMessage>();
    const request = httpRequest(
      server.url,
      { path, headers: { cookie: headers['cookie'] ?? '', ...headers } },
      resolve,
    );
    request.on('error', () => undefined);
    request.end();
    const response = await promise;
    const got = { text: '', status: response.statusCode, headers: response.headers, close: () => request.destroy() };
    response.setEncoding('utf8').on('data', (chunk: string) => (got.text += chunk));
    response.on('error', () => undefined);
    onTestFinished(() => void got.close());
    return got;
  }

  it('come with their number as id, one frame each', async () => {
    const { desk, server } = await setUp();
    const stream = await listen(server, '/desk/events?after=4', await enter(server));
    expect(stream.headers['content-type']).toBe('text/event-stream; charset=utf-8');
    expect(stream.headers['cache-control']).toBe('no-store');
    expect(stream.headers['x-content-type-options']).toBe('nosniff');
    expect(desk.subscriptions).toEqual([4]);
    desk.emit({ seq: 5, type: 'reload' });
    desk.emit({ seq: 6, type: 'reload' });
    await expect
      .poll(() => stream.text)
      .toBe('retry: 1000\n\nid: 5\ndata: {"seq":5,"type":"reload"}\n\nid: 6\ndata: {"seq":6,"type":"reload"}\n\n');
  });

  it('go on after the last one that a browser has when it comes back', async () => {
    const { desk, server } = await setUp();
    await listen(server, '/desk/events?after=4', { ...(await enter(server)), 'last-event-id': '9' });
    expect(desk.subscriptions).toEqual([9]);
  });

  it('are no longer sent to a browser that has gone', async () => {
    const { desk, server } = await setUp();
    const stream = await listen(server, '/desk/events?after=0', await enter(server));
    stream.close();
    await expect.poll(() => desk.subscriptions).toEqual([]);
  });

  it('that do not come are told from a connection that is lost by a heartbeat', async () => {
    const { server } = await setUp(scriptedDesk(), 5);
    const stream = await listen(server, '/desk/events?after=0', await enter(server));
    await expect.poll(() => stream.text).toMatch(/(?:: heartbeat\n\n){2}/);
  });

  it('are not kept for a browser that does not read', async () => {
    const { desk, server } = await setUp();
    const { promise, resolve } = Promise.withResolvers<IncomingMessage>();
    const own = await enter(server);
    const request = httpRequest(server.url, { path: '/desk/events?after=0', headers: own }, resolve);
    request.on('error', () => undefined);
    request.end();
    const response = await promise;
    response.on('error', () => undefined);
    response.pause();
    const detail = 'x'.repeat(1 << 20);
    let seq = 0;
    await expect
      .poll(
        () => {
          seq += 1;
          desk.emit({
            seq,
            type: 'account',
            account: { handle: 'mia@acme', relay: 'r', state: 'offline', detail, since: 0 },
          });
          return desk.subscriptions.length;
        },
        { timeout: 10_000, interval: 1 },
      )
      .toBe(0);
    expect(seq).toBeLessThan(40);
  });

  it.each(['', '?after=', '?after=-1', '?after=x', '?after=1.5'])('are refused after %j', async (query) => {
    const { server } = await setUp();
    const answer = await send(server, 'GET', `/desk/events${query}`, await enter(server));
    expect([answer.status, reasonOf(answer)]).toEqual([400, 'INVALID_PARAMS']);
  });

  it('end when the server is closed', async () => {
    const { desk, server } = await setUp();
    await listen(server, '/desk/events?after=0', await enter(server));
    await server.close();
    await expect.poll(() => desk.subscriptions).toEqual([]);
  });
});

describe('the port of the window', () => {
  const portOf = ({ server }: SetUp): number => Number(new URL(server.url).port);

  it('is the one that is asked for, so that the browser keeps what it has of that origin', async () => {
    const first = await setUp();
    await first.server.close();
    const second = await setUp(undefined, undefined, portOf(first));
    expect(second.server.url).toBe(first.server.url);
  });

  it('is any free one where that is taken, and all works there', async () => {
    const first = await setUp();
    const second = await setUp(undefined, undefined, portOf(first));
    expect(portOf(second)).not.toBe(portOf(first));
    const cookie = await enter(second.server);
    expect((await send(second.server, 'POST', '/desk/getSnapshot', { ...cookie, ...JSON_TYPE }, '{}')).status).toBe(
      200,
    );
  });
});
