import { closeSync, lstatSync, openSync, rmSync } from 'node:fs';
import Database from 'better-sqlite3';

/** What is collected as garbage is closed, and its lock is gone: so it is held here, whatever the caller holds. */
const held = new Set<Database.Database>();

/**
 * Takes a lock that the kernel gives back when the process ends, however it ends: an SQLite file held in an exclusive
 * transaction. Nothing else may open that file, since closing it anywhere in this process would drop the lock (POSIX).
 *
 * Returns the function that gives the lock back and removes the file (idempotent), or undefined when another process (or an
 * earlier call) holds it.
 */
export function acquireFileLock(path: string): (() => void) | undefined {
  for (;;) {
    const before = createIfAbsent(path);
    const database = new Database(path, { timeout: 0 });
    try {
      // nothing is ever written: no journal is to be left beside the file
      database.pragma('journal_mode = MEMORY');
      database.exec('BEGIN EXCLUSIVE');
    } catch (error) {
      database.close();
      if (isBusy(error)) return undefined;
      throw error;
    }
    // The last holder removes the file before it lets go: what is locked here may be a file that has no name any more.
    if (before !== undefined && inode(path) === before) {
      held.add(database);
      return () => {
        if (!held.delete(database)) return;
        // Windows removes no open file; there the name is free again after close().
        if (process.platform !== 'win32') rmSync(path, { force: true });
        database.close();
        if (process.platform === 'win32') removeIfUnused(path);
      };
    }
    database.close();
  }
}

/** The file's inode; undefined when it went again. SQLite itself would make it readable to others. */
function createIfAbsent(path: string): number | undefined {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  return inode(path);
}

function inode(path: string): number | undefined {
  return lstatSync(path, { throwIfNoEntry: false })?.ino;
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
