import type { Group } from '../../relay/contract/desk-api.ts';
import type { OutboxItem } from '../../relay/contract/outbox.ts';
import { byNewest, makeOutboxRow, type ItemKey, type ListRow } from './item.ts';
import type { DeskState } from './reducer.ts';

/** Which part of the inbox the list shows. */
export type Filter = 'inbox' | 'waiting' | 'done';

/** What one section holds: the handoffs of a group, or what could not be sent. */
export type SectionName = Group | 'outbox';

/** One section of the list. */
export interface Section {
  readonly name: SectionName;
  /** How many there are in all; the rows may be only the newest of them. */
  readonly count: number;
  /** Newest first; of what could not be sent, what a person has to decide about before that. */
  readonly rows: readonly ListRow[];
}

/** What the list is made of. */
type Listed = Pick<DeskState, 'rows' | 'outbox' | 'doneTotal'>;

const SECTIONS: Readonly<Record<Filter, readonly SectionName[]>> = {
  // what is counted as needing you comes first, one's own before that of strangers
  inbox: ['needs_you', 'outbox', 'held', 'working', 'waiting', 'done'],
  waiting: ['outbox', 'waiting'],
  done: ['done'],
};

/** What each section is called. */
export const SECTION_NAMES: Readonly<Record<SectionName, string>> = {
  needs_you: 'Needs you',
  outbox: 'Waits to be sent',
  held: 'Held by your rules',
  working: 'Working',
  waiting: 'Waiting on others',
  done: 'Done',
};

/** The sections of a filter that have something in them, in the order in which they matter. */
export function sectionsOf({ rows, outbox, doneTotal }: Listed, filter: Filter): readonly Section[] {
  return SECTIONS[filter]
    .map((name) => {
      const own = name === 'outbox' ? outboxRows(outbox, filter) : rows.filter(({ item: { group } }) => group === name);
      return { name, rows: own, count: name === 'done' ? Math.max(doneTotal, own.length) : own.length };
    })
    .filter(({ rows: own }) => own.length > 0);
}

/** Whether it goes nowhere without a person: it is held for one to look at, or came back. */
export function needsPerson({ state }: Pick<OutboxItem, 'state'>): boolean {
  return state === 'needs_human' || state === 'returned';
}

/** What needs a person waits on nobody else. */
function outboxRows(outbox: readonly OutboxItem[], filter: Filter): readonly ListRow[] {
  const [mine, others] = [outbox.filter(needsPerson), outbox.filter((one) => !needsPerson(one))];
  return [filter === 'waiting' ? [] : mine, others].flatMap((some) => some.map(makeOutboxRow).toSorted(byNewest));
}

/** What the navigation says of each filter. What is done is no number to watch. */
export function filterCounts({
  rows,
  outbox,
}: Omit<Listed, 'doneTotal'>): Readonly<Record<Exclude<Filter, 'done'>, number>> {
  const inbox = outbox.filter(needsPerson).length;
  const counts = { inbox, waiting: outbox.length - inbox };
  for (const { item } of rows) {
    if (item.group === 'needs_you') counts.inbox += 1;
    else if (item.group === 'waiting') counts.waiting += 1;
  }
  return counts;
}

/** The rows of all sections, as the arrow keys walk through them. */
export function rowsOf(sections: readonly Section[]): readonly ListRow[] {
  return sections.flatMap(({ rows }) => rows);
}

/** The row `by` steps from the one with a key; from nowhere, the first or the last. undefined in an empty list. */
export function stepFrom(rows: readonly ListRow[], key: ItemKey | undefined, by: 1 | -1): ListRow | undefined {
  const at = rows.findIndex((row) => row.key === key);
  if (at === -1) return by === 1 ? rows[0] : rows.at(-1);
  return rows[Math.min(Math.max(at + by, 0), rows.length - 1)];
}
