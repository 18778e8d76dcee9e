import { createHook } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import { Agent } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { createKey } from '../../../relay/identity/keys.ts';
import { A2aClient, headersOf, message, rpcBody } from '../../support/a2a-client.ts';
import { openInbox } from '../../support/inbox.ts';
import { IS_LONG, PATIENCE_MS } from '../../support/long.ts';
import { heapInUse } from '../../support/memory.ts';
import { RawConnection, rawRequest } from '../../support/raw-connection.ts';
import { startRelayProcess } from '../../support/relay-in-process.ts';
import { relayForTest } from '../../support/relay.ts';
import { tempDir } from '../../support/temp-dir.ts';

const at = '/a/alice';
/** Blocked at once; in the long form, as many as there may be. */
const SENDERS = IS_LONG ? 5000 : 1000;
/**
 * What they may add to the resident memory of a relay that has been at work: one with its newest events, pages of its
 * store and compiled code in memory, and a heap that has held a fifth of them before. Of few, the heap's slack is most.
 */
const MOST = IS_LONG ? 150e6 : 75e6;

/** A number of the relay's own metrics. */
async function metric(client: A2aClient, name: string): Promise<number> {
  const { body } = await client.http('GET', '/metrics');
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(body)?.[1]);
}

async function becomes(client: A2aClient, name: string, value: number): Promise<void> {
  while ((await metric(client, name)) !== value) await pause(20);
}

describe('many blocked senders', () => {
  /** So many calls that wait for alice, each on a connection of its own. */
  async function block(frank: A2aClient, wave: string, count: number): Promise<RawConnection[]> {
    const port = Number(new URL(frank.url).port);
    const connections: RawConnection[] = [];
    for (let n = 0; n < count; n++) {
      const connection = await RawConnection.open(port);
      connection.write(rawRequest('POST', at, headersOf(frank), rpcBody('SendMessage', message(`${wave} ${n}`), n)));
      connections.push(connection);
    }
    await becomes(frank, 'agentrelay_waiting_calls', count);
    return connections;
  }

  /** Many sends, a few at once, none of which waits. */
  async function work({ url, apiKey }: A2aClient): Promise<void> {
    const agent = new Agent({ keepAlive: true });
    const client = new A2aClient({ url, apiKey, agent });
    const configuration = { returnImmediately: true, historyLength: 0 };
    let sent = 0;
    const sendMany = async (): Promise<void> => {
      while (sent < SENDERS) await client.call('SendMessage', { ...message(`work ${sent++}`), configuration }, { at });
    };
    await Promise.all(Array.from({ length: 16 }, sendMany));
    agent.destroy();
  }

  async function leave(frank: A2aClient, connections: readonly RawConnection[]): Promise<void> {
    for (const connection of connections) connection.destroy();
    await becomes(frank, 'agentrelay_waiting_calls', 0);
  }

  test(
    'cost little, are answered when the recipient decides, and are let go of when they leave',
    { timeout: PATIENCE_MS },
    async () => {
      const keys = { alice: createKey(randomBytes), frank: createKey(randomBytes) };
      const { url } = await startRelayProcess(tempDir(), keys);
      const alice = new A2aClient({ url, apiKey: keys.alice });
      const frank = new A2aClient({ url, apiKey: keys.frank });
      const inbox = await openInbox(alice);
      const resident = () => metric(frank, 'process_resident_memory_bytes');
      if (IS_LONG) await work(frank);
      await leave(frank, await block(frank, 'warm up', SENDERS / 5));

      const before = await resident();
      const connections = await block(frank, 'first', SENDERS);
      expect((await resident()) - before).toBeLessThan(MOST);

      const decided = await alice.extension('tasks/list', {
        filter: { role: 'recipient', status: ['pending'] },
        page: { limit: 20 },
      });
      const { tasks } = decided as unknown as { tasks: { id: string }[] };
      expect(tasks).toHaveLength(20);
      for (const { id } of tasks) {
        await alice.extension('tasks/update', { task_id: id, transition: 'decline', reason: 'Not today.' });
      }
      await becomes(frank, 'agentrelay_waiting_calls', SENDERS - tasks.length);
      const answers = await Promise.all(
        connections.map((connection) => Promise.race([connection.answer('POST'), Promise.resolve(undefined)])),
      );
      expect(answers.filter((answer) => answer !== undefined)).toHaveLength(tasks.length);
      for (const answer of answers) {
        if (answer !== undefined) expect(answer.body).toContain('"state":"TASK_STATE_REJECTED"');
      }

      await leave(frank, connections);
      inbox.destroy();
    },
  );
});

test('calls that waited leave no more behind than calls that did not', async () => {
  const relay = await relayForTest({ blockMs: 3_600_000 });
  const alice = await relay.agent('alice');
  const frank = await relay.agent('frank');
  const inbox = await openInbox(alice);
  const COUNT = 300;
  /** Bytes that each call of a wave leaves behind. */
  const wave = async (name: string, returnImmediately: boolean): Promise<number> => {
    const before = heapInUse();
    const connections = await Promise.all(Array.from({ length: COUNT }, () => RawConnection.open(relay.port)));
    for (const [n, connection] of connections.entries()) {
      const params = { ...message(`${name} ${n}`), configuration: { returnImmediately } };
      connection.write(rawRequest('POST', at, headersOf(frank), rpcBody('SendMessage', params)));
      if (returnImmediately) await connection.answer('POST');
    }
    await becomes(frank, 'agentrelay_waiting_calls', returnImmediately ? 0 : COUNT);
    for (const connection of connections) connection.destroy();
    await becomes(frank, 'agentrelay_waiting_calls', 0);
    return (heapInUse() - before) / COUNT;
  };
  await wave('warm up', false);
  await wave('warm up too', true);
  const [plain, waited] = [await wave('plain', true), await wave('waited', false)];
  expect(waited).toBeLessThan(plain + 1500);
  inbox.destroy();
});

/** Timers that are made and not yet over, of those made while `during` runs. */
async function timersMade(during: () => Promise<void>): Promise<number> {
  const made = new Set<number>();
  const hook = createHook({
    init: (id, type) => void (type === 'Timeout' && made.add(id)),
    destroy: (id) => void made.delete(id),
  }).enable();
  try {
    await during();
    return made.size;
  } finally {
    hook.disable();
  }
}

test('a call that waits has one timer, and a stream two, whatever happens meanwhile', async () => {
  const relay = await relayForTest({ blockMs: 3_600_000 });
  const alice = await relay.agent('alice');
  const frank = await relay.agent('frank');
  const inbox = await openInbox(alice);
  const waiting = (count: number) => becomes(frank, 'agentrelay_waiting_calls', count);
  const COUNT = 20;
  const connections = await Promise.all(Array.from({ length: COUNT }, () => RawConnection.open(relay.port)));
  const send = (connection: RawConnection, method: string, n: number): void =>
    connection.write(rawRequest('POST', at, headersOf(frank), rpcBody(method, message(`${method} ${n}`))));
  // sockets of node:http have their own, for idleness: they are there already
  const idle = await timersMade(() => waiting(0));

  const calls = await timersMade(async () => {
    for (const [n, connection] of connections.entries()) send(connection, 'SendMessage', n);
    await waiting(COUNT);
  });
  // not two each
  expect(calls - idle).toBeLessThan(1.5 * COUNT);
  expect(calls - idle).toBeGreaterThan(COUNT / 2);

  const streaming = await Promise.all(Array.from({ length: COUNT }, () => RawConnection.open(relay.port)));
  const streams = await timersMade(async () => {
    for (const [n, connection] of streaming.entries()) {
      send(connection, 'SendStreamingMessage', n);
      await connection.answer('POST');
    }
  });
  // one for its signs of life, one for its age
  expect(streams - idle).toBeLessThan(2.5 * COUNT);
  for (const connection of [...connections, ...streaming]) connection.destroy();
  await waiting(0);
  inbox.destroy();
});
