import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { replay } from '../../relay/handoffs/evolve.ts';
import type { Handoff } from '../../relay/store/ports.ts';
import { toEvent, toHandoff, type EventRow, type TaskRow } from '../../relay/store/sqlite/rows.ts';

/** A handoff as its row has it, and as its events make it. */
export interface Replayed {
  readonly stored: Handoff;
  readonly replayed: Handoff;
}

/** Every handoff in a store's file, both ways; and for each agent whether its feed is numbered without gaps. */
export function replayAll(dataDir: string): { handoffs: readonly Replayed[]; feedsWithGaps: readonly unknown[] } {
  const db = new Sqlite(join(dataDir, 'relay.db'), { readonly: true });
  try {
    const events = db.prepare<[number], EventRow>(
      'SELECT version, kind, actor, author, created_at, body FROM task_event WHERE task = ? ORDER BY version',
    );
    const handoffs = db
      .prepare<[], TaskRow>('SELECT * FROM task')
      .all()
      .map((row) => {
        const stored = toHandoff(row);
        const { id, contextId, sender, recipient } = stored;
        return { stored, replayed: replay({ id, contextId, sender, recipient }, events.all(row.pk).map(toEvent)) };
      });
    const feedsWithGaps = db
      .prepare<[], unknown>('SELECT agent FROM feed GROUP BY agent HAVING count(*) <> max(seq) OR min(seq) <> 1')
      .all();
    return { handoffs, feedsWithGaps };
  } finally {
    db.close();
  }
}
