import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { RelayError } from '../../contract/reasons.ts';
import type { RelayIdentity, Store } from '../ports.ts';
import { openDatabase, type Database } from './database.ts';
import { createDirectory } from './directory.ts';
import { createTaskLog } from './task-log.ts';

export interface SqliteStoreOptions {
  /** Holds `relay.db` and `backups/`. */
  readonly dataDir: string;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

/** Opens (or makes) the store in a data folder that this process owns. Fails with STORAGE_FAILED. */
export function openSqliteStore({ dataDir, clock }: SqliteStoreOptions): Store {
  const db = openDatabase({ file: join(dataDir, 'relay.db'), backups: join(dataDir, 'backups'), clock });
  const meta = createMeta(db);
  const log = createTaskLog(
    db,
    meta.getOrSet('epoch', () => randomUUID().slice(0, 8)),
  );
  return {
    log,
    directory: createDirectory(db, clock),
    identity(make) {
      const stored = meta.all(['relay_id', 'relay_name', 'relay_key']);
      if (stored !== undefined) return Promise.resolve(identity(stored));
      const made = make();
      meta.setAll([
        ['relay_id', made.id],
        ['relay_name', made.name],
        ['relay_key', made.privateKey],
      ]);
      return Promise.resolve(made);
    },
    close() {
      log.close();
      // folds the log back into the file, so that a copy of one file is a copy of everything
      db.pragma('wal_checkpoint(TRUNCATE)');
      db.close();
      return Promise.resolve();
    },
  };
}

function identity([id, name, privateKey]: readonly string[]): RelayIdentity {
  if (id === undefined || name === undefined || privateKey === undefined) {
    throw new RelayError('STORAGE_FAILED', 'The relay has lost its identity. Restore a backup of relay.db.');
  }
  return { id, name, privateKey };
}

interface Meta {
  /** All of the values, in the order asked for; undefined when any is missing. */
  all(keys: readonly string[]): readonly string[] | undefined;
  setAll(entries: readonly (readonly [string, string])[]): void;
  getOrSet(key: string, make: () => string): string;
}

function createMeta(db: Database): Meta {
  const select = db.prepare<[string], { value: string }>('SELECT value FROM meta WHERE key = ?');
  const insert = db.prepare('INSERT INTO meta (key, value) VALUES (?, ?)');
  const insertAll = db.transaction((entries: readonly (readonly [string, string])[]) => {
    for (const [key, value] of entries) insert.run(key, value);
  });
  return {
    all(keys) {
      const values = keys.map((key) => select.get(key)?.value).filter((value) => value !== undefined);
      return values.length === keys.length ? values : undefined;
    },
    setAll: (entries) => insertAll.immediate(entries),
    getOrSet(key, make) {
      const stored = select.get(key)?.value;
      if (stored !== undefined) return stored;
      const value = make();
      insert.run(key, value);
      return value;
    },
  };
}
