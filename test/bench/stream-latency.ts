import { randomUUID } from 'node:crypto';
import { EventSource } from 'eventsource';
import { startServer } from './server-process.ts';
import { budget, quantile } from './stats.ts';

export interface LatencyOptions {
  readonly sends: number;
  /** Whether the run is too short to be held against a budget. */
  readonly isQuick: boolean;
}

/** From the start of a SendMessage to its frame on the recipient's inbox stream, both ends in this process. */
export async function streamLatency({ sends, isQuick }: LatencyOptions): Promise<void> {
  const server = await startServer('relay-server.ts');
  const { port, path, key, otherKey } = server.ready;
  const base = `http://127.0.0.1:${port}`;
  const arrivals = new Map<string, (at: number) => void>();
  const inbox = new EventSource(`${base}/v1/inbox/events?desk_id=bench`, {
    fetch: (url, init) => fetch(url, { ...init, headers: { ...init.headers, authorization: `Bearer ${otherKey}` } }),
  });
  try {
    await new Promise((resolve) => {
      inbox.addEventListener('resync', resolve, { once: true });
    });
    inbox.addEventListener('handoff', ({ data }) => {
      const at = performance.now();
      const text = String(data);
      for (const [id, arrived] of arrivals) if (text.includes(id)) arrived(at);
    });
    const samples: number[] = [];
    for (let n = 0; n < sends + 50; n++) {
      const messageId = randomUUID();
      const arrived = new Promise<number>((resolve) => {
        arrivals.set(messageId, resolve);
      });
      const started = performance.now();
      const response = await fetch(base + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'a2a-version': '1.0', authorization: `Bearer ${key}` },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: n,
          method: 'SendMessage',
          params: {
            message: { messageId, role: 'ROLE_USER', parts: [{ text: 'hello' }] },
            configuration: { returnImmediately: true },
          },
        }),
      });
      await response.arrayBuffer();
      const took = (await arrived) - started;
      arrivals.delete(messageId);
      // the first ones warm both sides up
      if (n >= 50) samples.push(took);
    }
    console.log(`send → recipient's inbox stream, ${sends} sends, one at a time`);
    console.log(`  p50 ${quantile(samples, 0.5).toFixed(1)} ms${budget('at most 5', isQuick)}`);
    console.log(`  p99 ${quantile(samples, 0.99).toFixed(1)} ms${budget('at most 25', isQuick)}`);
  } finally {
    inbox.close();
    await server.stop();
  }
}
