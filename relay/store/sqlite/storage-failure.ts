import Sqlite from 'better-sqlite3';
import { RelayError } from '../../contract/reasons.ts';

/**
 * What a failed write is told as: STORAGE_FAILED where the fault is the disk's. Everything else stays as it is; a broken
 * constraint, too: it is a fault of ours, and no repair of a disk helps.
 */
export function storageFailure(error: unknown): unknown {
  if (!(error instanceof Sqlite.SqliteError) || error.code.startsWith('SQLITE_CONSTRAINT')) return error;
  return new RelayError(
    'STORAGE_FAILED',
    `Nothing was stored: ${error.message}. Free some space or repair the disk, then retry.`,
  );
}

/** Runs a write. Fails as `storageFailure` tells it. */
export function storing<T>(write: () => T): T {
  try {
    return write();
  } catch (error) {
    throw storageFailure(error);
  }
}
