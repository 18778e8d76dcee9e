import type { Kept } from '../../../relay/contract/desk-api.ts';
import type { OutboxItem } from '../../../relay/contract/outbox.ts';
import type { OutboxRow } from '../store/outbox-store.ts';
import { textOfRequest } from '../requests.ts';

/** How much of a text is shown of what waits, characters. */
const SHOWN = 4_096;

/** A row as clients see it. */
export function toOutboxItem(row: OutboxRow): OutboxItem {
  const { id, account, peer, kind, thread, author, state, findings, created_at } = row;
  return {
    id,
    account,
    peer,
    kind,
    ...(kind !== 'handoff' && { task_id: thread }),
    text: textOfRequest(row.request).slice(0, SHOWN).toWellFormed(),
    author,
    state,
    reason: row.reason ?? WAITS,
    findings,
    created_at,
  };
}

/** What a write answers that is kept. */
export function toKept({ id, state, reason, findings }: OutboxRow): Kept {
  const status = state === 'needs_human' || state === 'returned' ? 'needs_human' : 'queued';
  return { status, reason: reason ?? WAITS, outbox_id: id, findings };
}

const WAITS = 'It is sent when the relay can be reached.';
