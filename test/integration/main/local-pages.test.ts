import { randomBytes } from 'node:crypto';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { startWindowServer, type WindowServer } from '../../../main/browser/window-server.ts';
import { builtWindow } from '../../support/built-window.ts';
import { RawConnection, rawRequest, type RawAnswer } from '../../support/raw-connection.ts';
import { scriptedDesk, type ScriptedDesk } from './scripted-desk.ts';

/**
 * What a web page that the person has open, or a program that has no token, can do with the window's server. A browser
 * adds the headers that each of them has here; a page cannot leave them out, nor choose them.
 */

let desk: ScriptedDesk;
let server: WindowServer;
let port: number;
let log: string;
/** `127.0.0.1:PORT` */
let own: string;

beforeEach(async () => {
  desk = scriptedDesk();
  log = '';
  const destination = new Writable({
    write(chunk: Buffer, _encoding, done) {
      log += chunk.toString();
      done();
    },
  });
  server = await startWindowServer({
    desk,
    root: builtWindow(),
    logger: pino({ level: 'trace' }, destination),
    clock: Date.now,
    random: randomBytes,
  });
  onTestFinished(() => server.close());
  port = Number(new URL(server.url).port);
  own = `127.0.0.1:${port}`;
});

const newToken = (): string => new URL(server.open()).hash.slice(1);

async function sendBytes(bytes: string | Uint8Array): Promise<RawAnswer> {
  const connection = await RawConnection.open(port);
  connection.write(bytes);
  const answer = await connection.answer();
  connection.destroy();
  if (answer === undefined) throw new Error('no answer');
  return answer;
}

const ask = (method: string, target: string, headers: Record<string, string>, body = ''): Promise<RawAnswer> =>
  sendBytes(rawRequest(method, target, headers, body));

const enterWith = (token: string): Promise<RawAnswer> =>
  ask(
    'POST',
    '/session',
    { host: own, origin: server.url, 'content-type': 'application/json' },
    JSON.stringify({ token }),
  );

/** The cookie of a browser that was let in: an attacker has it only where the browser sends it along. */
async function letIn(): Promise<string> {
  const { headers } = await enterWith(newToken());
  return headers.get('set-cookie')?.split(';')[0] ?? '';
}

/** What each request of a page of another site carries, and the cookie, as if a browser had sent that too. */
async function fromPage(mode: string): Promise<Record<string, string>> {
  return {
    host: own,
    origin: 'https://evil.example',
    referer: 'https://evil.example/',
    'sec-fetch-site': 'cross-site',
    'sec-fetch-mode': mode,
    cookie: await letIn(),
  };
}

const nothingWasDone = (): void => {
  expect(desk.calls).toEqual([]);
  expect(desk.subscriptions).toEqual([]);
};

describe('a page of another site', () => {
  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'application/json'])(
    'that posts %s is refused, and reads nothing',
    async (type) => {
      const answer = await ask(
        'POST',
        '/desk/sendHandoff',
        { ...(await fromPage('no-cors')), 'content-type': type },
        '{"to":"mia","body":"x"}',
      );
      expect(answer.status).toBe(403);
      expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
      expect(answer.headers.get('cross-origin-resource-policy')).toBe('same-origin');
      nothingWasDone();
    },
  );

  it('is not told that it may ask (CORS)', async () => {
    const headers = { ...(await fromPage('cors')), 'access-control-request-method': 'POST' };
    const answer = await ask('OPTIONS', '/desk/sendHandoff', headers);
    expect(answer.status).toBe(403);
    expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  it.each([
    ['a picture', 'no-cors', '/desk/openWindow'],
    ['a script', 'no-cors', '/assets/app-1a2b3c4d.js'],
    ['a frame', 'navigate', '/'],
  ])('that has %s of ours in it gets none: browsers send no Origin there, but say the site', async (_, mode, path) => {
    const { origin: _origin, ...headers } = await fromPage(mode);
    expect((await ask('GET', path, headers)).status).toBe(403);
    nothingWasDone();
  });

  it('that opens an event stream gets no event', async () => {
    const headers = { ...(await fromPage('cors')), accept: 'text/event-stream' };
    expect((await ask('GET', '/desk/events?after=0', headers)).status).toBe(403);
    nothingWasDone();
  });

  it('that opens a WebSocket gets none', async () => {
    const headers = {
      ...(await fromPage('websocket')),
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
    };
    for (const path of ['/', '/desk/events?after=0']) expect((await ask('GET', path, headers)).status).toBe(403);
    nothingWasDone();
  });

  it('in a sandbox, or a file that was opened, has the Origin "null" and gets nothing', async () => {
    const cookie = await letIn();
    const headers = { host: own, origin: 'null', cookie, 'content-type': 'application/json' };
    expect((await ask('POST', '/desk/getSnapshot', headers, '{}')).status).toBe(403);
    expect((await ask('GET', '/desk/events?after=0', headers)).status).toBe(403);
    nothingWasDone();
  });

  it('under a name of its own for this address (DNS rebinding) is refused, though it is its own origin there', async () => {
    const cookie = await letIn();
    for (const host of [`evil.example:${port}`, 'evil.example', `127.0.0.1:${port + 1}`, '127.0.0.1', 'localhost']) {
      const headers = { host, origin: `http://${host}`, cookie, 'sec-fetch-site': 'same-origin' };
      for (const [method, path] of [
        ['GET', '/'],
        ['GET', '/desk/events?after=0'],
        ['POST', '/desk/getSnapshot'],
        ['POST', '/session'],
        ['OPTIONS', '/desk/getSnapshot'],
      ] as const) {
        const type = { 'content-type': 'application/json' };
        const answer = await ask(method, path, { ...headers, ...type }, method === 'POST' ? '{}' : '');
        expect([host, path, answer.status]).toEqual([host, path, 403]);
      }
    }
    nothingWasDone();
  });
});

describe('a request that says twice whom it is for', () => {
  const good = (cookie: string): string =>
    `Origin: ${server.url}\r\nCookie: ${cookie}\r\nContent-Type: application/json\r\nContent-Length: 2\r\n`;

  it('in two Host headers is refused, whichever comes first', async () => {
    const cookie = await letIn();
    for (const hosts of [
      [own, 'evil.example'],
      ['evil.example', own],
      [own, own],
    ]) {
      const lines = hosts.map((host, n) => `${n === 0 ? 'Host' : 'HOST'}: ${host}\r\n`).join('');
      const answer = await sendBytes(`POST /desk/getSnapshot HTTP/1.1\r\n${lines}${good(cookie)}\r\n{}`);
      expect(answer.status).toBe(403);
    }
    nothingWasDone();
  });

  it('in its target is refused, whatever the Host header says', async () => {
    const cookie = await letIn();
    for (const target of [
      'http://evil.example/desk/getSnapshot',
      `http://${own}/desk/getSnapshot`,
      `HTTP://EVIL.EXAMPLE:${port}/desk/getSnapshot`,
      `http://${own}@evil.example/desk/getSnapshot`,
    ]) {
      const answer = await sendBytes(`POST ${target} HTTP/1.1\r\nHost: ${own}\r\n${good(cookie)}\r\n{}`);
      expect([target, answer.status]).toEqual([target, 403]);
    }
    nothingWasDone();
  });

  it('or not at all is refused', async () => {
    const cookie = await letIn();
    expect((await sendBytes(`POST /desk/getSnapshot HTTP/1.1\r\n${good(cookie)}\r\n{}`)).status).toBe(400);
    expect((await sendBytes(`POST /desk/getSnapshot HTTP/1.0\r\n${good(cookie)}\r\n{}`)).status).toBe(403);
    nothingWasDone();
  });

  it('is no good example: with one of each it is done', async () => {
    const cookie = await letIn();
    const answer = await sendBytes(`POST /desk/getSnapshot HTTP/1.1\r\nHost: ${own}\r\n${good(cookie)}\r\n{}`);
    expect(answer.status).toBe(200);
    expect(desk.calls).toHaveLength(1);
  });
});

describe('the token of an address', () => {
  it('lets one in, of any number that come with it at once', async () => {
    const token = newToken();
    const answers = await Promise.all(Array.from({ length: 24 }, () => enterWith(token)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200,
      ...Array.from({ length: 23 }, () => 401),
    ]);
    const cookies = answers.flatMap(({ headers }) => headers.get('set-cookie') ?? []);
    expect(cookies).toHaveLength(1);
  });

  it('is lost by whoever shows it from elsewhere only there: the page that was meant still gets in', async () => {
    const token = newToken();
    const headers = { host: own, origin: 'https://evil.example', 'content-type': 'application/json' };
    expect((await ask('POST', '/session', headers, JSON.stringify({ token }))).status).toBe(403);
    expect((await enterWith(token)).status).toBe(200);
  });

  it('is taken from nowhere but the body', async () => {
    const token = newToken();
    const headers = { host: own, origin: server.url, 'content-type': 'application/json' };
    for (const path of [`/session?token=${token}`, `/session/${token}`]) {
      expect((await ask('POST', path, headers, '{}')).status).toBeGreaterThanOrEqual(400);
    }
    expect((await ask('GET', `/session?token=${token}`, headers)).status).toBe(404);
    const asCookie = { ...headers, cookie: `agentrelay-${port}=${token}`, authorization: `Bearer ${token}` };
    expect((await ask('POST', '/desk/getSnapshot', asCookie, '{}')).status).toBe(401);
    nothingWasDone();
  });

  it('and the cookie are in no line of the log, whatever is done with them', async () => {
    const [token, used] = [newToken(), newToken()];
    await enterWith(used);
    await enterWith(used);
    const cookie = await letIn();
    const headers = { host: own, origin: server.url, cookie, 'content-type': 'application/json' };
    await ask('POST', '/session', headers, `{"token":"${token}"`);
    await ask('POST', `/desk/${token}`, headers, '{}');
    await ask('GET', `/${token}`, headers);
    await ask('POST', '/desk/sendHandoff', headers, `{"to":"${token}"}`);
    for (const secret of [token, used, cookie.split('=')[1] ?? '']) {
      expect(secret).toMatch(/^[\w-]{43}$/);
      expect(log).not.toContain(secret);
    }
  });
});

it('every page and every refusal has a policy under which nothing that is written into it runs', async () => {
  const cookie = await letIn();
  const headers = { host: own, origin: server.url, cookie, 'content-type': 'application/json' };
  const script = '<script>alert(1)</script>';
  const answers = [
    await ask('GET', '/', headers),
    await ask('GET', `/${encodeURIComponent(script)}`, headers),
    await ask('GET', '/%zz', headers),
    await ask('POST', '/desk/getSnapshot', { ...headers, host: 'evil.example' }, '{}'),
    await ask('POST', '/desk/getSnapshot', { host: own, origin: server.url, 'content-type': 'application/json' }, '{}'),
    await ask('POST', `/desk/${encodeURIComponent(script)}`, headers, '{}'),
    await ask('POST', '/desk/getSnapshot', { ...headers, 'content-type': 'text/html' }, script),
    await ask('POST', '/desk/getSnapshot', headers, script),
    await ask('DELETE', '/desk/getSnapshot', headers),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 404, 404, 403, 401, 404, 415, 400, 400]);
  for (const { headers: got, body } of answers) {
    const policy = got.get('content-security-policy') ?? '';
    expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self'/);
    expect(policy).not.toMatch(/unsafe|nonce|sha256|\*|https?:/);
    expect(got.get('x-content-type-options')).toBe('nosniff');
    // what is said back is never a page
    expect(String(got.get('content-type')).startsWith('text/html') && body.includes(script)).toBe(false);
  }
});
