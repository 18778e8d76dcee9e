import { closeSync, mkdirSync, openSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { RelayError } from '../../contract/reasons.ts';
import { MIGRATIONS } from './migrations/index.ts';

export type Database = Sqlite.Database;

export interface OpenOptions {
  /** The database file. Its folder is made if it is not there. */
  readonly file: string;
  /** Where a copy goes before each migration: `relay-schema-3-<time>.db` for a `relay.db`. */
  readonly backups: string;
  /** For the names of backups: milliseconds since the epoch. */
  readonly clock: () => number;
  /** The n-th brings a store from schema n-1 to n. Default: the relay's, all that this version knows. */
  readonly migrations?: readonly string[];
}

/**
 * Opens a store's file and brings its schema up to date. Commits are durable when they return: WAL with
 * `synchronous=FULL`, and on macOS `fullfsync`, without which the drive's cache may still hold them.
 * STORAGE_FAILED when the file was made by a newer version, is no database, or cannot be opened.
 */
export function openDatabase(options: OpenOptions): Database {
  const { file, backups } = options;
  let db: Database | undefined;
  try {
    createPrivate(file);
    db = new Sqlite(file);
    const schema = schemaOf(db, options);
    // before the first table, or it has no effect
    if (schema === 0) db.pragma('auto_vacuum = INCREMENTAL');
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = FULL');
    db.pragma('fullfsync = ON');
    db.pragma('checkpoint_fullfsync = ON');
    db.pragma('foreign_keys = ON');
    db.pragma('temp_store = MEMORY');
    // 32 MiB: client-made ids fall all over the index of idempotency keys, which should not be read from disk each time
    db.pragma('cache_size = -32768');
    // 16 MiB of log between two checkpoints: each one syncs the file, and pages that change often are written once
    db.pragma('wal_autocheckpoint = 4000');
    migrate(db, schema, options);
    return db;
  } catch (error) {
    db?.close();
    if (error instanceof RelayError) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new RelayError(
      'STORAGE_FAILED',
      `${file} cannot be used: ${why}. Check its permissions and the free space, or restore a copy from ${backups}.`,
    );
  }
}

/** Folds the log back into the file, so that a copy of one file is a copy of everything, and closes it. Idempotent. */
export function closeDatabase(db: Database): void {
  if (!db.open) return;
  try {
    db.pragma('wal_checkpoint(TRUNCATE)');
  } catch {
    // on a full disk, say. Nothing is lost: what was committed is in the log, and the next start reads it from there
  } finally {
    db.close();
  }
}

/** The schema that the file has; 0 when there is none yet. A file of a newer version is not touched. */
function schemaOf(db: Database, { file, backups, migrations = MIGRATIONS }: OpenOptions): number {
  const schema = Number(db.pragma('user_version', { simple: true }));
  if (schema <= migrations.length) return schema;
  throw new RelayError(
    'STORAGE_FAILED',
    `${file} was written by a newer AgentRelay (schema ${schema}, this one knows ${migrations.length}). Update AgentRelay, or restore a copy from ${backups}.`,
  );
}

/** Forward only, one step at a time, each in a transaction of its own and behind a backup of what was there. */
function migrate(db: Database, from: number, { file, backups, clock, migrations = MIGRATIONS }: OpenOptions): void {
  const name = basename(file, '.db');
  for (const [index, migration] of migrations.entries()) {
    if (index < from) continue;
    if (from > 0) backUp(db, join(backups, `${name}-schema-${index}-${clock()}.db`));
    db.transaction(() => {
      db.exec(migration);
      db.pragma(`user_version = ${index + 1}`);
    }).immediate();
  }
}

function backUp(db: Database, to: string): void {
  createPrivate(to);
  db.prepare('VACUUM INTO ?').run(to);
}

/** An empty file that only its owner reads: there is a private key in it. SQLite itself would let others read it. */
function createPrivate(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}
