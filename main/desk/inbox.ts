import type { InboxItem } from '../../relay/contract/desk-api.ts';

/** Rows of every account as a client is shown them. */

/** Newest first; of those that are done, the newest `doneShown`. */
export function arrange(items: readonly InboxItem[], doneShown: number): { items: InboxItem[]; doneTotal: number } {
  const newestFirst = items.toSorted(byAge);
  let doneTotal = 0;
  const shown = newestFirst.filter(({ group }) => {
    if (group !== 'done') return true;
    doneTotal += 1;
    return doneTotal <= doneShown;
  });
  return { items: shown, doneTotal };
}

/** Task ids are ordered by time of making, and settle what the clock leaves open. */
function byAge(a: InboxItem, b: InboxItem): number {
  return b.handoff.updated_at - a.handoff.updated_at || (a.task_id < b.task_id ? 1 : a.task_id > b.task_id ? -1 : 0);
}

/** How many rows wait for the account's next step. */
export function countWaiting(items: readonly InboxItem[]): number {
  return items.filter(({ group }) => group === 'needs_you').length;
}

export function countUnread(items: readonly InboxItem[]): number {
  return items.filter(({ unread }) => unread).length;
}
