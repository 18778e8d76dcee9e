import type { AuditRow } from '../../../relay/contract/audit.ts';
import type { Json } from '../../../relay/contract/json.ts';
import type { Database } from '../../../relay/store/sqlite/database.ts';
import type { Head, SealedRow } from './seal.ts';

/** Which rows are wanted. Times are milliseconds since the epoch, both included. */
export interface AuditFilter {
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  /** The handle of one of our accounts. */
  readonly account?: string | undefined;
  /** The handle of the other side. */
  readonly peer?: string | undefined;
  readonly actions?: readonly string[] | undefined;
}

/** The table `audit`. Pages are read one after another, so that nobody waits for a long log. */
export interface AuditRows {
  /**
   * In one transaction, durable on return. Fails as SQLite does, and then none is stored.
   * @param make the rows, told the number of the newest one; 0 where there is none
   */
  append(make: (newest: number) => readonly SealedRow[]): readonly SealedRow[];
  /** undefined where there is none. */
  newest(): Head | undefined;
  /** All of them, oldest first. */
  after(seq: number, limit: number): readonly SealedRow[];
  /** Those that are wanted between two numbers, neither included. */
  find(filter: AuditFilter, between: Between, order: 'oldest' | 'newest', limit: number): readonly SealedRow[];
  /** The newest row about something that an account has to do with. */
  newestAbout(ref: string, account: string, actions: readonly string[]): SealedRow | undefined;
}

/** Numbers of rows; left out, there is no end on that side. */
export interface Between {
  readonly after?: number | undefined;
  readonly before?: number | undefined;
}

const WANTED = `seq > @after AND seq < @before AND at >= @since AND at <= @until
  AND (@account IS NULL OR account = @account) AND (@peer IS NULL OR peer = @peer)
  AND (@actions IS NULL OR action IN (SELECT value FROM json_each(@actions)))`;

export function createAuditRows(db: Database): AuditRows {
  const insert = db.prepare(
    `INSERT INTO audit (seq, at, action, actor, account, peer, ref, detail, prev_hash, hash)
     VALUES (@seq, @at, @action, @actor, @account, @peer, @ref, @detail, @prev_hash, @hash)`,
  );
  const selectNewest = db.prepare<[], Head>('SELECT seq, hash FROM audit ORDER BY seq DESC LIMIT 1');
  const selectAfter = db.prepare<[number, number], SealedRow>('SELECT * FROM audit WHERE seq > ? ORDER BY seq LIMIT ?');
  const find = (order: 'ASC' | 'DESC') =>
    db.prepare<[object], SealedRow>(`SELECT * FROM audit WHERE ${WANTED} ORDER BY seq ${order} LIMIT @limit`);
  const select = { oldest: find('ASC'), newest: find('DESC') };
  const selectAbout = db.prepare<[string, string, string], SealedRow>(
    `SELECT * FROM audit WHERE ref = ? AND account = ? AND action IN (SELECT value FROM json_each(?))
     ORDER BY seq DESC LIMIT 1`,
  );
  const append = db.transaction((make: (newest: number) => readonly SealedRow[]) => {
    const rows = make(selectNewest.get()?.seq ?? 0);
    for (const row of rows) insert.run(row);
    return rows;
  });
  return {
    append: (make) => append.immediate(make),
    newest: () => selectNewest.get(),
    after: (seq, limit) => selectAfter.all(seq, limit),
    find: (filter, between, order, limit) => select[order].all({ ...parameters(filter, between), limit }),
    newestAbout: (ref, account, actions) => selectAbout.get(ref, account, JSON.stringify(actions)),
  };
}

function parameters({ since, until, account, peer, actions }: AuditFilter, { after, before }: Between): object {
  return {
    after: after ?? Number.MIN_SAFE_INTEGER,
    before: before ?? Number.MAX_SAFE_INTEGER,
    since: since ?? Number.MIN_SAFE_INTEGER,
    until: until ?? Number.MAX_SAFE_INTEGER,
    account: account ?? null,
    peer: peer ?? null,
    actions: actions === undefined ? null : JSON.stringify(actions),
  };
}

/** A row as clients see it. */
export function toAuditRow({
  seq,
  at,
  action,
  actor,
  account,
  peer,
  ref,
  detail,
  prev_hash,
  hash,
}: SealedRow): AuditRow {
  return {
    seq,
    at,
    action,
    actor,
    ...(account !== null && { account }),
    ...(peer !== null && { peer }),
    ...(ref !== null && { ref }),
    detail: readDetail(detail),
    prev_hash,
    hash,
  };
}

/** What somebody has put there by hand may be no JSON; then it is shown as the text that it is. */
function readDetail(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}
