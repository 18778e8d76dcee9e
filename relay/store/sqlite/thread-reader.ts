import type { ThreadEvent } from '../../contract/handoff.ts';
import type { Conversation, Shown, ThreadPage } from '../ports.ts';
import type { Database } from './database.ts';
import { toEvent, type EventRow } from './rows.ts';

/** A page ends behind the event with which it reaches so many characters. */
const PAGE_SIZE = 4_000_000;

export interface ThreadReader {
  /** Events after a version, oldest first. @param pk row number of the task */
  page(pk: number, afterVersion: number, limit: number): Omit<ThreadPage, 'handoff'>;
  conversation(pk: number, shown: Shown): Omit<Conversation, 'handoff'>;
}

/** Reads of one thread, none of which reads more of it than it needs. */
export function createThreadReader(db: Database): ThreadReader {
  const columns = 'version, kind, actor, author, created_at, body';
  const from = (order: 'ASC' | 'DESC', condition: string): string =>
    `SELECT ${columns} FROM task_event WHERE task = ? AND ${condition} ORDER BY version ${order}`;
  const after = db.prepare<[number, number], EventRow>(from('ASC', 'version > ?'));
  const words = db.prepare<[number], EventRow>(from('DESC', "kind NOT IN ('artifact', 'receipt')"));
  const artifacts = db.prepare<[number], EventRow>(from('ASC', "kind = 'artifact'"));

  /** The newest `count` messages, newest first; one more where the newest is the recipient's, which is the status. */
  function newestWords(pk: number, count: number): readonly EventRow[] {
    const rows: EventRow[] = [];
    let wanted: number | undefined;
    for (const row of words.iterate(pk)) {
      if (speaks(toEvent(row))) {
        wanted ??= row.actor === 'sender' ? count : count + 1;
        if (wanted === 0) break;
        wanted -= 1;
      }
      rows.push(row);
      // what lies before it is for older messages
      if (wanted === 0) break;
    }
    return rows;
  }

  return {
    page(pk, afterVersion, limit) {
      const events: ThreadEvent[] = [];
      let size = 0;
      for (const row of after.iterate(pk, afterVersion)) {
        if (events.length === limit || size >= PAGE_SIZE) return { events, more: true };
        events.push(toEvent(row));
        size += row.body.length;
      }
      return { events, more: false };
    },
    conversation(pk, shown) {
      const rows = [
        ...newestWords(pk, shown.messages ?? Infinity),
        ...(shown.artifacts ? artifacts.all(pk) : []),
      ].toSorted((a, b) => a.version - b.version);
      return { events: rows.map(toEvent), size: rows.reduce((sum, { body }) => sum + body.length, 0) };
    },
  };
}

/** Whether an event is shown as a message: a step without words is not. */
function speaks(event: ThreadEvent): boolean {
  if (event.kind !== 'status') return true;
  return event.message !== undefined || event.reason !== undefined;
}
