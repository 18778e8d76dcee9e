import type { Account, InboxItem } from '../../relay/contract/desk-api.ts';
import type { Party } from '../../relay/contract/handoff.ts';
import type { OutboxItem } from '../../relay/contract/outbox.ts';

/** Names one row of the list: a handoff between two own accounts has two of them. */
export type ItemKey = string;

/** The row of a handoff, and when somebody last wrote in it. Receipts, such as those this window causes, do not count. */
export interface Row {
  readonly key: ItemKey;
  readonly item: InboxItem;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** The row of what waits to be sent, and when it was written. */
export interface OutboxRow {
  readonly key: ItemKey;
  readonly waits: OutboxItem;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

export type ListRow = Row | OutboxRow;

/** What is selected: a handoff, or what waits to be sent. */
export type Selected =
  | { readonly account: string; readonly taskId: string }
  | { readonly account: string; readonly outboxId: string };

export function itemKey({ account, task_id: id }: Pick<InboxItem, 'account' | 'task_id'>): ItemKey {
  return `${account} ${id}`;
}

export function outboxKey({ account, id }: Pick<OutboxItem, 'account' | 'id'>): ItemKey {
  // no account is called so: this is never the key of a handoff
  return `outbox ${account} ${id}`;
}

/** The row that is selected. */
export function selectedKey(selected: Selected | undefined): ItemKey | undefined {
  if (selected === undefined) return undefined;
  const { account } = selected;
  return 'taskId' in selected
    ? itemKey({ account, task_id: selected.taskId })
    : outboxKey({ account, id: selected.outboxId });
}

/** What is selected with a row. */
export function selectionOf(row: ListRow): Selected {
  return 'waits' in row
    ? { account: row.waits.account, outboxId: row.waits.id }
    : { account: row.item.account, taskId: row.item.task_id };
}

/** Whose side of the handoff the other one is. */
export function otherSide(role: Party): Party {
  return role === 'sender' ? 'recipient' : 'sender';
}

/** The row of an item. */
export function makeRow(item: InboxItem): Row {
  return { key: itemKey(item), item, at: item.handoff.updated_at };
}

/** The row of what waits to be sent. */
export function makeOutboxRow(waits: OutboxItem): OutboxRow {
  return { key: outboxKey(waits), waits, at: waits.created_at };
}

/** Newest first; what came in one millisecond is ordered by its id, which grows with time. */
export function byNewest(a: ListRow, b: ListRow): number {
  if (a.at !== b.at) return b.at - a.at;
  return a.key < b.key ? 1 : a.key > b.key ? -1 : 0;
}

/** The part of a handle after `@`: the relay's name. */
export function relayName({ handle }: Pick<Account, 'handle'>): string {
  return handle.slice(handle.indexOf('@') + 1);
}
