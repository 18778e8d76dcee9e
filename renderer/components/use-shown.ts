import { useState } from 'react';

/** How much of a list is drawn, in what it costs: at first, and more with each click. */
export interface Steps {
  readonly first: number;
  readonly step: number;
}

/** Lines of code: 200 at first. */
export const LINES: Steps = { first: 200, step: 1000 };
/** Rows of a frame: files, links, commands. */
export const ROWS: Steps = { first: 50, step: 200 };

/** How many characters of a line are drawn at first. */
export const LINE_DRAWN = 2_000;

/** What a line costs, which may be in pieces: a long one as much as several. */
export function lineCost(...pieces: readonly string[]): number {
  return pieces.reduce((sum, { length }) => sum + Math.min(length, LINE_DRAWN) / 200, 1);
}

/**
 * How much of a long list is drawn, so that no click freezes the window.
 * @param costOf what drawing the entry at an index costs; left out, all cost 1
 */
export function useShown(
  total: number,
  { first, step }: Steps,
  costOf: (index: number) => number = () => 1,
): { readonly shown: number; readonly more: () => void } {
  const [limit, setLimit] = useState(first);
  // a few more are not worth a button
  const all = affordable(total, limit * 1.05, costOf) === total;
  return { shown: all ? total : affordable(total, limit, costOf), more: () => setLimit(limit + step) };
}

/** How many entries from the first on cost no more than a limit in all; one at least, where there is one. */
export function affordable(total: number, limit: number, costOf: (index: number) => number): number {
  let spent = 0;
  for (let index = 0; index < total; index += 1) {
    spent += costOf(index);
    if (spent > limit) return Math.max(1, index);
  }
  return total;
}
