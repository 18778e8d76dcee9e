import { RelayError } from '../../contract/reasons.ts';
import type { Database } from './database.ts';

/** One unit of work: `run` writes inside the open transaction, `settle` is called after the COMMIT or the failure. */
interface Job {
  readonly run: () => void;
  readonly commit: () => void;
  readonly fail: (error: unknown) => void;
}

export interface GroupCommit {
  /** Runs `work` in the next group. Resolves after the COMMIT that made it durable. */
  submit<T>(work: () => T): Promise<T>;
  /** Commits what is waiting, then refuses more: SHUTTING_DOWN. */
  close(): void;
}

/**
 * All work that is submitted in one turn of the event loop shares one COMMIT, and so one fsync. Each has a savepoint of
 * its own: what fails is undone alone. `committed` is called after the COMMIT, before any promise of the group resolves.
 */
export function createGroupCommit(db: Database, on: { committed(): void; rolledBack(): void }): GroupCommit {
  const begin = db.prepare('BEGIN IMMEDIATE');
  const commit = db.prepare('COMMIT');
  const rollback = db.prepare('ROLLBACK');
  const savepoint = db.prepare('SAVEPOINT job');
  const release = db.prepare('RELEASE job');
  const undo = db.prepare('ROLLBACK TO job');
  let waiting: Job[] = [];
  let isClosed = false;

  function flush(): void {
    const jobs = waiting;
    waiting = [];
    if (jobs.length === 0) return;
    const done: Job[] = [];
    const failed: { job: Job; error: unknown }[] = [];
    try {
      begin.run();
      for (const job of jobs) {
        savepoint.run();
        try {
          job.run();
          done.push(job);
        } catch (error) {
          undo.run();
          failed.push({ job, error });
        }
        release.run();
      }
      commit.run();
    } catch (error) {
      if (db.inTransaction) rollback.run();
      on.rolledBack();
      for (const job of jobs) job.fail(storageFailed(error));
      return;
    }
    on.committed();
    for (const { job, error } of failed) job.fail(error);
    for (const job of done) job.commit();
  }

  return {
    submit: (work) =>
      new Promise((resolve, reject) => {
        if (isClosed) {
          reject(new RelayError('SHUTTING_DOWN', 'The relay is stopping. Nothing was stored; try again later.'));
          return;
        }
        let result: { readonly value: ReturnType<typeof work> } | undefined;
        waiting.push({
          run: () => {
            result = { value: work() };
          },
          commit: () => {
            if (result !== undefined) resolve(result.value);
          },
          fail: reject,
        });
        if (waiting.length === 1) setImmediate(flush);
      }),
    close() {
      isClosed = true;
      flush();
    },
  };
}

function storageFailed(error: unknown): RelayError {
  const why = error instanceof Error ? error.message : String(error);
  return new RelayError(
    'STORAGE_FAILED',
    `Nothing was stored: ${why}. Free some space or repair the disk, then retry.`,
  );
}
