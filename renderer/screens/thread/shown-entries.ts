import type { EntryReceipt, ThreadEntry } from '../../../relay/contract/thread.ts';

/** An entry, and what of its surroundings decides how much of it is shown. */
export interface ShownEntry {
  readonly entry: ThreadEntry;
  /** The same author goes on within minutes: name and time need not be said again. */
  readonly continues: boolean;
  /** Only where it says something that the next own entry does not say as well. */
  readonly receipt: EntryReceipt | undefined;
}

const PAUSE_MS = 5 * 60_000;

/** Takes out what would only be repeated. */
export function showEntries(entries: readonly ThreadEntry[]): readonly ShownEntry[] {
  const shown: ShownEntry[] = [];
  let next: EntryReceipt | undefined;
  for (let index = entries.length - 1; index >= 0; index -= 1) {
    const entry = entries[index];
    if (entry === undefined) continue;
    const receipt = entry.kind === 'state' ? undefined : entry.receipt;
    const isNews = receipt !== undefined && (receipt.state !== next?.state || receipt.at !== next.at);
    shown.push({ entry, continues: goesOn(entries[index - 1], entry), receipt: isNews ? receipt : undefined });
    next = receipt ?? next;
  }
  return shown.toReversed();
}

function goesOn(before: ThreadEntry | undefined, entry: ThreadEntry): boolean {
  if (before === undefined || before.kind === 'state' || entry.kind === 'state') return false;
  return before.actor === entry.actor && before.author === entry.author && entry.at - before.at < PAUSE_MS;
}

/** How many entries of a long thread are drawn at first. */
const DRAWN = 200;

/** Where a thread opens. */
export interface Opening {
  /** Version of the first entry of the other side that was not shown yet; undefined: the thread opens at its end. */
  readonly first: number | undefined;
  /** How many entries at its beginning are left out for now. */
  readonly hidden: number;
}

/** @param surfaced the version up to which the reader has seen the thread */
export function openingOf(entries: readonly ShownEntry[], surfaced: number): Opening {
  const first = entries.findIndex(({ entry }) => !entry.own && entry.version > surfaced);
  const last = entries.length - DRAWN;
  return {
    first: entries[first]?.entry.version,
    hidden: Math.max(0, first === -1 ? last : Math.min(first, last)),
  };
}

/** The entries behind those that are left out. The first that is drawn says who wrote it. */
export function entriesFrom(entries: readonly ShownEntry[], hidden: number): readonly ShownEntry[] {
  return entries.slice(hidden).map((shown, index) => (index === 0 ? { ...shown, continues: false } : shown));
}
