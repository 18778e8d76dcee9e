import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { headersOf, message, rpcBody } from '../../support/a2a-client.ts';
import { openInbox } from '../../support/inbox.ts';
import { isGone } from '../../support/presence.ts';
import { RawConnection, rawRequest } from '../../support/raw-connection.ts';
import { relayForTest } from '../../support/relay.ts';

const at = '/a/alice';

async function acme(options: Parameters<typeof relayForTest>[0] = {}) {
  const relay = await relayForTest(options);
  return { relay, alice: await relay.agent('alice'), frank: await relay.agent('frank') };
}

describe('a reader who takes nothing', () => {
  /** Far more than the sockets of both sides hold. */
  const LARGE = 9;
  const inTime = { graceMs: 60, bytesPerSecond: 1e9 };
  const atLeisure = { graceMs: 60, bytesPerSecond: 1 };

  async function withThread(options: Parameters<typeof relayForTest>[0]) {
    const { relay, alice, frank } = await acme(options);
    const sent = await frank.call('SendMessage', message('m'), { at });
    if (!('task' in sent)) throw new Error('a message, where a task was expected');
    const { id } = sent.task;
    return {
      relay,
      alice,
      frank,
      id,
      async grow() {
        for (let n = 0; n < LARGE; n++) await frank.call('SendMessage', large(n, id));
      },
    };
  }
  const large = (n: number, taskId: string) => ({
    ...message(`m${n}`, { taskId, parts: [{ text: 'x'.repeat(900_000) }] }),
    configuration: { historyLength: 0, returnImmediately: true },
  });

  async function stuck({ relay, alice, id }: Awaited<ReturnType<typeof withThread>>, method: string) {
    const connection = await RawConnection.open(relay.port);
    connection.write(rawRequest('POST', '/a2a', headersOf(alice), rpcBody(method, { id })));
    await connection.getStuck();
    return connection;
  }

  test.each(['GetTask', 'SubscribeToTask'])('of %s is dropped', async (method) => {
    const given = await withThread({ pace: inTime });
    await given.grow();
    const readers = await Promise.all(Array.from({ length: 2 }, () => stuck(given, method)));
    await Promise.all(readers.map((reader) => reader.broken()));
    await expect(isGone(given.frank, given.alice)).resolves.toBeUndefined();
  });

  test('is dropped when its stream has reached its age', async () => {
    const given = await withThread({ pace: atLeisure, streamMaxAgeMs: 100 });
    await given.grow();
    await expect((await stuck(given, 'SubscribeToTask')).broken()).resolves.toBeUndefined();
  });

  test.each(['the same desk', 'another desk'])('is dropped when %s takes its place', async (desk) => {
    const given = await withThread({ pace: atLeisure });
    const { relay, alice } = given;
    const first = await RawConnection.open(relay.port);
    const { host = '', authorization = '' } = headersOf(alice);
    first.write(rawRequest('GET', '/v1/inbox/events?desk_id=the%20same%20desk', { host, authorization }));
    await first.getStuck();
    await given.grow();
    const second = await openInbox(alice, { deskId: desk, takeOver: true });
    await first.broken();
    expect((await second.next('resync')).event).toBe('resync');
    second.destroy();
  });

  test('is told from one who is slow: what is large may take its time', async () => {
    const given = await withThread({ pace: { graceMs: 60, bytesPerSecond: 4_000_000 } });
    await given.grow();
    const response = await given.alice.open('POST', '/a2a', {
      headers: headersOf(given.alice),
      body: rpcBody('GetTask', { id: given.id }),
    });
    let length = 0;
    const from = performance.now();
    for await (const bytes of response) {
      length += (bytes as Buffer).length;
      await pause(2);
    }
    expect(performance.now() - from).toBeGreaterThan(200);
    expect(length).toBe(Number(response.headers['content-length']));
    expect(length).toBeGreaterThan(LARGE * 900_000);
  });

  test('is told from one who has nothing to read', async () => {
    const { alice, frank } = await withThread({ pace: inTime, heartbeatMs: 20 });
    const inbox = await openInbox(alice);
    // several times the grace
    while (inbox.sse.comments < 15) await inbox.sse.news();
    await frank.call('SendMessage', { ...message('late'), configuration: { returnImmediately: true } }, { at });
    await expect(inbox.handoff()).resolves.toHaveProperty('task_id');
    inbox.destroy();
  });
});
