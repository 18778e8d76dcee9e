import { join } from 'node:path';
import { closeDatabase, openDatabase, type Database } from '../../../relay/store/sqlite/database.ts';
import { DESK_MIGRATIONS } from './migrations/index.ts';

/** `desk.db`: what the desk has to keep that the relays do not. */
export interface DeskDb {
  readonly db: Database;
  /** Idempotent. */
  close(): void;
}

/**
 * Opens (or makes) it in a data folder that this process owns. Fails with STORAGE_FAILED, which says what to do, where it
 * was written by a newer version or cannot be used.
 * @param home the data folder
 * @param clock milliseconds since the epoch
 */
export function openDeskDb(home: string, clock: () => number): DeskDb {
  const file = join(home, 'desk.db');
  const db = openDatabase({ file, backups: join(home, 'backups'), clock, migrations: DESK_MIGRATIONS });
  return { db, close: () => closeDatabase(db) };
}
