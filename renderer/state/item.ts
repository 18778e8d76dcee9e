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

/** The row of an item. */
export function makeRow(item: InboxItem): Row {
  return { key: itemKey(item), item, at: item.handoff.updated_at };
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
