import type { AgentId, Handoff, IdempotencyKey, Once } from '../ports.ts';
import type { ThreadEvent } from '../../contract/handoff.ts';
import type { Database } from './database.ts';
import { toEventBody, toHandoff, toTaskRow, type TaskRow } from './rows.ts';

/** A handoff and its row number. */
export interface StoredTask {
  readonly pk: number;
  readonly handoff: Handoff;
}

/** The statements of one command, run inside the transaction that the log holds open. */
export interface TaskWriter {
  /** A row number that was never used. */
  nextPk(): number;
  findTask(id: string): StoredTask | undefined;
  /** Takes a key for a task. Answers with what is there already, if the key is taken. */
  claim(once: Once, pk: number): { readonly digest: Uint8Array; readonly task: StoredTask } | undefined;
  /** Gives a key back. */
  unclaim(key: IdempotencyKey): void;
  insertTask(pk: number, handoff: Handoff): void;
  updateTask(pk: number, handoff: Handoff): void;
  appendEvents(pk: number, events: readonly ThreadEvent[]): void;
  appendFeed(agent: AgentId, firstSeq: number, pk: number, events: readonly ThreadEvent[]): void;
  /** The newest number of an agent's feed; 0 before the first. */
  feedHead(agent: AgentId): number;
}

const COLUMNS = [
  'pk',
  'id',
  'context_id',
  'sender',
  'recipient',
  'state',
  'closed',
  'version',
  'last_version',
  'last_actor',
  'session_id',
  'born_live',
  'reply_only',
  'summary',
  'intent',
  'proposed_action',
  'artifact_types',
  'sender_offered',
  'sender_surfaced',
  'sender_acked',
  'sender_held',
  'recipient_offered',
  'recipient_surfaced',
  'recipient_acked',
  'recipient_held',
  'created_at',
  'updated_at',
  'status_at',
] as const satisfies readonly (keyof TaskRow)[];

/** What an event can change; the rest of a row stays as it was created. */
const CHANGING = [
  'state',
  'closed',
  'version',
  'last_version',
  'last_actor',
  'session_id',
  'reply_only',
  'sender_offered',
  'sender_surfaced',
  'sender_acked',
  'sender_held',
  'recipient_offered',
  'recipient_surfaced',
  'recipient_acked',
  'recipient_held',
  'updated_at',
  'status_at',
] as const satisfies readonly (typeof COLUMNS)[number][];

export function createTaskWriter(db: Database): TaskWriter {
  const selectTask = db.prepare<[string], TaskRow>('SELECT * FROM task WHERE id = ?');
  const insertTask = db.prepare(
    `INSERT INTO task (${COLUMNS.join(', ')}) VALUES (${COLUMNS.map(() => '?').join(', ')})`,
  );
  const updateTask = db.prepare(`UPDATE task SET ${CHANGING.map((name) => `${name} = ?`).join(', ')} WHERE pk = ?`);
  const insertEvent = db.prepare(
    'INSERT INTO task_event (task, version, kind, actor, author, created_at, body) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  const insertFeed = db.prepare("INSERT INTO feed (agent, seq, kind, task, version) VALUES (?, ?, 'handoff', ?, ?)");
  // one walk down the index for the common case, that the key is new
  const insertKey = db.prepare(
    'INSERT INTO idempotency (caller, other, kind, key, digest, task) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING',
  );
  const deleteKey = db.prepare('DELETE FROM idempotency WHERE caller = ? AND other = ? AND kind = ? AND key = ?');
  const selectKey = db.prepare<[number, number, string, string], TaskRow & { readonly digest: Buffer }>(
    `SELECT t.*, i.digest FROM idempotency i JOIN task t ON t.pk = i.task
      WHERE i.caller = ? AND i.other = ? AND i.kind = ? AND i.key = ?`,
  );
  const selectHead = db.prepare<[number], { head: number | null }>('SELECT max(seq) AS head FROM feed WHERE agent = ?');

  let newestPk = db.prepare<[], { pk: number | null }>('SELECT max(pk) AS pk FROM task').get()?.pk ?? 0;

  return {
    nextPk: () => ++newestPk,
    findTask(id) {
      const row = selectTask.get(id);
      return row === undefined ? undefined : { pk: row.pk, handoff: toHandoff(row) };
    },
    claim({ key: { caller, other, kind, key }, digest }, pk) {
      if (insertKey.run(caller, other, kind, key, digest, pk).changes === 1) return undefined;
      const row = selectKey.get(caller, other, kind, key);
      if (row === undefined) throw new Error('an idempotency key without its task');
      return { digest: row.digest, task: { pk: row.pk, handoff: toHandoff(row) } };
    },
    unclaim({ caller, other, kind, key }) {
      deleteKey.run(caller, other, kind, key);
    },
    insertTask(pk, handoff) {
      const row = toTaskRow(pk, handoff);
      insertTask.run(...COLUMNS.map((name) => row[name]));
    },
    updateTask(pk, handoff) {
      const row = toTaskRow(pk, handoff);
      updateTask.run(...CHANGING.map((name) => row[name]), pk);
    },
    appendEvents(pk, events) {
      for (const event of events) {
        const { version, kind, actor, author, at } = event;
        insertEvent.run(pk, version, kind, actor, author, at, toEventBody(event));
      }
    },
    appendFeed(agent, firstSeq, pk, events) {
      for (const [index, event] of events.entries()) insertFeed.run(agent, firstSeq + index, pk, event.version);
    },
    feedHead: (agent) => selectHead.get(agent)?.head ?? 0,
  };
}
