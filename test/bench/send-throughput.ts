import { randomUUID } from 'node:crypto';
import { runLoad, type Round } from './raw-client.ts';
import { startServer, type Ready } from './server-process.ts';
import { budget, spread } from './stats.ts';

export interface ThroughputOptions {
  readonly rounds: number;
  /** Seconds of one round. */
  readonly seconds: number;
  readonly connections: number;
  /** Whether the run is too short to be held against a budget. */
  readonly isQuick: boolean;
}

/**
 * Durable SendMessage with returnImmediately, against the official SDK's in-memory Express server: the same client and
 * the same bytes, in turns, each pair of rounds giving one ratio.
 */
export async function sendThroughput({ rounds, seconds, connections, isQuick }: ThroughputOptions): Promise<void> {
  const relay = await startServer('relay-server.ts');
  const sdk = await startServer('sdk-server.ts');
  try {
    const load = (ready: Ready, length: number): Promise<Round> =>
      runLoad({ port: ready.port, connections, seconds: length, request: sendRequest(ready) });
    await load(relay.ready, 1);
    await load(sdk.ready, 1);
    const pairs: { relay: number; sdk: number }[] = [];
    for (let round = 0; round < rounds; round++) {
      const ours = await load(relay.ready, seconds);
      const theirs = await load(sdk.ready, seconds);
      if (ours.failed + theirs.failed > 0) throw new Error('some sends failed');
      pairs.push({ relay: ours.requests / ours.seconds, sdk: theirs.requests / theirs.seconds });
    }
    console.log(
      `durable SendMessage (returnImmediately), ${connections} connections, ${rounds} × ${seconds} s, in turns`,
    );
    console.log(
      `  relay, synced to disk      ${spread(
        pairs.map((p) => p.relay),
        0,
      )} requests/s`,
    );
    console.log(
      `  @a2a-js/sdk, in memory     ${spread(
        pairs.map((p) => p.sdk),
        0,
      )} requests/s`,
    );
    console.log(
      `  ratio                      ${spread(
        pairs.map((p) => p.relay / p.sdk),
        2,
      )}${budget('at least 1.5', isQuick)}`,
    );
  } finally {
    await relay.stop();
    await sdk.stop();
  }
}

function sendRequest({ port, path, key }: Ready): (n: number) => Buffer {
  return (n) => {
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: n,
      method: 'SendMessage',
      params: {
        message: {
          messageId: randomUUID(),
          role: 'ROLE_USER',
          parts: [{ text: 'The rate limiter returns 500 instead of 429 when its store is slow.' }],
        },
        configuration: { returnImmediately: true },
      },
    });
    return Buffer.from(
      `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\nA2A-Version: 1.0\r\n` +
        `Authorization: Bearer ${key}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
  };
}
