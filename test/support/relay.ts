import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { onTestFinished } from 'vitest';
import type { Registration } from '../../relay/identity/registry.ts';
import { createRelay, type Relay, type RelayOptions } from '../../relay/server.ts';
import { A2aClient } from './a2a-client.ts';

/** A real relay on a port and in a folder of its own. */
export interface TestRelay {
  readonly relay: Relay;
  readonly url: string;
  readonly port: number;
  readonly dataDir: string;
  /** Registers an agent, which takes everybody unless the test says otherwise, and answers with a client that holds its key. */
  agent(handle: string, registration?: Omit<Registration, 'handle'>): Promise<A2aClient>;
  /** What is committed: number of rows in each table of the store's file. */
  rows(): Record<string, number>;
  close(): Promise<void>;
}

export const RELAY_NAME = 'acme';

/** Starts a relay. The caller closes it; a test that wants it closed by itself uses `relayForTest`. */
export async function startRelay(options: Partial<RelayOptions> = {}): Promise<TestRelay> {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'agentrelay-test-'));
  const relay = await createRelay({ name: RELAY_NAME, ...options, dataDir });
  const url = await relay.listen({ host: '127.0.0.1', port: 0 });
  const rows = rowCounter(join(dataDir, 'relay.db'));
  return {
    relay,
    url,
    port: Number(new URL(url).port),
    dataDir,
    async agent(handle, registration = {}) {
      const { apiKey, handle: full } = await relay.register({ contacts: 'auto', ...registration, handle });
      return new A2aClient({ url, apiKey, handle: full });
    },
    rows: () => rows.count(),
    async close() {
      rows.close();
      await relay.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** A relay that is closed when the running test ends. */
export async function relayForTest(options: Partial<RelayOptions> = {}): Promise<TestRelay> {
  const relay = await startRelay(options);
  onTestFinished(() => relay.close());
  return relay;
}

/** Counts rows over a connection of its own, which sees what is committed. */
function rowCounter(file: string): { count(): Record<string, number>; close(): void } {
  const db = new Sqlite(file, { readonly: true });
  const tables = db
    .prepare<[], { name: string }>("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
    .all();
  const counts = tables.map(({ name }) => ({
    name,
    statement: db.prepare<[], { n: number }>(`SELECT count(*) AS n FROM ${name}`),
  }));
  return {
    count: () => Object.fromEntries(counts.map(({ name, statement }) => [name, statement.get()?.n ?? 0])),
    close: () => db.close(),
  };
}
