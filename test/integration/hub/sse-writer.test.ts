import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createSseWriters, type SseOptions, type SseWriter, type SseWriters } from '../../../relay/hub/sse-writer.ts';

/** Longer than any test: it never comes. */
const NEVER_MS = 600_000;
const QUIET: SseOptions = { heartbeatMs: NEVER_MS, graceMs: NEVER_MS };
const MEGABYTE = 1024 * 1024;
/** More than the sockets of both sides hold. */
const TOO_MUCH = 'x'.repeat(16 * MEGABYTE);

let server: ReturnType<typeof createServer>;
let writers: SseWriters;
let requests: ((response: ServerResponse) => void)[];

beforeEach(async () => {
  writers = createSseWriters();
  requests = [];
  server = createServer((_request, response) => requests.shift()?.(response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

interface Stream {
  readonly writer: SseWriter;
  readonly response: ServerResponse;
  readonly client: IncomingMessage;
}

/** A client that has connected, and what the server holds of it. */
async function connect(options: SseOptions, headers: Record<string, string> = {}): Promise<Stream> {
  const opened = new Promise<{ writer: SseWriter; response: ServerResponse }>((resolve) => {
    requests.push((response) => resolve({ response, writer: writers.open(response, headers, options) }));
  });
  const client = await ask();
  return { client, ...(await opened) };
}

async function ask(): Promise<IncomingMessage> {
  const { port } = server.address() as AddressInfo;
  const outgoing = request({ host: '127.0.0.1', port, agent: false }).end();
  onTestFinished(() => void outgoing.destroy());
  const [client] = (await once(outgoing, 'response')) as [IncomingMessage];
  // a connection that is cut is an error to this side
  client.on('error', () => undefined);
  return client.setEncoding('utf8');
}

async function textOf(client: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of client) text += String(chunk);
  return text;
}

function timers(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
}

async function aborted({ signal }: SseWriter): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}

describe('a stream', () => {
  test('is open to its client before there is anything to say', async () => {
    const { client } = await connect(QUIET, { 'a2a-extensions': 'urn:x' });
    expect(client.statusCode).toBe(200);
    expect(client.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache',
      'x-accel-buffering': 'no',
      'a2a-extensions': 'urn:x',
    });
  });

  test('carries frames as they are, in order, and ends', async () => {
    const { client, writer } = await connect(QUIET);
    for (const frame of ['data: 1\n\n', 'data: ü\u{1F600}\n\n', 'data: 3\n\n']) await writer.write(frame);
    writer.end();
    expect(await textOf(client)).toBe('data: 1\n\ndata: ü\u{1F600}\n\ndata: 3\n\n');
  });

  test('shows that it lives', async () => {
    const { client, writer } = await connect({ ...QUIET, heartbeatMs: 1 });
    let text = '';
    for await (const chunk of client) {
      text += String(chunk);
      if (text.length >= 21) writer.end();
    }
    expect(text).toMatch(/^(: ping\n){3,}$/);
  });

  test('ends at its age', async () => {
    const { client, writer } = await connect({ ...QUIET, maxAgeMs: 5 });
    await writer.write('data: 1\n\n');
    expect(await textOf(client)).toBe('data: 1\n\n');
    expect(writer.signal.aborted).toBe(true);
  });

  test('takes nothing more once it has ended, and does not mind', async () => {
    const { client, writer } = await connect(QUIET);
    writer.end();
    writer.end();
    await writer.write('data: late\n\n');
    expect(await textOf(client)).toBe('');
  });
});

describe('a client that leaves', () => {
  test('ends its stream and takes its timers along', async () => {
    const before = timers();
    const streams = await Promise.all(Array.from({ length: 20 }, () => connect({ ...QUIET, maxAgeMs: NEVER_MS })));
    // node:http has some of its own, that come and go
    expect(timers() - before).toBeGreaterThan(30);
    for (const { client } of streams) client.destroy();
    await Promise.all(streams.map(({ writer }) => aborted(writer)));
    expect(timers() - before).toBeLessThan(10);
  });

  test('frees whoever waits for it to read on', async () => {
    const { client, writer, response } = await connect(QUIET);
    let writes = 0;
    const writing = (async () => {
      while (!writer.signal.aborted) {
        await writer.write('x'.repeat(MEGABYTE));
        writes++;
      }
    })();
    while (!response.writableNeedDrain) await turn();
    client.destroy();
    await writing;
    expect(writes).toBeGreaterThan(0);
  });
});

describe('a client that reads slowly', () => {
  test('is waited for: what it has not read is not piled up', async () => {
    const { client, writer, response } = await connect(QUIET);
    const letters = Array.from('abcdefghijklmnopqrst');
    let most = 0;
    const writing = (async () => {
      for (const letter of letters) {
        await writer.write(letter + '.'.repeat(MEGABYTE));
        most = Math.max(most, response.writableLength);
      }
      writer.end();
    })();
    while (!response.writableNeedDrain) await turn();
    const read: string[] = [];
    let length = 0;
    for await (const chunk of client) {
      read.push(...(String(chunk).match(/[a-z]/g) ?? []));
      length += String(chunk).length;
    }
    await writing;
    expect(read).toEqual(letters);
    expect(length).toBe(letters.length * (MEGABYTE + 1));
    expect(most).toBeLessThan(2 * MEGABYTE);
  });

  test('gets no signs of life on top of what it has not read', async () => {
    const { client, writer, response } = await connect({ ...QUIET, heartbeatMs: 1 });
    void writer.write(TOO_MUCH);
    const waiting = response.writableLength;
    for (let beats = 0; beats < 5; beats++) await pause(2);
    expect(response.writableLength).toBe(waiting);
    client.destroy();
    await aborted(writer);
  });

  test('holds up nobody else', async () => {
    const slow = await connect(QUIET);
    const fast = await connect(QUIET);
    while (!slow.response.writableNeedDrain) void slow.writer.write('x'.repeat(MEGABYTE));
    await fast.writer.write('data: 1\n\n');
    fast.writer.end();
    expect(await textOf(fast.client)).toBe('data: 1\n\n');
  });
});

describe('a stream that is cut off', () => {
  test.each(['before it ended', 'after it ended'])(
    'breaks the connection of who does not take the rest, %s',
    async (when) => {
      const { client, writer, response } = await connect({ ...QUIET, graceMs: 20 });
      void writer.write(TOO_MUCH);
      if (when === 'after it ended') writer.end();
      writer.cutOff();
      writer.cutOff();
      expect(writer.signal.aborted).toBe(true);
      await once(response, 'close');
      expect(response.writableFinished).toBe(false);
      await expect(textOf(client)).rejects.toThrow('aborted');
    },
  );

  test('is whole for who takes the rest in time, and leaves no timer', async () => {
    const before = timers();
    const streams = await Promise.all(Array.from({ length: 20 }, () => connect(QUIET)));
    const texts = streams.map(async ({ client, writer }, index) => {
      void writer.write('x'.repeat(MEGABYTE + index));
      writer.cutOff();
      return (await textOf(client)).length;
    });
    expect(await Promise.all(texts)).toEqual(streams.map((_stream, index) => MEGABYTE + index));
    for (const { response } of streams) if (!response.closed) await once(response, 'close');
    expect(timers() - before).toBeLessThan(10);
  });
});

describe('a server that stops', () => {
  test('ends every stream', async () => {
    const before = timers();
    const streams = await Promise.all(Array.from({ length: 20 }, () => connect({ ...QUIET, maxAgeMs: NEVER_MS })));
    await Promise.all(streams.map(({ writer }, index) => writer.write(`data: ${index}\n\n`)));
    writers.closeAll();
    expect(await Promise.all(streams.map(({ client }) => textOf(client)))).toEqual(
      streams.map((_stream, index) => `data: ${index}\n\n`),
    );
    expect(timers() - before).toBeLessThan(20);
  });

  test('opens none that stays', async () => {
    writers.closeAll();
    const { client, writer } = await connect(QUIET);
    expect(await textOf(client)).toBe('');
    expect(writer.signal.aborted).toBe(true);
  });
});
