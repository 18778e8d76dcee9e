import { once } from 'node:events';
import { Agent, request } from 'node:https';
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import { message, rpcBody } from '../../support/a2a-client.ts';
import { CERTIFICATE } from '../../support/certificate.ts';
import { relayForTest } from '../../support/relay.ts';
import { SseStream } from '../../support/sse.ts';
import { sourcesOf } from './conformance/requirements/titles.ts';

async function acme(options: Parameters<typeof relayForTest>[0] = {}) {
  const relay = await relayForTest({ edge: { tls: CERTIFICATE }, ...options });
  const agent = new Agent({ ca: CERTIFICATE.cert, keepAlive: true });
  onTestFinished(() => agent.destroy());
  const alice = (await relay.agent('alice')).apiKey;
  const frank = (await relay.agent('frank')).apiKey;
  /** Up to the head of the answer. */
  const open = async (
    method: string,
    path: string,
    headers: OutgoingHttpHeaders,
    body = '',
  ): Promise<IncomingMessage> => {
    const outgoing = request(new URL(path, relay.url), { method, headers, agent });
    outgoing.on('error', () => undefined).end(body);
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
    return response;
  };
  const rpc = (key: string, method: string, params: Parameters<typeof rpcBody>[1], path = '/a/alice') =>
    open(
      'POST',
      path,
      { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'a2a-version': '1.0' },
      rpcBody(method, params),
    );
  return { relay, alice, frank, open, rpc };
}

describe('a relay with a certificate', () => {
  test(`says so wherever it says where it is (A2A ${sourcesOf(['4.4.6-1', '14.3-3'])})`, async () => {
    const { relay, open } = await acme();
    expect(relay.url).toMatch(/^https:/);
    const card: unknown = JSON.parse(await text(await open('GET', '/a/alice', { 'a2a-version': '1.0' })));
    expect(card).toMatchObject({
      supportedInterfaces: expect.arrayContaining([expect.objectContaining({ url: `${relay.url}/a/alice` })]),
    });
  });

  test('sends, streams and ends streams as any other', async () => {
    const { relay, alice, frank, open, rpc } = await acme();
    const response = await open('GET', '/v1/inbox/events?desk_id=d', { authorization: `Bearer ${alice}` });
    const inbox = new SseStream(response);
    const sent = await rpc(frank, 'SendMessage', { ...message('m'), configuration: { returnImmediately: true } });
    expect(JSON.parse(await text(sent))).toHaveProperty('result.task.id');
    for (;;) {
      const event = await inbox.next();
      if (event === undefined || event.event === 'handoff') break;
    }
    const closing = relay.relay.close();
    await inbox.rest();
    expect(response.complete).toBe(true);
    await closing;
  });

  test('answers those who wait when it stops', async () => {
    const { relay, alice, frank, open, rpc } = await acme({ blockMs: 3_600_000 });
    await open('GET', '/v1/inbox/events?desk_id=d', { authorization: `Bearer ${alice}` });
    const waiting = rpc(frank, 'SendMessage', message('m'));
    for (;;) {
      const list: unknown = JSON.parse(await text(await rpc(frank, 'ListTasks', { pageSize: 1 }, '/a2a')));
      if (JSON.stringify(list).includes('text of m')) break;
    }
    await relay.relay.close();
    expect(JSON.parse(await text(await waiting))).toHaveProperty('result.task.status.state', 'TASK_STATE_SUBMITTED');
  });

  test('drops a reader who takes nothing', async () => {
    const { alice, frank, rpc } = await acme({ pace: { graceMs: 60, bytesPerSecond: 1e9 } });
    const sent = JSON.parse(await text(await rpc(frank, 'SendMessage', message('m')))) as {
      result: { task: { id: string } };
    };
    const { id } = sent.result.task;
    // more than the sockets of both sides hold
    for (let n = 0; n < 9; n++) {
      const large = message(`m${n}`, { taskId: id, parts: [{ text: 'x'.repeat(900_000) }] });
      const configuration = { historyLength: 0, returnImmediately: true };
      await text(await rpc(frank, 'SendMessage', { ...large, configuration }));
    }
    const stuck = await rpc(alice, 'GetTask', { id }, '/a2a');
    stuck.pause();
    const broken = new Promise((resolve) => stuck.socket.once('close', resolve));
    // who reads nothing finds out by writing
    const writing = setInterval(() => stuck.socket.write('\r\n'), 10);
    stuck.socket.on('error', () => undefined);
    stuck.on('error', () => undefined);
    await broken;
    clearInterval(writing);
    expect(stuck.complete).toBe(false);
  });
});
