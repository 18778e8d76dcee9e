import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRelay } from '../../relay/server.ts';
import { announce } from './server-process.ts';

// A relay as it is shipped: on disk, every commit synced.
const dataDir = mkdtempSync(join(tmpdir(), 'agentrelay-bench-'));
const relay = await createRelay({ dataDir, name: 'bench' });
const url = await relay.listen({ host: '127.0.0.1', port: 0 });
const sender = await relay.register({ handle: 'frank', kind: 'a2a', contacts: 'auto' });
const recipient = await relay.register({ handle: 'alice', kind: 'desk', contacts: 'auto' });

announce(
  { port: Number(new URL(url).port), path: '/a/alice', key: sender.apiKey, otherKey: recipient.apiKey },
  async () => {
    await relay.close();
    rmSync(dataDir, { recursive: true, force: true });
  },
);
