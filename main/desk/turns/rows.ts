import type { Database } from '../../../relay/store/sqlite/database.ts';

export const DAY = 86_400_000;
/** So long nothing has to happen before a count is forgotten, milliseconds. */
const FORGOTTEN_AFTER = 30 * DAY;

/** What is counted for itself: `ref` is the id of a thread, or the handle of a peer, to whom new handoffs go. */
export interface Count {
  readonly account: string;
  readonly kind: 'thread' | 'peer';
  readonly ref: string;
}

/** The table `turns`: a row for each write of an agent since a person acted, so never many for one count. */
export interface TurnRows {
  /** Of what was written. */
  keys(count: Count): ReadonlySet<string>;
  /** @param at milliseconds since the epoch */
  add(count: Count, key: string, at: number): void;
  /** Notes that the agent still tries, once a day: what waits for a person does not run out by waiting. */
  touch(count: Count, at: number): void;
  remove(count: Count): void;
  /** Those of which nothing was heard for long. A walk over all. */
  removeOld(now: number): void;
}

export function createTurnRows(db: Database): TurnRows {
  const those = 'account = @account AND kind = @kind AND ref = @ref';
  const select = db.prepare<[Count], string>(`SELECT key FROM turns WHERE ${those}`).pluck();
  const insert = db.prepare(
    'INSERT INTO turns (account, kind, ref, key, at) VALUES (@account, @kind, @ref, @key, @at)',
  );
  const update = db.prepare(`UPDATE turns SET at = @at WHERE ${those} AND at < @at - ${DAY}`);
  const remove = db.prepare<[Count]>(`DELETE FROM turns WHERE ${those}`);
  // a count is forgotten as a whole: by its newest row
  const removeOld = db.prepare<[number]>(
    `DELETE FROM turns WHERE (account, kind, ref) IN
      (SELECT account, kind, ref FROM turns GROUP BY account, kind, ref HAVING max(at) < ?)`,
  );
  return {
    keys: (count) => new Set(select.all(count)),
    add: (count, key, at) => void insert.run({ ...count, key, at }),
    touch: (count, at) => void update.run({ ...count, at }),
    remove: (count) => void remove.run(count),
    removeOld: (now) => void removeOld.run(now - FORGOTTEN_AFTER),
  };
}
