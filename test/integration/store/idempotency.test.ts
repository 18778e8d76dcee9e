import { onTestFinished, expect, describe, test } from 'vitest';
import type { IdempotencyKey } from '../../../relay/store/ports.ts';
import { openDatabase, type Database } from '../../../relay/store/sqlite/database.ts';
import { createGroupCommit } from '../../../relay/store/sqlite/group-commit.ts';
import { createIdempotencyKeys, type IdempotencyKeys } from '../../../relay/store/sqlite/idempotency.ts';
import { tempDir } from '../../support/temp-dir.ts';

const GATHERED = 100;

/** A log that stores nothing but keys. */
interface KeyLog {
  readonly db: Database;
  readonly keys: IdempotencyKeys;
  transact(work: () => void): Promise<void>;
  /** Why moves failed. */
  readonly failures: readonly unknown[];
}

function openLog(dir = tempDir()): KeyLog & { readonly dir: string } {
  const db = openDatabase({ file: `${dir}/relay.db`, backups: `${dir}/backups`, clock: Date.now });
  onTestFinished(() => void db.close());
  const group = createGroupCommit(db, {
    committed: () => {
      keys.committed();
    },
    rolledBack: () => {
      keys.rolledBack();
    },
  });
  const failures: unknown[] = [];
  const transact = (work: () => void): Promise<void> => group.submit(work);
  const move = (work: () => void): Promise<void> =>
    transact(work).catch((error: unknown) => {
      failures.push(error);
      throw error;
    });
  const keys = createIdempotencyKeys(db, move, { gathered: GATHERED, atOnce: 16 });
  return { db, keys, transact, failures, dir };
}

/** Keys fall anywhere in the order, as random ones do. */
function key(n: number, more: Partial<IdempotencyKey> = {}): IdempotencyKey {
  return { caller: 1, other: 2, kind: 'message', key: `${(n * 7919) % 1000}-${n}`.padEnd(200, '-'), ...more };
}

const digestOf = (n: number): Uint8Array => new Uint8Array(32).fill(n % 256);

function add({ keys, transact }: KeyLog, ...numbers: readonly number[]): Promise<void> {
  return transact(() => {
    for (const n of numbers) keys.add({ key: key(n), digest: digestOf(n) }, n);
  });
}

const range = (from: number, to: number): readonly number[] =>
  Array.from({ length: to - from }, (_none, index) => from + index);

function countsOf({ db }: KeyLog): { readonly gathered: number; readonly indexed: number } {
  const count = (table: string): number => Number(db.prepare(`SELECT count(*) FROM ${table}`).pluck().get());
  return { gathered: count('idempotency_new'), indexed: count('idempotency') };
}

function expectAllFound({ keys }: KeyLog, numbers: readonly number[]): void {
  const found = numbers.map((n) => keys.find(key(n)));
  expect(found).toEqual(numbers.map((n) => ({ digest: Buffer.from(digestOf(n)), task: n })));
}

describe('an idempotency key', () => {
  test('is known after it was added, and not before', async () => {
    const log = openLog();
    expect(log.keys.find(key(1))).toBeUndefined();
    await add(log, 1);
    expectAllFound(log, [1]);
  });

  test.each<[string, Partial<IdempotencyKey>]>([
    ['caller', { caller: 3 }],
    ['other party', { other: 3 }],
    ['kind', { kind: 'update' }],
    ['text', { key: 'another' }],
  ])('is another one with another %s', async (_what, more) => {
    const log = openLog();
    await add(log, 1);
    expect(log.keys.find(key(1, more))).toBeUndefined();
  });

  test('is known to the rest of its own group', async () => {
    const log = openLog();
    await log.transact(() => {
      log.keys.add({ key: key(1), digest: digestOf(1) }, 1);
      expectAllFound(log, [1]);
    });
  });

  test('that was undone is free again, and those before it stay', async () => {
    const log = openLog();
    await add(log, 1);
    await expect(
      log.transact(() => {
        log.keys.add({ key: key(2), digest: digestOf(2) }, 2);
        throw new TypeError('undefined is not a function');
      }),
    ).rejects.toThrow(TypeError);
    expect(log.keys.find(key(2))).toBeUndefined();
    await add(log, 2);
    expectAllFound(log, [1, 2]);
    expect(countsOf(log)).toEqual({ gathered: 2, indexed: 0 });
  });

  test('is known after a start', async () => {
    const first = openLog();
    await add(first, ...range(0, 30));
    first.db.close();
    const second = openLog(first.dir);
    await add(second, ...range(30, 60));
    expectAllFound(second, range(0, 60));
  });
});

describe('keys that have been gathered', () => {
  test('are moved into the index, and are known before, during and after', async () => {
    const log = openLog();
    await add(log, ...range(0, GATHERED - 1));
    expect(countsOf(log)).toEqual({ gathered: GATHERED - 1, indexed: 0 });
    await add(log, GATHERED - 1);
    const seen: ReturnType<typeof countsOf>[] = [];
    await expect
      .poll(
        async () => {
          await log.transact(() => {
            expectAllFound(log, range(0, GATHERED));
            seen.push(countsOf(log));
          });
          return countsOf(log);
        },
        { interval: 0 },
      )
      .toEqual({ gathered: 0, indexed: GATHERED });
    // others had their turn in between
    expect(seen.filter(({ indexed }) => indexed > 0 && indexed < GATHERED).length).toBeGreaterThan(1);
    expectAllFound(log, range(0, GATHERED));
  });

  test('are moved while more come, which wait for the next move', async () => {
    const log = openLog();
    for (const n of range(0, 3 * GATHERED)) await add(log, n);
    await expect.poll(() => countsOf(log).gathered).toBeLessThan(GATHERED);
    const { gathered, indexed } = countsOf(log);
    expect(gathered + indexed).toBe(3 * GATHERED);
    expectAllFound(log, range(0, 3 * GATHERED));
  });

  test('and were half moved when the process ended are each there once after the next move', async () => {
    const first = openLog();
    await add(first, ...range(0, GATHERED - 10));
    first.db.exec(
      'INSERT INTO idempotency SELECT caller, other, kind, key, digest, task FROM idempotency_new LIMIT 40',
    );
    first.db.close();
    const second = openLog(first.dir);
    expectAllFound(second, range(0, GATHERED - 10));
    await add(second, ...range(GATHERED - 10, GATHERED));
    await expect.poll(() => countsOf(second)).toEqual({ gathered: 0, indexed: GATHERED });
    expectAllFound(second, range(0, GATHERED));
  });

  test('stay where they are, and are known, where the disk is full', async () => {
    const log = openLog();
    await add(log, ...range(0, GATHERED - 1));
    const pages = Number(log.db.pragma('page_count', { simple: true }));
    log.db.pragma(`max_page_count = ${pages + 1}`);
    await add(log, GATHERED - 1);
    await expect.poll(() => log.failures).toMatchObject([{ reason: 'STORAGE_FAILED' }]);
    expectAllFound(log, range(0, GATHERED));
    log.db.pragma(`max_page_count = ${pages + 1000}`);
    await add(log, GATHERED);
    await expect.poll(() => countsOf(log)).toEqual({ gathered: 0, indexed: GATHERED + 1 });
    expectAllFound(log, range(0, GATHERED + 1));
  });
});
