import { createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createWebhook, type WebhookResult } from '../../../relay/notify/webhook.ts';
import { createWebhookGuard, type Resolve } from '../../../relay/notify/webhook-guard.ts';
import { startWebhook } from '../../support/webhook.ts';

/** When everything here happens. */
const NOW = Date.UTC(2026, 9, 21, 7, 28);
const nowhere: Resolve = () => Promise.reject(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }));

function post(
  url: string,
  options: { resolve?: Resolve; allow?: string[]; timeoutMs?: number; signal?: AbortSignal } = {},
) {
  const { resolve = nowhere, allow = ['127.0.0.1'], timeoutMs = 5000, signal = new AbortController().signal } = options;
  const call = createWebhook({ guard: createWebhookGuard({ resolve, allow }), timeoutMs, clock: () => NOW });
  return call(
    { url, headers: { 'content-type': 'application/json', 'x-one': '1' }, body: '{"text":"größer"}' },
    signal,
  );
}

/** A server that does with a connection what it is told. */
async function tcp(onConnection: (socket: Socket) => void): Promise<string> {
  const server = createTcpServer((socket) => {
    socket.on('error', () => undefined);
    onConnection(socket);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

describe('a call', () => {
  test('carries what it is given, whole', async () => {
    const hook = await startWebhook();
    expect(await post(hook.url)).toEqual({ ok: true });
    const [pushed] = hook.pushed;
    expect(pushed?.body).toEqual({ text: 'größer' });
    expect(pushed?.headers).toMatchObject({ 'content-type': 'application/json', 'x-one': '1', 'content-length': '19' });
  });

  test('goes to the address that was looked up for it, under its own name', async () => {
    const hook = await startWebhook();
    let lookUps = 0;
    const resolve: Resolve = () => {
      lookUps += 1;
      return Promise.resolve([{ address: '127.0.0.1', family: 4 }]);
    };
    expect(await post(`http://hooks.example:${hook.port}/in`, { resolve })).toEqual({ ok: true });
    expect(lookUps).toBe(1);
    expect(hook.pushed[0]).toMatchObject({ path: '/in', headers: { host: `hooks.example:${hook.port}` } });
  });

  test('is not made where the name means another address by now', async () => {
    const hook = await startWebhook();
    const resolve: Resolve = () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]);
    const result = await post(`http://rebind.example:${hook.port}/`, { resolve, allow: [] });
    expect(result).toEqual({ ok: false, error: 'ADDRESS_NOT_ALLOWED' });
    expect(hook.pushed).toEqual([]);
  });

  test('of a name that nobody knows says so', async () => {
    expect(await post('http://nowhere.example/')).toEqual({ ok: false, error: 'ENOTFOUND' });
  });

  test('is not waited for longer than the limit, wherever it hangs', async () => {
    const silent = await tcp(() => undefined);
    const hanging: Resolve = () => new Promise(() => undefined);
    const results = await Promise.all([
      post(silent, { timeoutMs: 50 }),
      post('http://hanging.example/', { resolve: hanging, timeoutMs: 50 }),
    ]);
    expect(results).toEqual([
      { ok: false, error: 'TIMEOUT' },
      { ok: false, error: 'TIMEOUT' },
    ]);
  });

  test('can be broken off', async () => {
    const silent = await tcp(() => abort.abort());
    const abort = new AbortController();
    expect(await post(silent, { signal: abort.signal })).toMatchObject({ ok: false });
    expect(await post(silent, { signal: AbortSignal.abort() })).toMatchObject({ ok: false });
  });
});

describe('an answer', () => {
  test.each<[number, Record<string, string>, WebhookResult]>([
    [200, {}, { ok: true }],
    [202, {}, { ok: true }],
    [204, {}, { ok: true }],
    [301, { location: 'http://127.0.0.1:1/' }, { ok: false, error: 'REDIRECT (HTTP 301)' }],
    [308, { location: 'http://169.254.169.254/' }, { ok: false, error: 'REDIRECT (HTTP 308)' }],
    [400, {}, { ok: false, error: 'HTTP 400' }],
    [429, { 'retry-after': '7' }, { ok: false, error: 'HTTP 429', retryAfterMs: 7000 }],
    [503, { 'retry-after': 'Wed, 21 Oct 2026 07:38:00 GMT' }, { ok: false, error: 'HTTP 503', retryAfterMs: 600_000 }],
    [503, { 'retry-after': 'Wed, 21 Oct 2026 07:18:00 GMT' }, { ok: false, error: 'HTTP 503', retryAfterMs: 0 }],
    [503, { 'retry-after': 'soon' }, { ok: false, error: 'HTTP 503' }],
  ])('of %i counts for what it is', async (status, headers, expected) => {
    const hook = await startWebhook((_pushed, response) => response.writeHead(status, headers).end());
    expect(await post(hook.url)).toEqual(expected);
  });

  test('without an end is not waited for', async () => {
    const hook = await startWebhook((_pushed, response) => {
      response.writeHead(200);
      response.write('and so on');
    });
    expect(await post(hook.url)).toEqual({ ok: true });
  });

  test.each([
    ['that is no HTTP', (socket: Socket) => socket.end('hello\r\n\r\n')],
    ['that ends before it begins', (socket: Socket) => socket.destroy()],
    [
      'with a head of a megabyte',
      (socket: Socket) => socket.end(`HTTP/1.1 200 OK\r\nx: ${'x'.repeat(1_000_000)}\r\n\r\n`),
    ],
  ])('%s is a failure', async (_what, onConnection) => {
    const result = await post(await tcp(onConnection));
    expect(result).toMatchObject({ ok: false, error: expect.stringMatching(/^(ECONNRESET|HPE_[A-Z_]+)$/) });
  });

  test('over TLS that nobody vouches for is a failure', async () => {
    const plain = await startWebhook();
    const result = await post(`https://127.0.0.1:${plain.port}/`);
    expect(result).toMatchObject({ ok: false });
    expect(plain.pushed).toEqual([]);
  });
});
