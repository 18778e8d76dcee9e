import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { NewAgent, Replies } from '../../relay/store/ports.ts';
import type { Store } from '../../relay/store/store.ts';
import { openDatabase, type Database } from '../../relay/store/sqlite/database.ts';
import { createDirectory } from '../../relay/store/sqlite/directory.ts';
import { createTaskLog, type SqliteTaskLog } from '../../relay/store/sqlite/task-log.ts';
import { openSqliteStore } from '../../relay/store/sqlite/store.ts';
import { tempDir } from './temp-dir.ts';

/** An agent as it is registered, of the name that is given. */
export function newAgent(name: string, replies: Replies = 'append'): NewAgent {
  return {
    uid: `uid of ${name}`,
    name,
    kind: replies === 'complete' ? 'a2a' : 'desk',
    replies,
    displayName: name,
    description: `${name} takes handoffs here.`,
    skills: [],
    repos: [],
    listed: true,
    contacts: 'auto',
  };
}

/** A key's hash as the directory wants it: 32 bytes, another for each seed. */
export function keyHash(seed: number): Uint8Array {
  return new Uint8Array(32).fill(seed);
}

/** A real store in a folder of its own, with agents 1, 2 and 3: alice, frank and ext-bot. */
export interface TestStore {
  readonly store: Store;
  readonly file: string;
  readonly dir: string;
}

/** The caller closes it; a test that wants that done by itself uses `storeForTest`. */
export async function openTestStore(clock: () => number): Promise<TestStore & { close(): Promise<void> }> {
  const opened = openIn(mkdtempSync(join(tmpdir(), 'agentrelay-test-')), clock);
  await registerAll(opened.store);
  return opened;
}

/** Closed and gone when the running test ends. */
export async function storeForTest(clock: () => number = Date.now): Promise<TestStore> {
  const opened = await openTestStore(clock);
  onTestFinished(() => opened.close());
  return opened;
}

/** The log of such a store, with the connection beneath it. */
export async function logForTest(threadSize?: number): Promise<{ db: Database; log: SqliteTaskLog; file: string }> {
  const dir = tempDir();
  const file = join(dir, 'relay.db');
  const db = openDatabase({ file, backups: join(dir, 'backups'), clock: Date.now });
  onTestFinished(() => void db.close());
  await registerAll({ directory: createDirectory(db, Date.now) });
  return { db, log: createTaskLog(db, 'epoch', threadSize), file };
}

/** Gives stores that are all alike at their beginning, faster than each could be made: for properties. */
export async function storeFactory(
  clock: () => number,
): Promise<(use: (store: TestStore) => Promise<void>) => Promise<void>> {
  const template = await storeForTest(clock);
  await template.store.close();
  return async (use) => {
    const dir = mkdtempSync(join(tmpdir(), 'agentrelay-test-'));
    copyFileSync(template.file, join(dir, 'relay.db'));
    const opened = openIn(dir, clock);
    try {
      await use(opened);
    } finally {
      await opened.close();
    }
  };
}

function openIn(dir: string, clock: () => number): TestStore & { close(): Promise<void> } {
  const store = openSqliteStore({ dataDir: dir, clock });
  return {
    store,
    dir,
    file: join(dir, 'relay.db'),
    async close() {
      await store.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

async function registerAll({ directory }: Pick<Store, 'directory'>): Promise<void> {
  const agents = [newAgent('alice'), newAgent('frank'), newAgent('ext-bot', 'complete')];
  for (const [index, agent] of agents.entries()) {
    await directory.createAgent(agent, { hash: keyHash(index), scopes: ['send', 'receive'] });
  }
}
