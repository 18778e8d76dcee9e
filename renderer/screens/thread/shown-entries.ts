import type { EntryReceipt, ThreadEntry } from '../../../relay/contract/thread.ts';
import { affordable } from '../../components/use-shown.ts';

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

/** How much of a long thread is drawn at first, by `weightOf`: some two hundred short messages. */
const OPENING = 400;
/** How much more is drawn each time it is asked for. */
const STEP = 500;
/** How much is drawn in all. What is farther away gives its place to what is asked for. */
const MOST = 2_000;

/** The entries that are drawn: from one up to another, by their places. An end beyond the last entry moves with it. */
export interface Drawn {
  readonly from: number;
  readonly to: number;
}

/** The end of a thread, which moves while entries are added. */
const END = Number.POSITIVE_INFINITY;

/** Where a thread opens. */
export interface Opening extends Drawn {
  /** Version of the first entry of the other side that was not shown yet; undefined: the thread opens at its end. */
  readonly first: number | undefined;
}

/** @param surfaced the version up to which the reader has seen the thread */
export function openingOf(entries: readonly ShownEntry[], surfaced: number): Opening {
  const at = entries.findIndex(({ entry }) => !entry.own && entry.version > surfaced);
  const end = endOf(entries);
  if (at === -1) return { first: undefined, ...end };
  const first = entries[at]?.entry.version;
  return at >= end.from ? { first, ...end } : { first, ...onwards(entries, at, OPENING) };
}

/** The end of a thread. */
export function endOf(entries: readonly ShownEntry[]): Drawn {
  return { from: backFrom(entries, entries.length, OPENING), to: END };
}

/** With earlier entries, and perhaps without the last that were drawn. */
export function withEarlier(entries: readonly ShownEntry[], { from, to }: Drawn): Drawn {
  const start = backFrom(entries, from, STEP);
  const { to: most } = onwards(entries, start, MOST);
  return { from: start, to: Math.min(to, most) };
}

/** With later entries, and perhaps without the first that were drawn. */
export function withLater(entries: readonly ShownEntry[], { from, to }: Drawn): Drawn {
  const { to: end } = onwards(entries, to, STEP);
  return { from: Math.max(from, backFrom(entries, Math.min(end, entries.length), MOST)), to: end };
}

function onwards(entries: readonly ShownEntry[], from: number, most: number): Drawn {
  const count = affordable(entries.length - from, most, (index) => weightAt(entries, from + index));
  return { from, to: from + count < entries.length ? from + count : END };
}

function backFrom(entries: readonly ShownEntry[], to: number, most: number): number {
  return to - affordable(to, most, (index) => weightAt(entries, to - 1 - index));
}

function weightAt(entries: readonly ShownEntry[], index: number): number {
  const shown = entries[index];
  return shown === undefined ? 0 : weightOf(shown.entry);
}

/** However much is in an entry, no more is drawn of it at first. */
const HEAVIEST = 200;

/** What it costs to draw an entry, in lines: about as much as its texts and artifacts take at first. */
function weightOf(entry: ThreadEntry): number {
  if (entry.kind === 'state') return 1;
  const parts = entry.kind === 'message' ? entry.parts : entry.artifacts.flatMap(({ artifact }) => artifact.parts);
  const weight = parts.reduce((sum, part) => sum + ('text' in part ? Math.min(part.text.length / 200, 100) : 8), 2);
  return Math.min(weight, HEAVIEST);
}

/** The entries that are drawn. The first of them says who wrote it. */
export function entriesOf(entries: readonly ShownEntry[], { from, to }: Drawn): readonly ShownEntry[] {
  return entries.slice(from, to).map((shown, index) => (index === 0 ? { ...shown, continues: false } : shown));
}
