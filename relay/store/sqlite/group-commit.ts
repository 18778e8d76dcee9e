import { RelayError } from '../../contract/reasons.ts';
import type { Database } from './database.ts';
import { storageFailure } from './storage-failure.ts';

/** One unit of work, and whom to tell. */
interface Job {
  readonly run: () => void;
  readonly commit: () => void;
  readonly fail: (error: unknown) => void;
}

/** A group is not held back for more than this many jobs. */
const LARGEST_GROUP = 256;

export interface GroupCommit {
  /**
   * Runs `work` in the next group. Resolves after the COMMIT that made it durable. A RelayError that it throws is a
   * refusal: it has written nothing, and the promise rejects with it. After any other error what it wrote is undone; the
   * promise rejects with STORAGE_FAILED where the fault is the disk's, else with the error. Work may be run twice.
   */
  submit<T>(work: () => T): Promise<T>;
  /** Commits what is waiting, then refuses more: SHUTTING_DOWN. */
  close(): void;
}

/**
 * All work that is submitted at once shares one COMMIT, and so one fsync: a group is open as long as each turn of the
 * event loop brings more. `committed` is called after the COMMIT, before any promise of the group resolves.
 *
 * What fails takes no other with it. A savepoint for each job would do that, at the price of a copy of every page that
 * the job touches, and almost no write ever fails; nor would it do where SQLite ends the transaction by itself, as it
 * does on a full disk. So a group in which something failed is rolled back, and each of its jobs is a group of its own.
 */
export function createGroupCommit(
  db: Database,
  on: { committed(): void; rolledBack(): void; measured?(milliseconds: number): void },
): GroupCommit {
  const begin = db.prepare('BEGIN IMMEDIATE');
  const commit = db.prepare('COMMIT');
  const rollback = db.prepare('ROLLBACK');
  let waiting: Job[] = [];
  let isClosed = false;

  /** Waits as long as each turn of the event loop brings more: callers that come at once then share one sync. */
  function gather(seen: number): void {
    if (waiting.length > seen && waiting.length < LARGEST_GROUP) setImmediate(gather, waiting.length);
    else flush();
  }

  function flush(): void {
    const jobs = waiting;
    waiting = [];
    if (jobs.length > 0) runGroup(jobs);
  }

  function runGroup(jobs: readonly Job[]): void {
    const done: Job[] = [];
    const refused: { readonly job: Job; readonly error: RelayError }[] = [];
    const from = performance.now();
    try {
      begin.run();
      for (const job of jobs) {
        try {
          job.run();
          done.push(job);
        } catch (error) {
          if (!(error instanceof RelayError)) throw error;
          refused.push({ job, error });
        }
      }
      commit.run();
      on.measured?.(performance.now() - from);
    } catch (error) {
      if (db.inTransaction) rollback.run();
      on.rolledBack();
      if (jobs.length > 1) for (const job of jobs) runGroup([job]);
      else for (const job of jobs) job.fail(storageFailure(error));
      return;
    }
    try {
      on.committed();
    } finally {
      // what is stored is answered, whatever a listener made of it
      for (const { job, error } of refused) job.fail(error);
      for (const job of done) job.commit();
    }
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
        if (waiting.length === 1) setImmediate(gather, 0);
      }),
    close() {
      isClosed = true;
      flush();
    },
  };
}
