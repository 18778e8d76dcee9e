import { existsSync, linkSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { MAX_LINE_BYTES } from '../../../main/mcp/protocol.ts';
import { connectDesk, type DeskConnection } from '../../../main/mcp/socket-client.ts';
import { startSocketServer, type SocketServer } from '../../../main/mcp/socket-server.ts';
import { StartError } from '../../../main/start-error.ts';
import type { DeskApi, DeskEvent } from '../../../relay/contract/desk-api.ts';
import { RelayError } from '../../../relay/contract/reasons.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { scriptedDesk } from './scripted-desk.ts';

const TOKEN = 'token-of-this-start';
const reload = (seq: number): DeskEvent => ({ seq, type: 'reload' });

async function serve(
  desk: DeskApi,
  path = join(tempDir(), 'mcp.sock'),
): Promise<{ path: string; server: SocketServer }> {
  const server = await startSocketServer({
    path,
    token: TOKEN,
    desk,
    version: '1.2.3',
    logger: pino({ level: 'silent' }),
  });
  onTestFinished(() => server.close());
  return { path, server };
}

async function enter(path: string, options: { timeoutMs?: number; token?: string } = {}): Promise<DeskConnection> {
  const connection = await connectDesk({ path, token: TOKEN, client: 'cli', timeoutMs: 5000, ...options });
  onTestFinished(() => connection.close());
  return connection;
}

/** A client that is not ours: it writes what it likes. */
function raw(path: string): { socket: Socket; lines: string[]; ended: Promise<void> } {
  const socket = connect(path);
  const lines: string[] = [];
  let rest = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    const parts = (rest + text).split('\n');
    rest = parts.pop() ?? '';
    lines.push(...parts);
  });
  socket.on('error', () => undefined);
  onTestFinished(() => void socket.destroy());
  return { socket, lines, ended: new Promise((resolve) => socket.once('close', () => resolve())) };
}

const request = (id: number, method: string, params: unknown): string =>
  `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;
const hello = (params: object = {}): string =>
  request(1, 'hello', { protocol: 1, token: TOKEN, client: 'codex', ...params });

describe('a client of the socket', () => {
  it('calls the desk after its hello, and is told the version', async () => {
    const desk = scriptedDesk(() => ({ url: 'http://127.0.0.1:1/#x' }));
    const connection = await enter((await serve(desk)).path);
    expect(connection.version).toBe('1.2.3');
    expect(await connection.call('openWindow', {})).toEqual({ url: 'http://127.0.0.1:1/#x' });
    expect(desk.calls).toEqual([{ command: 'openWindow', input: {}, surface: 'cli' }]);
  });

  it('is the author that its hello names, whatever a request says', async () => {
    const desk = scriptedDesk();
    const { socket, ended } = raw((await serve(desk)).path);
    socket.write(hello() + request(2, 'markSurfaced', { task_id: 't', version: 1, surface: 'human' }));
    socket.end();
    await ended;
    expect(desk.calls.map((call) => call.surface)).toEqual(['codex']);
  });

  it('gets the reason of a refusal, and goes on', async () => {
    const desk = scriptedDesk(({ command }) => {
      if (command === 'openWindow') return { url: 'x' };
      throw new RelayError('HANDLE_TAKEN', 'Choose another.', {
        violations: [{ field: 'handle', description: 'taken' }],
      });
    });
    const connection = await enter((await serve(desk)).path);
    await expect(connection.call('registerAgent', { handle: 'mia' })).rejects.toMatchObject({
      reason: 'HANDLE_TAKEN',
      message: 'Choose another.',
      violations: [{ field: 'handle', description: 'taken' }],
    });
    expect(await connection.call('openWindow', {})).toEqual({ url: 'x' });
  });

  it('learns of a fault of ours no more than that it is one', async () => {
    const desk = scriptedDesk(() => {
      throw new Error('the key is ar_secret');
    });
    const connection = await enter((await serve(desk)).path);
    const failed = connection.call('getStatus', {});
    await expect(failed).rejects.toMatchObject({ reason: 'INTERNAL' });
    await expect(failed).rejects.not.toThrow(/ar_secret/);
  });

  it.each([
    ['no JSON can hold', () => ({ number: 1n }), 'INTERNAL'],
    [
      'is too long for a string',
      () => ({
        toJSON: () => {
          throw new RangeError('Invalid string length');
        },
      }),
      'PAYLOAD_TOO_LARGE',
    ],
  ])('is told that an answer %s cannot be sent, and everybody goes on', async (_, answer, reason) => {
    const desk = scriptedDesk(({ command }) => (command === 'openWindow' ? { url: 'x' } : answer()));
    const { path, server } = await serve(desk);
    const [unlucky, other] = [await enter(path), await enter(path)];
    const refused = unlucky.call('getStatus', {});
    await expect(refused).rejects.toMatchObject({ reason, message: expect.stringContaining('getStatus') });
    expect(await unlucky.call('openWindow', {})).toEqual({ url: 'x' });
    expect(await other.call('openWindow', {})).toEqual({ url: 'x' });
    await server.close();
  });

  it('is told which command there is not', async () => {
    const { socket, lines, ended } = raw((await serve(scriptedDesk())).path);
    socket.write(hello() + request(2, 'constructor', {}));
    socket.end();
    await ended;
    expect(JSON.parse(lines[1] ?? '')).toMatchObject({
      id: 2,
      error: { code: -32601, data: { reason: 'METHOD_NOT_FOUND' } },
    });
  });

  it('has many calls under way at once, each with its own answer', async () => {
    const gates = new Map<string, () => void>();
    const desk = scriptedDesk(async ({ input }) => {
      const { cursor } = input as { cursor: string };
      await new Promise<void>((resolve) => void gates.set(cursor, resolve));
      return { items: [], next_cursor: cursor, waiting: 0 };
    });
    const connection = await enter((await serve(desk)).path);
    const first = connection.call('listHandoffs', { cursor: 'first' });
    const second = connection.call('listHandoffs', { cursor: 'second' });
    await expect.poll(() => gates.size).toBe(2);
    gates.get('second')?.();
    expect((await second).next_cursor).toBe('second');
    gates.get('first')?.();
    expect((await first).next_cursor).toBe('first');
  });

  it('has so many calls under way and no more: the others wait unread', async () => {
    let open: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const desk = scriptedDesk(() => gate);
    const { socket, lines } = raw((await serve(desk)).path);
    socket.write(hello());
    await expect.poll(() => lines.length).toBe(1);
    // one line at a time, as a client writes them
    for (let id = 2; id < 102; id += 1) {
      socket.write(request(id, 'markSurfaced', {}));
      await new Promise((resolve) => setImmediate(resolve));
    }
    await expect.poll(() => desk.calls.length).toBeGreaterThanOrEqual(32);
    expect(desk.calls.length).toBeLessThan(100);
    open();
    await expect.poll(() => lines.length).toBe(101);
  });

  it('fails when no answer comes in time', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const { path } = await serve(scriptedDesk(() => promise));
    const status = enter(path, { timeoutMs: 20 }).then((connection) => connection.call('getStatus', {}));
    await expect(status).rejects.toMatchObject({
      reason: 'RELAY_UNREACHABLE',
      message: expect.stringContaining('0.02 s'),
    });
    resolve();
  });

  it('fails at once with a request that is too large to be read', async () => {
    const desk = scriptedDesk();
    const connection = await enter((await serve(desk)).path);
    const call = connection.call('sendHandoff', { to: 'mia', body: 'x'.repeat(MAX_LINE_BYTES) });
    await expect(call).rejects.toMatchObject({ reason: 'PAYLOAD_TOO_LARGE' });
    expect(desk.calls).toEqual([]);
  });
});

describe('events', () => {
  it('come after the number that was asked for, until the connection ends', async () => {
    const desk = scriptedDesk();
    const connection = await enter((await serve(desk)).path);
    const got: number[] = [];
    await connection.subscribe(7, (event) => got.push(event.seq));
    expect(desk.subscriptions).toEqual([7]);
    desk.emit(reload(8));
    desk.emit(reload(9));
    await expect.poll(() => got).toEqual([8, 9]);
    connection.close();
    await expect.poll(() => desk.subscriptions).toEqual([]);
  });

  it('come once to a client that subscribes again', async () => {
    const desk = scriptedDesk();
    const connection = await enter((await serve(desk)).path);
    await connection.subscribe(1, () => undefined);
    await connection.subscribe(2, () => undefined);
    expect(desk.subscriptions).toEqual([2]);
  });

  it('that cannot be sent are replaced by a reload, and the next ones follow', async () => {
    const desk = scriptedDesk();
    const connection = await enter((await serve(desk)).path);
    const got: DeskEvent[] = [];
    await connection.subscribe(0, (event) => got.push(event));
    const account = { handle: 'mia@acme', relay: 'r', state: 'connected' as const, since: 1n as unknown as number };
    desk.emit({ seq: 1, type: 'account', account });
    desk.emit(reload(2));
    await expect.poll(() => got).toEqual([reload(1), reload(2)]);
  });

  it('are refused after a number that is none', async () => {
    const { socket, lines, ended } = raw((await serve(scriptedDesk())).path);
    socket.write(hello() + request(2, 'subscribe', { after: 'all' }));
    socket.end();
    await ended;
    expect(JSON.parse(lines[1] ?? '')).toMatchObject({ id: 2, error: { code: -32602 } });
  });

  it('are not kept for a client that does not read: it is dropped, and others are not held up', async () => {
    const desk = scriptedDesk();
    const { path } = await serve(desk);
    const slow = raw(path);
    slow.socket.write(hello() + request(2, 'subscribe', { after: 0 }));
    await expect.poll(() => slow.lines.length).toBe(2);
    slow.socket.pause();
    const quick = await enter(path);
    let got = 0;
    await quick.subscribe(0, () => (got += 1));
    const account = {
      handle: 'mia@acme',
      relay: 'http://127.0.0.1:1',
      state: 'offline' as const,
      detail: 'x'.repeat(1 << 20),
      since: 0,
    };
    for (let seq = 1; seq <= 20; seq += 1) {
      desk.emit({ seq, type: 'account', account });
      await expect.poll(() => got).toBe(seq);
    }
    expect(desk.subscriptions).toHaveLength(1);
    slow.socket.resume();
    await slow.ended;
  });
});

describe('a stranger at the socket', () => {
  it.each([
    ['a wrong token', hello({ token: 'guess' }), 'UNAUTHENTICATED'],
    ['no hello', request(1, 'getStatus', {}), 'INVALID_REQUEST'],
    ['no token', request(1, 'hello', { protocol: 1, client: 'cli' }), 'INVALID_REQUEST'],
    ['a client that may not be said', hello({ client: 'human' }), 'INVALID_REQUEST'],
    ['another protocol', hello({ protocol: 2 }), 'INVALID_REQUEST'],
    ['no JSON', 'GET / HTTP/1.1\n', 'INVALID_REQUEST'],
    ['no request', '{"jsonrpc":"2.0","method":"getStatus"}\n', 'INVALID_REQUEST'],
    ['a list', `[${hello().trim()}]\n`, 'INVALID_REQUEST'],
    ['an endless line', 'x'.repeat(MAX_LINE_BYTES + 1), 'PAYLOAD_TOO_LARGE'],
  ])('with %s is told why and shown out, and nothing else it says is done', async (_, text, reason) => {
    const desk = scriptedDesk();
    const { socket, lines, ended } = raw((await serve(desk)).path);
    socket.write(text);
    socket.write(`\n${hello()}${request(2, 'getStatus', {})}`);
    await ended;
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ error: { data: { reason } } });
    expect(desk.calls).toEqual([]);
  });

  it('is shown out with junk even after a hello', async () => {
    const desk = scriptedDesk();
    const { socket, lines, ended } = raw((await serve(desk)).path);
    socket.write(`${hello()}junk\n${request(2, 'getStatus', {})}`);
    await ended;
    expect(lines).toHaveLength(2);
    expect(desk.calls).toEqual([]);
  });

  it('is refused as a client of ours is that has an old token', async () => {
    const { path } = await serve(scriptedDesk());
    await expect(enter(path, { token: 'of-the-start-before' })).rejects.toMatchObject({ reason: 'UNAUTHENTICATED' });
  });
});

describe('a client that goes away', () => {
  it('in the middle of its call does no harm', async () => {
    let answer: () => void = () => undefined;
    const desk = scriptedDesk(() => new Promise<void>((resolve) => (answer = resolve)));
    const { path } = await serve(desk);
    const gone = await enter(path);
    const call = gone.call('getStatus', {});
    await expect.poll(() => desk.calls.length).toBe(1);
    gone.close();
    await expect(call).rejects.toMatchObject({ reason: 'RELAY_UNREACHABLE' });
    answer();
    expect((await enter(path)).version).toBe('1.2.3');
  });
});

describe('the socket file', () => {
  it('is for the user alone, and gone when the server is closed', async () => {
    const { path, server } = await serve(scriptedDesk());
    expect(statSync(path).mode & 0o777).toBe(0o600);
    await server.close();
    expect(existsSync(path)).toBe(false);
  });

  it('that a crash left is replaced', async () => {
    const path = join(tempDir(), 'mcp.sock');
    // a socket file that nobody listens on: its server is gone, its name is not
    const left = createServer().listen(`${path}.first`);
    await new Promise((resolve) => left.once('listening', resolve));
    linkSync(`${path}.first`, path);
    await new Promise((resolve) => left.close(resolve));
    expect(statSync(path).isSocket()).toBe(true);
    await serve(scriptedDesk(), path);
    expect((await enter(path)).version).toBe('1.2.3');
  });

  it('that somebody listens on is never replaced', async () => {
    const desk = scriptedDesk();
    const { path } = await serve(desk);
    await expect(serve(scriptedDesk(), path)).rejects.toThrow(StartError);
    expect((await enter(path)).version).toBe('1.2.3');
  });

  it('is not written through a link that stands in its place', async () => {
    const folder = tempDir();
    const [path, target] = [join(folder, 'mcp.sock'), join(folder, 'precious')];
    writeFileSync(target, 'text');
    symlinkSync(target, path);
    await serve(scriptedDesk(), path);
    expect(statSync(target).size).toBe(4);
    expect((await enter(path)).version).toBe('1.2.3');
  });
});

describe('the end of the server', () => {
  it('lets a call that is under way have its answer, then ends the connection', async () => {
    let answer: (value: object) => void = () => undefined;
    const desk = scriptedDesk(() => new Promise<object>((resolve) => (answer = resolve)));
    const { path, server } = await serve(desk);
    const connection = await enter(path);
    const call = connection.call('openWindow', {});
    await expect.poll(() => desk.calls.length).toBe(1);
    const closing = server.close();
    answer({ url: 'done' });
    expect(await call).toEqual({ url: 'done' });
    await connection.closed;
    await closing;
    await expect(connection.call('openWindow', {})).rejects.toMatchObject({ reason: 'RELAY_UNREACHABLE' });
  });
});
