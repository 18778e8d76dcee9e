import type { AgentId, Handoff } from '../ports.ts';
import type { ThreadEvent } from '../../contract/handoff.ts';
import type { Database } from './database.ts';
import { toHandoff, toTaskRow, type TaskRow } from './rows.ts';

/** A handoff, its row number, and how many characters its thread has. */
export interface StoredTask {
  readonly pk: number;
  readonly handoff: Handoff;
  readonly size: number;
}

/** An event with its body as it is stored. */
export interface StoredEvent {
  readonly event: ThreadEvent;
  readonly body: string;
}

type SizedRow = TaskRow & { readonly size: number };

/** The statements of one command, run inside the transaction that the log holds open. */
export interface TaskWriter {
  /** A row number that was never used. */
  nextPk(): number;
  findTask(id: string): StoredTask | undefined;
  taskAt(pk: number): StoredTask | undefined;
  /** @param size characters of its thread */
  insertTask(pk: number, handoff: Handoff, size: number): void;
  updateTask(pk: number, handoff: Handoff, size: number): void;
  appendEvents(pk: number, events: readonly StoredEvent[]): void;
  appendFeed(agent: AgentId, firstSeq: number, pk: number, events: readonly ThreadEvent[]): void;
  /** A row of an agent's feed that is about another one. */
  appendContact(agent: AgentId, seq: number, about: AgentId): void;
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
  'reason',
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
  'chain',
] as const satisfies readonly (keyof TaskRow)[];

/** What an event can change; the rest of a row stays as it was created. */
const CHANGING = [
  'state',
  'closed',
  'version',
  'last_version',
  'last_actor',
  'session_id',
  'reason',
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
  const selectTask = db.prepare<[string], SizedRow>('SELECT * FROM task WHERE id = ?');
  const selectTaskAt = db.prepare<[number], SizedRow>('SELECT * FROM task WHERE pk = ?');
  const insertTask = db.prepare(
    `INSERT INTO task (${COLUMNS.join(', ')}, size) VALUES (${COLUMNS.map(() => '?').join(', ')}, ?)`,
  );
  const updateTask = db.prepare(
    `UPDATE task SET ${CHANGING.map((name) => `${name} = ?`).join(', ')}, size = ? WHERE pk = ?`,
  );
  const insertEvent = db.prepare(
    'INSERT INTO task_event (task, version, kind, actor, author, created_at, body) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  const insertFeed = db.prepare("INSERT INTO feed (agent, seq, kind, task, version) VALUES (?, ?, 'handoff', ?, ?)");
  const insertContact = db.prepare("INSERT INTO feed (agent, seq, kind, task, version) VALUES (?, ?, 'contact', ?, 0)");
  const selectHead = db.prepare<[number], { head: number | null }>('SELECT max(seq) AS head FROM feed WHERE agent = ?');

  let newestPk = db.prepare<[], { pk: number | null }>('SELECT max(pk) AS pk FROM task').get()?.pk ?? 0;

  return {
    nextPk: () => ++newestPk,
    findTask: (id) => toStored(selectTask.get(id)),
    taskAt: (pk) => toStored(selectTaskAt.get(pk)),
    insertTask(pk, handoff, size) {
      const row = toTaskRow(pk, handoff);
      insertTask.run(...COLUMNS.map((name) => row[name]), size);
    },
    updateTask(pk, handoff, size) {
      const row = toTaskRow(pk, handoff);
      updateTask.run(...CHANGING.map((name) => row[name]), size, pk);
    },
    appendEvents(pk, events) {
      for (const { event, body } of events) {
        const { version, kind, actor, author, at } = event;
        insertEvent.run(pk, version, kind, actor, author, at, body);
      }
    },
    appendFeed(agent, firstSeq, pk, events) {
      for (const [index, event] of events.entries()) insertFeed.run(agent, firstSeq + index, pk, event.version);
    },
    appendContact: (agent, seq, about) => void insertContact.run(agent, seq, about),
    feedHead: (agent) => selectHead.get(agent)?.head ?? 0,
  };
}

function toStored(row: SizedRow | undefined): StoredTask | undefined {
  return row && { pk: row.pk, handoff: toHandoff(row), size: row.size };
}
