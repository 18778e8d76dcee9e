import type { Account, InboxItem } from '../../relay/contract/desk-api.ts';
import type { Party } from '../../relay/contract/handoff.ts';

/** Names one row: a handoff between two own accounts has two of them. */
export type ItemKey = string;

/** A row, and when somebody last wrote in it. Receipts, such as those this window causes, do not count. */
export interface Row {
  readonly key: ItemKey;
  readonly item: InboxItem;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

export function itemKey({ account, task_id: id }: Pick<InboxItem, 'account' | 'task_id'>): ItemKey {
  return `${account} ${id}`;
}

/** Whose side of the handoff the other one is. */
export function otherSide(role: Party): Party {
  return role === 'sender' ? 'recipient' : 'sender';
}

/**
 * The row of an item. A relay that does not say when it was written in last leaves that to what the window saw itself.
 * @param known the row before
 */
export function makeRow(item: InboxItem, known: Row | undefined): Row {
  const { written_at: written, version, last_version: last, created_at: created, updated_at: updated } = item.handoff;
  const seen = last === version ? updated : known?.item.handoff.last_version === last ? known.at : created;
  return { key: itemKey(item), item, at: written ?? seen };
}

/** Newest first; what came in one millisecond is ordered by its id, which grows with time. */
export function byNewest(a: Row, b: Row): number {
  if (a.at !== b.at) return b.at - a.at;
  return a.key < b.key ? 1 : a.key > b.key ? -1 : 0;
}

/** The part of a handle after `@`: the relay's name. */
export function relayName({ handle }: Pick<Account, 'handle'>): string {
  return handle.slice(handle.indexOf('@') + 1);
}
