import { RelayError } from '../../contract/reasons.ts';
import type { Database } from './database.ts';

/** Thrown by work that failed in the middle of its writes: what it wrote has to be undone. */
export class HalfWritten extends Error {
  constructor(cause: unknown) {
    super('a write failed', { cause });
    this.name = 'HalfWritten';
  }
}

/** One unit of work, and whom to tell. */
interface Job {
  readonly run: () => void;
  readonly commit: () => void;
  readonly fail: (error: unknown) => void;
}

/** What became of the jobs of a group, before the COMMIT. */
interface Outcome {
  readonly done: readonly Job[];
  readonly failed: readonly { readonly job: Job; readonly error: unknown }[];
}

export interface GroupCommit {
  /**
   * Runs `work` in the next group. Resolves after the COMMIT that made it durable. Work that throws must have written
   * nothing, or say so with HalfWritten; the promise then rejects with the cause. Work may be run twice.
   */
  submit<T>(work: () => T): Promise<T>;
  /** Commits what is waiting, then refuses more: SHUTTING_DOWN. */
  close(): void;
}

/**
 * All work that is submitted in one turn of the event loop shares one COMMIT, and so one fsync. `committed` is called
 * after the COMMIT, before any promise of the group resolves.
 *
 * What fails takes no other with it. A savepoint for each job would do that, at the price of a copy of every page that
 * the job touches, and almost no write ever fails. So a group runs without them, and only one in which a write failed
 * is rolled back and run again with them.
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
    let outcome: Outcome;
    try {
      outcome = runTogether(jobs) ?? runApart(jobs);
    } catch (error) {
      abandon();
      for (const job of jobs) job.fail(storageFailed(error));
      return;
    }
    on.committed();
    for (const { job, error } of outcome.failed) job.fail(error);
    for (const job of outcome.done) job.commit();
  }

  /** undefined: a write failed, and nothing of the group is there. */
  function runTogether(jobs: readonly Job[]): Outcome | undefined {
    const done: Job[] = [];
    const failed: { job: Job; error: unknown }[] = [];
    begin.run();
    for (const job of jobs) {
      try {
        job.run();
        done.push(job);
      } catch (error) {
        if (error instanceof HalfWritten) {
          abandon();
          return undefined;
        }
        failed.push({ job, error });
      }
    }
    commit.run();
    return { done, failed };
  }

  function runApart(jobs: readonly Job[]): Outcome {
    const done: Job[] = [];
    const failed: { job: Job; error: unknown }[] = [];
    begin.run();
    for (const job of jobs) {
      savepoint.run();
      try {
        job.run();
        done.push(job);
      } catch (error) {
        undo.run();
        failed.push({ job, error: error instanceof HalfWritten ? error.cause : error });
      }
      release.run();
    }
    commit.run();
    return { done, failed };
  }

  function abandon(): void {
    if (db.inTransaction) rollback.run();
    on.rolledBack();
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
