import { closeSync, constants, fstatSync, lstatSync, openSync, rmSync } from 'node:fs';
import Database from 'better-sqlite3';

/**
 * The locks of this process, by their files' inodes. What is collected as garbage is closed, and its lock is gone: so
 * each is held here, whatever its caller holds.
 */
const held = new Map<bigint, Database.Database>();

/**
 * Takes a lock that the kernel gives back when the process ends, however it ends: an SQLite file held in an exclusive
 * transaction. Nothing else may open that file, since closing it anywhere in this process would drop the lock (POSIX).
 *
 * Returns the function that gives the lock back and removes the file (idempotent), or undefined when another process (or an
 * earlier call) holds it.
 */
export function acquireFileLock(path: string): (() => void) | undefined {
  for (;;) {
    const named = inode(path);
    if (named !== undefined && held.has(named)) return undefined;
    // SQLite itself would make it readable to others
    const file = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600);
    // as long as it is open here, no other file can have its number
    const opened = fstatSync(file, { bigint: true }).ino;
    let database: Database.Database;
    try {
      database = lock(path);
    } catch (error) {
      const isNamed = inode(path) === opened;
      closeSync(file);
      if (isBusy(error)) return undefined;
      // it went in between
      if (!isNamed) continue;
      throw error;
    }
    // The last holder removes the file before it lets go: what is locked here may be a file that has no name any more.
    if (inode(path) === opened) {
      held.set(opened, database);
      return () => {
        if (held.get(opened) !== database) return;
        held.delete(opened);
        // Windows removes no open file; there the name is free again after close().
        if (process.platform !== 'win32') rmSync(path, { force: true });
        database.close();
        closeSync(file);
        if (process.platform === 'win32') removeIfUnused(path);
      };
    }
    database.close();
    closeSync(file);
  }
}

function lock(path: string): Database.Database {
  const database = new Database(path, { timeout: 0, fileMustExist: true });
  try {
    // nothing is ever written: no journal is to be left beside the file
    database.pragma('journal_mode = MEMORY');
    database.exec('BEGIN EXCLUSIVE');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function inode(path: string): bigint | undefined {
  return lstatSync(path, { bigint: true, throwIfNoEntry: false })?.ino;
}

function isBusy(error: unknown): boolean {
  return error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY');
}

/** The next holder may have opened it already: then the name is theirs. */
function removeIfUnused(path: string): void {
  try {
    rmSync(path);
  } catch {
    // in use
  }
}
