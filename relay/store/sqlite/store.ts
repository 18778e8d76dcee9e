import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { z } from 'zod';
import type { RelayIdentity } from '../ports.ts';
import type { Store } from '../store.ts';
import { createContactStore } from './contacts.ts';
import { closeDatabase, openDatabase, type Database } from './database.ts';
import { createDirectory } from './directory.ts';
import { createInviteStore } from './invites.ts';
import { createKeyStore } from './keys.ts';
import { createLeases } from './leases.ts';
import { createPushStore } from './push-store.ts';
import { createTaskLog } from './task-log.ts';

export interface SqliteStoreOptions {
  /** Holds `relay.db` and `backups/`. */
  readonly dataDir: string;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** Told how long each group of commands took to be stored and synced. */
  readonly onGroup?: (milliseconds: number) => void;
}

const identitySchema: z.ZodType<RelayIdentity> = z.object({ id: z.string(), name: z.string(), privateKey: z.string() });

/** Opens (or makes) the store in a data folder that this process owns. Fails with STORAGE_FAILED. */
export function openSqliteStore({ dataDir, clock, onGroup }: SqliteStoreOptions): Store {
  const db = openDatabase({ file: join(dataDir, 'relay.db'), backups: join(dataDir, 'backups'), clock });
  const getOrSet = createMeta(db);
  const log = createTaskLog(
    db,
    getOrSet('epoch', () => randomUUID().slice(0, 8)),
    undefined,
    onGroup,
  );
  return {
    log,
    leases: createLeases(db),
    directory: createDirectory(db, clock),
    push: createPushStore(db, (work) => log.submit(work)),
    contacts: createContactStore(db, clock, log),
    keys: createKeyStore(db, clock),
    invites: createInviteStore(db, clock),
    identity: async (make) => identitySchema.parse(JSON.parse(getOrSet('identity', () => JSON.stringify(make())))),
    async close() {
      if (!db.open) return;
      log.close();
      closeDatabase(db);
    },
  };
}

/** What the store keeps of itself: the stored value of a key, which is made the first time. */
function createMeta(db: Database): (key: string, make: () => string) => string {
  const select = db.prepare<[string], { value: string }>('SELECT value FROM meta WHERE key = ?');
  const insert = db.prepare('INSERT INTO meta (key, value) VALUES (?, ?)');
  return (key, make) => {
    const stored = select.get(key)?.value;
    if (stored !== undefined) return stored;
    const value = make();
    insert.run(key, value);
    return value;
  };
}
