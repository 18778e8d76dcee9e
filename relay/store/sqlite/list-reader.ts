import { TERMINAL_STATES, handoffStateSchema, type HandoffState } from '../../contract/handoff.ts';
import type { Handoff, ListQuery } from '../ports.ts';
import type { Database } from './database.ts';
import { toHandoff, type TaskRow } from './rows.ts';

/** A condition and the values for its question marks. */
interface Where {
  readonly sql: string;
  readonly values: readonly (string | number)[];
}

/**
 * Lists an agent's handoffs by newest status. Each side (sent, received) and each half (open, closed) is one walk along
 * one index; the few rows that each gives are merged.
 */
export function createListReader(db: Database): (query: ListQuery) => { handoffs: readonly Handoff[]; total: number } {
  return (query) => {
    const walks = sides(query).flatMap((side) => halves(query).map((closed) => where(query, side, closed)));
    const rows = walks.flatMap(({ sql, values }) => {
      const page = after(query);
      return db
        .prepare<unknown[], TaskRow>(
          `SELECT * FROM task WHERE ${sql}${page.sql} ORDER BY status_at DESC, id DESC LIMIT ?`,
        )
        .all(...values, ...page.values, query.limit);
    });
    const newest = rows.toSorted((a, b) => b.status_at - a.status_at || (a.id < b.id ? 1 : -1)).slice(0, query.limit);
    const total = query.countTotal ? walks.reduce((sum, walk) => sum + count(db, walk), 0) : 0;
    return { handoffs: newest.map(toHandoff), total };
  };
}

function count(db: Database, { sql, values }: Where): number {
  return db.prepare<unknown[], { n: number }>(`SELECT count(*) AS n FROM task WHERE ${sql}`).get(...values)?.n ?? 0;
}

function sides(query: ListQuery): readonly ('sender' | 'recipient')[] {
  return query.role === undefined ? ['sender', 'recipient'] : [query.role];
}

/** Which of open (0) and closed (1) can hold the wanted states. */
function halves({ states = handoffStateSchema.options }: ListQuery): readonly (0 | 1)[] {
  return ([0, 1] as const).filter((half) => states.some((state) => isClosed(state) === half));
}

function isClosed(state: HandoffState): 0 | 1 {
  return TERMINAL_STATES.has(state) ? 1 : 0;
}

function where(query: ListQuery, side: 'sender' | 'recipient', closed: 0 | 1): Where {
  const otherSide = side === 'sender' ? 'recipient' : 'sender';
  const states = query.states?.filter((state) => isClosed(state) === closed);
  const conditions: readonly (Where | undefined)[] = [
    { sql: `${side} = ? AND closed = ?`, values: [query.viewer, closed] },
    // with a plus it is no choice for an index: the walk is along what the viewer has, never along what the other one has
    query.other === undefined ? undefined : { sql: `+${otherSide} = ?`, values: [query.other] },
    query.contextId === undefined ? undefined : { sql: 'context_id = ?', values: [query.contextId] },
    query.statusSince === undefined ? undefined : { sql: 'status_at >= ?', values: [query.statusSince] },
    states && { sql: `state IN (${states.map(() => '?').join(', ')})`, values: states },
  ];
  const given = conditions.filter((condition) => condition !== undefined);
  return {
    sql: given.map((condition) => condition.sql).join(' AND '),
    values: given.flatMap((condition) => condition.values),
  };
}

function after({ after: end }: ListQuery): Where {
  return end === undefined
    ? { sql: '', values: [] }
    : { sql: ' AND (status_at, id) < (?, ?)', values: [end.statusAt, end.taskId] };
}
