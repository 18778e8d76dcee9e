import { byNewest, type ItemKey, type Row } from './item.ts';

/** The rows of the list, newest first, as lists and events change them. Pure. */

/** Changed rows at their new places. They never take the place of newer ones. */
export function changeRows(before: readonly Row[], changes: readonly Row[]): readonly Row[] {
  const changed = new Map(changes.map((row) => [row.key, row]));
  const rows: Row[] = [];
  for (const row of before) {
    const change = changed.get(row.key);
    if (change === undefined) rows.push(row);
    else if (change.item.handoff.version < row.item.handoff.version) {
      // an old list crossed a newer event
      changed.delete(row.key);
      rows.push(row);
    }
  }
  return merge(rows, [...changed.values()].toSorted(byNewest));
}

/**
 * The rows of a new snapshot, and what stays although it is not in it. A snapshot has only the newest of what is done: the
 * pages behind that stay where they go on without a gap. So does the open thread, for it is read again at once.
 * @param open the key of the open thread
 */
export function replaceRows(
  before: readonly Row[],
  listed: readonly Row[],
  open: ItemKey | undefined,
): { readonly rows: readonly Row[]; readonly goesOn: boolean } {
  const known = new Set(before.map(({ key }) => key));
  const goesOn = listed.some(({ key, item }) => item.group === 'done' && known.has(key));
  const keys = new Set(listed.map(({ key }) => key));
  const kept = before.filter(({ key, item }) => !keys.has(key) && (key === open || (goesOn && item.group === 'done')));
  return { rows: [...listed, ...kept].toSorted(byNewest), goesOn };
}

/** Two sorted lists as one: cheaper than sorting a long one again for each event. */
function merge(rows: readonly Row[], changes: readonly Row[]): readonly Row[] {
  const merged: Row[] = [];
  let next = 0;
  for (const row of rows) {
    for (let change = changes[next]; change !== undefined && byNewest(change, row) < 0; change = changes[next]) {
      merged.push(change);
      next += 1;
    }
    merged.push(row);
  }
  return [...merged, ...changes.slice(next)];
}
