import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { authorSchema } from '../../../relay/contract/handoff.ts';
import type { JsonObject } from '../../../relay/contract/json.ts';
import { egressFindingSchema, outboxStateSchema } from '../../../relay/contract/outbox.ts';
import { RelayError } from '../../../relay/contract/reasons.ts';
import type { Database } from '../../../relay/store/sqlite/database.ts';
import { storing } from '../../../relay/store/sqlite/storage-failure.ts';

/** What could not be sent yet. It is stored before anybody is told that it waits, and sends nothing by itself. */

const rowSchema = z.object({
  /** The handle of the account that writes. With `id` it names the row. */
  account: z.string(),
  /** The key under which the relay does it once. */
  id: z.string(),
  peer: z.string(),
  kind: z.enum(['handoff', 'message', 'update']),
  /** Rows of one thread are sent in the order in which they came. The task's id; of a new handoff, its own. */
  thread: z.string(),
  /** Exactly what the relay is sent. */
  request: z.custom<JsonObject>((value) => typeof value === 'object' && value !== null && !Array.isArray(value)),
  author: authorSchema,
  /** Milliseconds since the epoch. */
  created_at: z.int(),
  state: outboxStateSchema,
  /** Why, in words for the person who wrote it. */
  reason: z.string().nullable(),
  /** What looks like a secret in it, where that is why a human has to look. */
  findings: z.array(egressFindingSchema).readonly(),
  attempts: z.int(),
  /** When to try next, milliseconds since the epoch. */
  next_at: z.int(),
});

/**
 * A write that waits: for the other side to accept a contact, for the relay to be reached, or for a human to look; or that
 * will not be sent, and goes back to whoever wrote it.
 */
export type OutboxRow = Readonly<z.infer<typeof rowSchema>>;

/** Which row is meant. */
export type OutboxKey = Pick<OutboxRow, 'account' | 'id'>;

/** What becomes of a row. What is left out stays as it is, but for the reason: it belongs to the state. */
export type OutboxMark = Pick<OutboxRow, 'state'> &
  Partial<Pick<OutboxRow, 'reason' | 'findings' | 'attempts' | 'next_at'>>;

/** The table `outbox`. Every write is durable on return, and fails with STORAGE_FAILED where it cannot be. */
export interface OutboxStore {
  /**
   * Stores a write, and returns it as it is stored: the same again is the row that is there. IDEMPOTENCY_CONFLICT for
   * another request under the same key.
   */
  put(row: OutboxRow): OutboxRow;
  get(key: OutboxKey): OutboxRow | undefined;
  /** Of one account, or of all; in the order in which they came. */
  list(account?: string): readonly OutboxRow[];
  /** How many rows an account has. */
  count(account: string): number;
  /** Whether a row of a thread is still to be sent. */
  holdsUp(account: string, thread: string): boolean;
  /** What may be sent now, in order: never a row before an earlier one of its thread that is still to be sent. */
  due(account: string, now: number): readonly OutboxRow[];
  /** When `due` will next have more than now; undefined where nothing waits for a time. */
  nextDue(account: string): number | undefined;
  /** The row as it is then; undefined where it is gone. */
  mark(key: OutboxKey, mark: OutboxMark): OutboxRow | undefined;
  /** What waited for a peer to accept the contact may be sent. Returns how many rows. */
  contactAccepted(account: string, peer: string, now: number): number;
  /** It was sent, or nobody wants it any more. Whether it was there. */
  remove(key: OutboxKey): boolean;
}

const IS_FIRST = `NOT EXISTS (SELECT 1 FROM outbox AS earlier WHERE earlier.account = outbox.account
  AND earlier.thread = outbox.thread AND earlier.position < outbox.position AND earlier.state <> 'returned')`;

export function createOutboxStore(db: Database): OutboxStore {
  const insert = db.prepare(
    `INSERT INTO outbox (account, id, peer, kind, thread, request, author, created_at, state, reason, findings, attempts, next_at)
     VALUES (@account, @id, @peer, @kind, @thread, @request, @author, @created_at, @state, @reason, @findings, @attempts, @next_at)
     ON CONFLICT DO NOTHING`,
  );
  const select = db.prepare<[string, string], Stored>('SELECT * FROM outbox WHERE account = ? AND id = ?');
  const selectAll = db.prepare<[object], Stored>(
    'SELECT * FROM outbox WHERE @account IS NULL OR account = @account ORDER BY position',
  );
  const selectDue = db.prepare<[string, number], Stored>(
    `SELECT * FROM outbox WHERE account = ? AND state = 'waiting_relay' AND next_at <= ? AND ${IS_FIRST} ORDER BY position`,
  );
  const selectNext = db.prepare<[string], { readonly at: number | null }>(
    `SELECT min(next_at) AS at FROM outbox WHERE account = ? AND state = 'waiting_relay' AND ${IS_FIRST}`,
  );
  const update = db.prepare<[object], Stored>(
    `UPDATE outbox SET state = @state, reason = @reason, findings = coalesce(@findings, findings),
       attempts = coalesce(@attempts, attempts), next_at = coalesce(@next_at, next_at)
     WHERE account = @account AND id = @id RETURNING *`,
  );
  const accept = db.prepare(
    `UPDATE outbox SET state = 'waiting_relay', reason = NULL, next_at = @now
     WHERE account = @account AND peer = @peer AND state = 'waiting_contact'`,
  );
  const count = db.prepare<[string], number>('SELECT count(*) FROM outbox WHERE account = ?').pluck();
  const isHeldUp = db
    .prepare<[string, string], number>(
      "SELECT EXISTS (SELECT 1 FROM outbox WHERE account = ? AND thread = ? AND state <> 'returned')",
    )
    .pluck();
  const remove = db.prepare('DELETE FROM outbox WHERE account = ? AND id = ?');

  return {
    put(row) {
      const { request, findings } = row;
      storing(() => insert.run({ ...row, request: JSON.stringify(request), findings: JSON.stringify(findings) }));
      const there = read(select.get(row.account, row.id));
      if (there !== undefined && isDeepStrictEqual(there.request, request)) return there;
      throw new RelayError('IDEMPOTENCY_CONFLICT', 'Something else waits under this key. Use a new key.');
    },
    get: ({ account, id }) => read(select.get(account, id)),
    list: (account) => selectAll.all({ account: account ?? null }).map(toRow),
    count: (account) => count.get(account) ?? 0,
    holdsUp: (account, thread) => isHeldUp.get(account, thread) === 1,
    due: (account, now) => selectDue.all(account, now).map(toRow),
    nextDue: (account) => selectNext.get(account)?.at ?? undefined,
    mark({ account, id }, { state, reason = null, findings, attempts = null, next_at = null }) {
      const changes = {
        state,
        reason,
        findings: findings === undefined ? null : JSON.stringify(findings),
        attempts,
        next_at,
      };
      return read(storing(() => update.get({ account, id, ...changes })));
    },
    contactAccepted: (account, peer, now) => storing(() => accept.run({ account, peer, now })).changes,
    remove: ({ account, id }) => storing(() => remove.run(account, id)).changes > 0,
  };
}

interface Stored {
  readonly request: string;
  readonly findings: string;
}

function toRow(row: Stored): OutboxRow {
  return rowSchema.parse({ ...row, request: JSON.parse(row.request), findings: JSON.parse(row.findings) });
}

function read(row: Stored | undefined): OutboxRow | undefined {
  return row && toRow(row);
}
