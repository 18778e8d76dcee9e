import type { Group } from '../../relay/contract/desk-api.ts';
import type { ItemKey, Row } from './item.ts';

/** Which part of the inbox the list shows. */
export type Filter = 'inbox' | 'waiting' | 'done';

/** One group of the list. */
export interface Section {
  readonly group: Group;
  /** How many there are in all; the rows may be only the newest of them. */
  readonly count: number;
  /** Newest first. */
  readonly rows: readonly Row[];
}

const GROUPS: Readonly<Record<Filter, readonly Group[]>> = {
  inbox: ['needs_you', 'held', 'working', 'waiting', 'done'],
  waiting: ['waiting'],
  done: ['done'],
};

/** What each group is called. */
export const GROUP_NAMES: Readonly<Record<Group, string>> = {
  needs_you: 'Needs you',
  held: 'Held by your rules',
  working: 'Working',
  waiting: 'Waiting on others',
  done: 'Done',
};

/** The groups of a filter that have something in them, in the order in which they matter. */
export function sectionsOf(rows: readonly Row[], filter: Filter, doneTotal: number): readonly Section[] {
  return GROUPS[filter]
    .map((group) => {
      const own = rows.filter((row) => row.item.group === group);
      return { group, rows: own, count: group === 'done' ? Math.max(doneTotal, own.length) : own.length };
    })
    .filter(({ rows: own }) => own.length > 0);
}

/** What the navigation says of each filter. What is done is no number to watch. */
export function filterCounts(rows: readonly Row[]): Readonly<Record<Exclude<Filter, 'done'>, number>> {
  const counts = { inbox: 0, waiting: 0 };
  for (const { item } of rows) {
    if (item.group === 'needs_you') counts.inbox += 1;
    else if (item.group === 'waiting') counts.waiting += 1;
  }
  return counts;
}

/** The rows of all sections, as the arrow keys walk through them. */
export function rowsOf(sections: readonly Section[]): readonly Row[] {
  return sections.flatMap(({ rows }) => rows);
}

/** The row `by` steps from the one with a key; from nowhere, the first or the last. undefined in an empty list. */
export function stepFrom(rows: readonly Row[], key: ItemKey | undefined, by: 1 | -1): Row | undefined {
  const at = rows.findIndex((row) => row.key === key);
  if (at === -1) return by === 1 ? rows[0] : rows.at(-1);
  return rows[Math.min(Math.max(at + by, 0), rows.length - 1)];
}
