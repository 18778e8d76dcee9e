import { describe, expect, test } from 'vitest';
import { headersOf, message, rpcBody } from '../../support/a2a-client.ts';
import { heapInUse } from '../../support/memory.ts';
import { RawConnection, rawRequest } from '../../support/raw-connection.ts';
import { relayForTest } from '../../support/relay.ts';
import { openSockets, stillServes } from '../../support/still-serves.ts';

/** Connections that are held as long as they last: a byte now and then, or none; nothing read, or next to nothing. */

const CONNECTIONS = 150;
const quick = { pace: { graceMs: 90, bytesPerSecond: 1e9, requestMs: 120 } };

async function acme(options: Parameters<typeof relayForTest>[0] = {}) {
  const relay = await relayForTest(options);
  return { relay, alice: await relay.agent('alice'), frank: await relay.agent('frank') };
}

const open = (port: number, count = CONNECTIONS): Promise<RawConnection[]> =>
  Promise.all(Array.from({ length: count }, () => RawConnection.open(port)));

const allClosed = (connections: readonly RawConnection[]): Promise<unknown> =>
  Promise.all(connections.map((connection) => connection.closed()));

/** Writes one byte after the other on each connection until something is over. */
async function drip<T>(connections: readonly RawConnection[], bytes: Uint8Array, until: Promise<T>): Promise<T> {
  let at = 0;
  const timer = setInterval(() => {
    const byte = bytes[at++ % bytes.length] ?? 0x61;
    for (const { socket } of connections) if (socket.writable) socket.write(Uint8Array.of(byte));
  }, 5);
  try {
    return await until;
  } finally {
    clearInterval(timer);
  }
}

describe('a client that sends a byte at a time', () => {
  test.each([
    ['its head', 'GET /healthz HTTP/1.1\r\nHost: x\r\nX-A: ', 'a'],
    ['its first line', 'GET /', 'a'],
  ])('of %s, for ever, is shut out in time, and holds up nobody meanwhile', async (_, begin, goOn) => {
    const { relay, frank, alice } = await acme(quick);
    const sockets = openSockets();
    const connections = await open(relay.port);
    for (const connection of connections) connection.write(begin);
    const out = drip(connections, Buffer.from(goOn), allClosed(connections));
    await stillServes(frank, alice);
    await out;
    await expect.poll(openSockets).toBeLessThanOrEqual(sockets);
    await stillServes(frank, alice);
  });

  test('of its body is told that it took too long, and nothing of it is stored', async () => {
    const { relay, frank, alice } = await acme(quick);
    const before = relay.rows();
    const whole = rawRequest(
      'POST',
      '/a/alice',
      headersOf(frank),
      rpcBody('SendMessage', message('slow', { parts: [{ text: 'x'.repeat(5000) }] })),
    );
    const connections = await open(relay.port, 20);
    for (const connection of connections) connection.write(whole.subarray(0, whole.length - 4000));
    const answers = Promise.all(connections.map((connection) => connection.answer()));
    for (const answer of await drip(connections, Buffer.from(' '), answers)) {
      expect([answer?.status, answer?.body]).toEqual([408, expect.stringContaining('REQUEST_TIMEOUT')]);
    }
    await allClosed(connections);
    expect(relay.rows()).toEqual(before);
    await stillServes(frank, alice);
  });

  test('of a body of chunks that has no end is shut out too', async () => {
    const { relay, frank, alice } = await acme(quick);
    const before = relay.rows();
    const head = rawRequest('POST', '/a/alice', { ...headersOf(frank), 'transfer-encoding': 'chunked' });
    const connections = await open(relay.port, 20);
    for (const connection of connections) connection.write(head);
    await drip(connections, Buffer.from('1\r\n \r\n'), allClosed(connections));
    expect(relay.rows()).toEqual(before);
    await stillServes(frank, alice);
  });

  test('in time is served: it is the whole that counts', async () => {
    const { relay, frank } = await acme({ pace: { ...quick.pace, requestMs: 10_000 } });
    const connection = await RawConnection.open(relay.port);
    for (const byte of rawRequest('POST', '/a2a', headersOf(frank), rpcBody('ListTasks', {}))) {
      connection.write(Uint8Array.of(byte));
    }
    expect((await connection.answer())?.status).toBe(200);
    connection.destroy();
  });
});

describe('a client that says nothing', () => {
  test('is shut out in time, whether it has asked before or not', async () => {
    const { relay, frank, alice } = await acme(quick);
    const sockets = openSockets();
    const connections = await open(relay.port, 40);
    await allClosed(connections);
    await expect.poll(openSockets).toBeLessThanOrEqual(sockets);
    await stillServes(frank, alice);
  });
});

describe('readers who take nothing', () => {
  test('of many streams at once are dropped, with all that waited for them', async () => {
    const { relay, frank, alice } = await acme({ pace: { ...quick.pace, requestMs: 60_000 } });
    const sent = await frank.call(
      'SendMessage',
      { ...message('m'), configuration: { returnImmediately: true } },
      { at: '/a/alice' },
    );
    if (!('task' in sent)) throw new Error('no task');
    const { id } = sent.task;
    await stillServes(frank, alice);
    const [heap, sockets] = [heapInUse(), openSockets()];
    const readers = await open(relay.port, 30);
    for (const reader of readers)
      reader.write(rawRequest('POST', '/a2a', headersOf(alice), rpcBody('SubscribeToTask', { id })));
    await Promise.all(readers.map((reader) => reader.getStuck()));
    for (let n = 0; n < 8; n += 1) {
      const large = message(`m${n}`, { taskId: id, parts: [{ text: 'x'.repeat(900_000) }] });
      await frank.call(
        'SendMessage',
        { ...large, configuration: { historyLength: 0, returnImmediately: true } },
        { at: '/a/alice' },
      );
    }
    await Promise.all(readers.map((reader) => reader.broken()));
    for (const reader of readers) reader.destroy();
    await expect.poll(openSockets).toBeLessThanOrEqual(sockets);
    await stillServes(frank, alice);
    // the newest events stay in memory, once for all readers
    expect(heapInUse() - heap).toBeLessThan(20_000_000);
  });

  test('that ask for more than they read, on one connection, are dropped', async () => {
    const { relay, frank, alice } = await acme({ pace: { ...quick.pace, requestMs: 60_000 } });
    const parts = [{ text: 'x'.repeat(900_000) }];
    const params = { ...message('large', { parts }), configuration: { returnImmediately: true } };
    const sent = await frank.call('SendMessage', params, { at: '/a/alice' });
    if (!('task' in sent)) throw new Error('no task');
    const connection = await RawConnection.open(relay.port);
    connection.socket.pause();
    const ask = rawRequest('POST', '/a2a', headersOf(alice), rpcBody('GetTask', { id: sent.task.id }));
    for (let n = 0; n < 40; n += 1) connection.write(ask);
    await connection.broken();
    connection.destroy();
    await stillServes(frank, alice);
  });
});
