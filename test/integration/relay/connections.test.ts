import { Agent } from 'node:http';
import { describe, expect, test } from 'vitest';
import { A2aClient, headersOf, message, rpcBody } from '../../support/a2a-client.ts';
import { faultLog } from '../../support/fault-log.ts';
import { openInbox } from '../../support/inbox.ts';
import { isGone, isStored } from '../../support/presence.ts';
import { heapInUse } from '../../support/memory.ts';
import { RawConnection, rawRequest } from '../../support/raw-connection.ts';
import { relayForTest } from '../../support/relay.ts';

/** What clients do to connections: leave in the middle, send half of it, send too much at once, stay for ever. */

const at = '/a/alice';

async function acme(options: Parameters<typeof relayForTest>[0] = {}) {
  const relay = await relayForTest(options);
  return { relay, alice: await relay.agent('alice'), frank: await relay.agent('frank') };
}

const send = (client: A2aClient, method: string, messageId: string): Buffer =>
  rawRequest('POST', at, headersOf(client), rpcBody(method, message(messageId), messageId));

describe('a request', () => {
  test('may arrive in pieces of any size', async () => {
    const { relay, frank } = await acme();
    const connection = await RawConnection.open(relay.port);
    for (const byte of send(frank, 'SendMessage', 'm1')) connection.write(Uint8Array.of(byte));
    expect(await connection.answer()).toMatchObject({ status: 200, body: expect.stringContaining('"task"') });
  });

  test('that is never finished stores nothing and holds up nobody', async () => {
    const { relay, frank } = await acme();
    const before = relay.rows();
    const whole = send(frank, 'SendMessage', 'm1');
    for (const length of [1, 20, 60, whole.length - 20, whole.length - 1]) {
      const connection = await RawConnection.open(relay.port);
      connection.write(whole.subarray(0, length));
      await frank.call('ListTasks', {});
      if (length % 2 === 0) connection.destroy();
    }
    expect(relay.rows()).toEqual(before);
  });

  test('that is cut off stores nothing, and is no fault of ours', async () => {
    const { logger, faults } = faultLog();
    const { relay, frank } = await acme({ logger });
    const before = relay.rows();
    const whole = send(frank, 'SendMessage', 'm1');
    for (const length of [whole.length - 1, whole.length - 50]) {
      await (await RawConnection.open(relay.port)).writeAndBreak(whole.subarray(0, length));
    }
    await frank.call('ListTasks', {});
    expect([relay.rows(), faults]).toEqual([before, []]);
  });

  test('with Expect: 100-continue is told to go on', async () => {
    const { relay, frank } = await acme();
    const connection = await RawConnection.open(relay.port);
    const body = rpcBody('SendMessage', message('m1'));
    const head = rawRequest('POST', at, {
      ...headersOf(frank),
      expect: '100-continue',
      'content-length': String(body.length),
    });
    connection.write(head);
    expect(await connection.answer()).toMatchObject({ status: 100 });
    connection.write(body);
    expect(await connection.answer()).toMatchObject({ status: 200 });
  });

  test('with an expectation that nobody knows is refused', async () => {
    const { relay, frank } = await acme();
    const connection = await RawConnection.open(relay.port);
    connection.write(rawRequest('POST', at, { ...headersOf(frank), expect: 'a miracle' }, rpcBody('ListTasks', {})));
    expect(await connection.answer()).toMatchObject({ status: 417 });
  });

  test('without a key is answered before its body has come', async () => {
    const { relay, frank } = await acme();
    const connection = await RawConnection.open(relay.port);
    const { authorization: _, ...headers } = headersOf(frank);
    connection.write(rawRequest('POST', at, { ...headers, 'content-length': '1000000' }));
    expect(await connection.answer()).toMatchObject({ status: 401 });
  });

  test('that is too large is refused by its header alone, and by what arrives', async () => {
    const { relay, frank } = await acme();
    const before = relay.rows();
    const declared = await RawConnection.open(relay.port);
    declared.write(rawRequest('POST', at, { ...headersOf(frank), 'content-length': '1048577' }));
    expect(await declared.answer()).toMatchObject({ status: 413, body: expect.stringContaining('PAYLOAD_TOO_LARGE') });
    const chunked = await RawConnection.open(relay.port);
    chunked.write(rawRequest('POST', at, { ...headersOf(frank), 'transfer-encoding': 'chunked' }));
    const piece = `10000\r\n${' '.repeat(65_536)}\r\n`;
    for (let n = 0; n < 17; n++) chunked.write(piece);
    expect(await chunked.answer()).toMatchObject({ status: 413 });
    expect(relay.rows()).toEqual(before);
  });

  test('of just the greatest size is served', async () => {
    const { frank } = await acme();
    const body = rpcBody('ListTasks', {});
    const headers = { 'content-type': 'application/json', 'a2a-version': '1.0' };
    const padded = body + ' '.repeat(1024 * 1024 - body.length);
    expect(await frank.http('POST', at, { headers, body: padded })).toMatchObject({ status: 200 });
    expect(await frank.http('POST', at, { headers, body: `${padded} ` })).toMatchObject({ status: 413 });
  });

  test('with headers that are too large is refused, and the connection closed', async () => {
    const { relay, frank } = await acme();
    for (const headers of [
      { 'x-a': 'x'.repeat(17_000) },
      Object.fromEntries(Array.from({ length: 900 }, (_, n) => [`x-${n}`, 'x'.repeat(20)])),
    ]) {
      const connection = await RawConnection.open(relay.port);
      connection.write(rawRequest('POST', at, { ...headersOf(frank), ...headers }, rpcBody('ListTasks', {})));
      const answer = await connection.answer();
      expect(answer?.status).toBe(431);
      expect(JSON.parse(answer?.body ?? '')).toMatchObject({
        error: { code: 431, details: [{ reason: 'HEADERS_TOO_LARGE' }] },
      });
      await connection.closed();
    }
  });

  test.each([
    ['no HTTP', 'hello\r\n\r\n'],
    ['TLS', Buffer.from('16030100c8010000c40303', 'hex')],
    ['a header without a colon', 'GET /healthz HTTP/1.1\r\nhost\r\n\r\n'],
    ['two lengths', 'POST /a2a HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nx'],
    [
      'a length and chunks',
      'POST /a2a HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\nx',
    ],
    ['a negative length', 'POST /a2a HTTP/1.1\r\nhost: x\r\ncontent-length: -1\r\n\r\n'],
    ['a method that nobody knows', 'HAND /a2a HTTP/1.1\r\nhost: x\r\n\r\n'],
    ['a null in a header', 'GET /healthz HTTP/1.1\r\nhost: x\r\nx-a: \0\r\n\r\n'],
  ])('that is %s is refused, and the connection closed', async (_, bytes) => {
    const { relay } = await acme();
    const connection = await RawConnection.open(relay.port);
    connection.write(bytes);
    const answer = await connection.answer();
    expect(answer?.status).toBe(400);
    expect(JSON.parse(answer?.body ?? '')).toMatchObject({
      error: { code: 400, details: [{ reason: 'INVALID_REQUEST' }] },
    });
    await connection.closed();
  });
});

describe('a connection', () => {
  test('carries many requests, one after the other and all at once', async () => {
    const { relay, frank } = await acme();
    const connection = await RawConnection.open(relay.port);
    connection.write(Buffer.concat(Array.from({ length: 50 }, (_, n) => send(frank, 'SendMessage', `m${n}`))));
    for (let n = 0; n < 50; n++) {
      const answer = await connection.answer();
      expect(JSON.parse(answer?.body ?? '')).toMatchObject({
        id: `m${n}`,
        result: { task: { history: [{ messageId: `m${n}` }] } },
      });
    }
    expect((await frank.call('ListTasks', {})).totalSize).toBe(50);
  });

  test('that breaks frees what was behind others on it, and was never begun', async () => {
    const { relay, alice, frank } = await acme({ blockMs: 3_600_000 });
    const inbox = await openInbox(alice);
    const connection = await RawConnection.open(relay.port);
    const { host = '', authorization = '' } = headersOf(frank);
    // a call that waits, and behind it two streams
    connection.write(
      Buffer.concat([
        send(frank, 'SendMessage', 'waits'),
        send(frank, 'SendStreamingMessage', 'streams'),
        rawRequest('GET', '/v1/inbox/events?desk_id=first', { host, authorization }),
      ]),
    );
    await isStored(frank, 'streams');
    connection.destroy();
    await connection.closed();
    await isGone(alice, frank);
    // the place of a desk is free as well
    const second = await openInbox(frank, { deskId: 'second' });
    expect((await second.sse.next())?.event).toBe('resync');
    second.destroy();
    inbox.destroy();
  });

  test('that breaks frees a call that waits', async () => {
    const { relay, alice, frank } = await acme({ blockMs: 3_600_000 });
    const inbox = await openInbox(alice);
    const connection = await RawConnection.open(relay.port);
    connection.write(send(frank, 'SendMessage', 'waits'));
    await isStored(frank, 'waits');
    connection.destroy();
    await connection.closed();
    await expect(isGone(alice, frank)).resolves.toBeUndefined();
    inbox.destroy();
  });

  test('that is kept alive is not held up by a call that waits on another', async () => {
    const { alice, frank } = await acme({ blockMs: 3_600_000 });
    const inbox = await openInbox(alice);
    const agent = new Agent({ keepAlive: true });
    const busy = new A2aClient({ url: frank.url, apiKey: frank.apiKey, handle: frank.handle, agent });
    const waiting = busy.call('SendMessage', message('waits'), { at });
    const { task_id } = await inbox.handoff();
    for (let n = 0; n < 20; n++) await busy.call('ListTasks', {});
    await alice.extension('tasks/update', { task_id, transition: 'decline' });
    expect(await waiting).toHaveProperty('task.status.state', 'TASK_STATE_REJECTED');
    agent.destroy();
    inbox.destroy();
  });
});

describe('a relay that stops', () => {
  const LARGE_TEXT = 'x'.repeat(900_000);

  /** A thread that is far more than the sockets of both sides hold. */
  async function largeThread(frank: A2aClient): Promise<string> {
    const sent = await frank.call('SendMessage', message('m'), { at });
    if (!('task' in sent)) throw new Error('a message, where a task was expected');
    const { id: taskId } = sent.task;
    for (let n = 0; n < 8; n++) {
      await frank.call('SendMessage', {
        ...message(`m${n}`, { taskId, parts: [{ text: LARGE_TEXT }] }),
        configuration: { historyLength: 0 },
      });
    }
    return taskId;
  }

  test.each(['GetTask', 'SubscribeToTask'] as const)('lets a large answer of %s arrive whole', async (method) => {
    const { relay, alice, frank } = await acme();
    const id = await largeThread(frank);
    const agent = new Agent({ keepAlive: true });
    const readers = [alice, new A2aClient({ url: alice.url, apiKey: alice.apiKey, agent })];
    const responses = await Promise.all(
      readers.map((reader) =>
        reader.open('POST', '/a2a', { headers: headersOf(reader), body: rpcBody(method, { id }) }),
      ),
    );
    // the head is here: what remains is on its way
    const closing = relay.close();
    const bodies = await Promise.all(
      responses.map(async (response) => {
        let body = '';
        for await (const piece of response.setEncoding('utf8')) body += String(piece);
        return body;
      }),
    );
    await closing;
    for (const body of bodies) expect(body.split(LARGE_TEXT).length - 1).toBe(8);
    expect(responses.map(({ complete }) => complete)).toEqual([true, true]);
    agent.destroy();
  });

  test('takes nothing new while a last answer is on its way', async () => {
    const { relay, frank } = await acme();
    const id = await largeThread(frank);
    const stuck = await RawConnection.open(relay.port);
    stuck.write(rawRequest('POST', at, headersOf(frank), rpcBody('GetTask', { id })));
    await stuck.getStuck();
    const idle = await RawConnection.open(relay.port);
    idle.write(rawRequest('POST', at, headersOf(frank), rpcBody('ListTasks', {})));
    await idle.answer();
    const closing = relay.close();
    idle.write(send(frank, 'SendMessage', 'late'));
    const answer = await idle.answer();
    expect(answer?.body).toContain('SHUTTING_DOWN');
    expect(answer?.headers.get('connection')).toBe('close');
    await idle.closed();
    await expect(RawConnection.open(relay.port)).rejects.toThrow(/ECONNREFUSED/);
    await closing;
    await expect(stuck.broken()).resolves.toBeUndefined();
  });

  test('keeps nobody waiting when nothing is on its way', async () => {
    const { relay, alice, frank } = await acme();
    const agent = new Agent({ keepAlive: true });
    await new A2aClient({ url: frank.url, apiKey: frank.apiKey, agent }).call('ListTasks', {});
    const inbox = await openInbox(alice);
    const from = performance.now();
    await relay.close();
    expect(performance.now() - from).toBeLessThan(900);
    inbox.destroy();
    agent.destroy();
  });

  test('answers those who wait, with the task as it stands', async () => {
    const { relay, alice, frank } = await acme({ blockMs: 3_600_000 });
    await openInbox(alice);
    const waiting = Array.from({ length: 20 }, (_, n) => frank.call('SendMessage', message(`m${n}`), { at }));
    await Promise.all(Array.from({ length: 20 }, (_, n) => isStored(frank, `m${n}`)));
    await relay.close();
    const answers = await Promise.all(waiting);
    for (const answer of answers) expect(answer).toHaveProperty('task.status.state', 'TASK_STATE_SUBMITTED');
  });

  test('ends every stream in an orderly way', async () => {
    const { relay, alice, frank } = await acme();
    const inbox = await openInbox(alice);
    const stream = await frank.stream('SendStreamingMessage', message('m'), { at });
    await stream.next();
    await relay.close();
    await Promise.all([stream.rest(), inbox.sse.rest()]);
    expect([stream.sse.response.complete, inbox.sse.response.complete]).toEqual([true, true]);
  });

  test('is not kept by idle connections, or by requests that never end', async () => {
    const { relay, frank } = await acme();
    const agent = new Agent({ keepAlive: true });
    await new A2aClient({ url: frank.url, apiKey: frank.apiKey, agent }).call('ListTasks', {});
    const half = await RawConnection.open(relay.port);
    half.write(send(frank, 'SendMessage', 'm').subarray(0, 100));
    await frank.call('ListTasks', {});
    await relay.close();
    await half.closed();
    await expect(frank.call('ListTasks', {})).rejects.toThrow(/ECONNREFUSED/);
    agent.destroy();
  });

  test('is not kept by a reader who takes nothing', async () => {
    const { relay, alice, frank } = await acme();
    const stream = await frank.stream('SendStreamingMessage', message('m'), { at });
    const first = await stream.next();
    if (first === undefined || !('task' in first)) throw new Error('the task comes first');
    stream.sse.response.pause();
    stream.sse.response.socket.pause();
    // more than the sockets of both sides hold
    const artifacts = [{ artifactId: 'a', parts: [{ text: 'x'.repeat(900_000) }] }];
    for (let n = 0; n < 6; n++) await alice.extension('tasks/update', { task_id: first.task.id, artifacts });
    await expect(relay.close()).resolves.toBeUndefined();
    stream.destroy();
  });

  test('refuses what arrives meanwhile, and says so', async () => {
    const { relay, alice, frank } = await acme({ blockMs: 3_600_000 });
    await openInbox(alice);
    const connection = await RawConnection.open(relay.port);
    const { authorization = '', host = '' } = headersOf(frank);
    connection.write(send(frank, 'SendMessage', 'waits').subarray(0, 150));
    await frank.call('ListTasks', {});
    const closing = relay.close();
    connection.write(send(frank, 'SendMessage', 'waits').subarray(150));
    const answer = await connection.answer();
    expect(answer?.status).toBe(200);
    expect(JSON.parse(answer?.body ?? '')).toMatchObject({
      id: 'waits',
      error: { code: -32000, data: [{ reason: 'SHUTTING_DOWN' }] },
    });
    expect(answer?.headers.get('connection')).toBe('close');
    connection.write(rawRequest('GET', '/v1/inbox/events?desk_id=d', { host, authorization }));
    await connection.closed();
    await closing;
  });
});

test('a thousand calls that wait cost little, and all are answered when the relay stops', async () => {
  const { relay, alice, frank } = await acme({ blockMs: 3_600_000 });
  await openInbox(alice);
  const CALLS = 1000;
  // opened before the measurement: what is counted is what a call costs
  const connections = await Promise.all(Array.from({ length: CALLS }, () => RawConnection.open(relay.port)));
  const requests = connections.map((_, n) => send(frank, 'SendMessage', `m${n}`));
  const before = heapInUse();
  for (const [n, connection] of connections.entries()) connection.write(requests[n] ?? '');
  while ((await frank.call('ListTasks', { pageSize: 1 })).totalSize < CALLS);
  // request, response, timer and cursor, and the handoff in the tail of the log
  expect((heapInUse() - before) / CALLS).toBeLessThan(40_000);
  await relay.close();
  for (const connection of connections) {
    const answer = await connection.answer();
    expect(JSON.parse(answer?.body ?? '')).toHaveProperty('result.task.status.state', 'TASK_STATE_SUBMITTED');
  }
});
