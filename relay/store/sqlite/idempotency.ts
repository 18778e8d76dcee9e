import type { IdempotencyKey, Once } from '../ports.ts';
import type { Database } from './database.ts';

export interface IdempotencyLimits {
  /** How many new keys are gathered before they are moved into the index. Default: 16,384, which is about 2 MB. */
  readonly gathered?: number;
  /** How many are moved in one command, so that nobody waits long behind a move. Default: 1,024. */
  readonly atOnce?: number;
}

/** What was written under a key. */
export interface EarlierWrite {
  readonly digest: Uint8Array;
  /** Row number of the task that it was about. */
  readonly task: number;
}

/** Under which keys something was written already. */
export interface IdempotencyKeys {
  find(key: IdempotencyKey): EarlierWrite | undefined;
  /** Notes a key that `find` does not know, inside the transaction that the log holds open. */
  add(once: Once, task: number): void;
  /** What was added since the last of these two calls is stored, or undone. */
  committed(): void;
  rolledBack(): void;
}

/**
 * Clients draw their keys at random, so each falls on a page of its own in an index, and that page would be written and
 * synced for one key. New keys are therefore appended to a table, found by a map in memory, and moved into the index
 * many at once and in its order, which then share pages. A key that is in both, after a stop in the middle of a move, is
 * the same there.
 * @param transact runs work in a transaction of the log; resolves after its COMMIT
 */
export function createIdempotencyKeys(
  db: Database,
  transact: (work: () => void) => Promise<void>,
  { gathered = 16_384, atOnce = 1024 }: IdempotencyLimits = {},
): IdempotencyKeys {
  const columns = 'caller, other, kind, key, digest, task';
  const append = db.prepare(`INSERT INTO idempotency_new (seq, ${columns}) VALUES (?, ?, ?, ?, ?, ?, ?)`);
  const selectNew = db.prepare<[number], EarlierWrite>('SELECT digest, task FROM idempotency_new WHERE seq = ?');
  const selectIndexed = db.prepare<[number, number, string, string], EarlierWrite>(
    'SELECT digest, task FROM idempotency WHERE caller = ? AND other = ? AND kind = ? AND key = ?',
  );
  const move = db.prepare(
    `INSERT INTO idempotency (${columns}) SELECT ${columns} FROM idempotency_new WHERE seq = ? ON CONFLICT DO NOTHING`,
  );
  const deleteMoved = db.prepare('DELETE FROM idempotency_new WHERE seq <= ?');

  /** Where each new key is, in the order of their numbers. */
  const places = new Map<string, number>();
  let newest = 0;
  let uncommitted: string[] = [];
  let isMoving = false;
  const stored = db.prepare<[], IdempotencyKey & { readonly seq: number }>(
    'SELECT seq, caller, other, kind, key FROM idempotency_new ORDER BY seq',
  );
  for (const { seq, ...key } of stored.iterate()) {
    places.set(nameOf(key), seq);
    newest = seq;
  }

  async function moveAll(): Promise<void> {
    const last = newest;
    const sorted = [...places].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, seq]) => seq);
    for (let from = 0; from < sorted.length; from += atOnce) {
      await transact(() => {
        for (const seq of sorted.slice(from, from + atOnce)) move.run(seq);
      });
    }
    await transact(() => {
      deleteMoved.run(last);
    });
    for (const [name, seq] of places) {
      if (seq > last) break;
      places.delete(name);
    }
  }

  return {
    find(key) {
      const place = places.get(nameOf(key));
      const found = place === undefined ? undefined : selectNew.get(place);
      return found ?? selectIndexed.get(key.caller, key.other, key.kind, key.key);
    },
    add({ key, digest }, task) {
      const seq = newest + 1;
      append.run(seq, key.caller, key.other, key.kind, key.key, digest, task);
      newest = seq;
      const name = nameOf(key);
      places.set(name, seq);
      uncommitted.push(name);
    },
    committed() {
      uncommitted = [];
      if (places.size < gathered || isMoving) return;
      isMoving = true;
      moveAll()
        // nothing is lost: they stay where they are, and are moved with the next ones
        .catch(() => undefined)
        .finally(() => {
          isMoving = false;
        });
    },
    rolledBack() {
      for (const name of uncommitted) places.delete(name);
      uncommitted = [];
    },
  };
}

/** One string for a key, sorted as the index sorts them among the keys of one caller and one other party. */
function nameOf({ caller, other, kind, key }: IdempotencyKey): string {
  return `${caller} ${other} ${kind} ${key}`;
}
