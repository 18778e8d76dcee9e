import type { Block } from './blocks.ts';

/**
 * How much of a text is drawn at once, by what it costs to draw: a character counts one, a line as much as this many, and
 * a backtick half of that, for there may be code behind it.
 */
const UNIT = 50;
/** What is drawn of a text at first: 20 kB, or 400 lines. */
export const FIRST_PAGE = 20_000;
/** What each click adds. */
export const NEXT_PAGE = 30_000;

/** So few characters at the end are not worth a page. */
const FEW = 500;

/** Part of a text that is drawn in one go. */
export interface Page {
  readonly blocks: readonly PageBlock[];
  /** Characters in it. */
  readonly length: number;
}

/** A block, or the part of one that is on a page. */
export type PageBlock = Block & {
  /** It began on the page before. */
  readonly continues: boolean;
};

/** Cuts blocks into pages, at the ends of lines where lines are not too long. Nothing is lost; no blocks are one page. */
export function pagesOf(blocks: readonly Block[]): readonly Page[] {
  const pages: Page[] = [];
  let page: PageBlock[] = [];
  let length = 0;
  let left = FIRST_PAGE;
  const endPage = (): void => {
    pages.push({ blocks: page, length });
    [page, length, left] = [[], 0, NEXT_PAGE];
  };
  for (const block of blocks) {
    let from = 0;
    do {
      const { end, cost } = fitting(block.text, from, left - UNIT);
      if (end === from && block.text !== '') {
        endPage();
        continue;
      }
      const text = withoutLastFeed(block.text.slice(from, end), end < block.text.length);
      page.push({ ...block, text, continues: from > 0 });
      length += end - from;
      left -= UNIT + cost;
      from = end;
    } while (from < block.text.length);
  }
  const last = pages.at(-1);
  if (last !== undefined && length <= FEW) {
    pages[pages.length - 1] = { blocks: [...last.blocks, ...page], length: last.length + length };
  } else {
    endPage();
  }
  return pages;
}

/** The line feed between two pages is their edge. */
function withoutLastFeed(text: string, goesOn: boolean): string {
  return goesOn && text.endsWith('\n') ? text.slice(0, -1) : text;
}

/** A line that is no longer moves to the next page as a whole, and no longer one begins in so little room. */
const SHORT_LINE = 2_000;

/** How far a text fits from a place on, and what that costs. */
function fitting(text: string, from: number, room: number): { readonly end: number; readonly cost: number } {
  let cost = 0;
  let lineStart = from;
  let costBefore = 0;
  for (let at = from; at < text.length; at += 1) {
    const character = text[at];
    const more = character === '\n' ? 1 + UNIT : character === '`' ? 1 + UNIT / 2 : 1;
    if (cost + more > room) {
      const isLong = at - lineStart > SHORT_LINE || room >= FIRST_PAGE - UNIT;
      return isLong && lineStart === from
        ? { end: from + cutAt(text.slice(from, at + 1), at - from), cost }
        : { end: lineStart, cost: costBefore };
    }
    cost += more;
    if (character === '\n') [lineStart, costBefore] = [at + 1, cost];
  }
  return { end: text.length, cost };
}

/** Where to cut a text that is longer than `most`: behind white space that is near, and never within a character. */
export function cutAt(text: string, most: number): number {
  if (text.length <= most) return text.length;
  const start = Math.max(0, most - 100);
  const space = text.slice(start, most).search(/\s\S*$/);
  if (space !== -1) return start + space + 1;
  const code = text.charCodeAt(most - 1);
  return code >= 0xd800 && code <= 0xdbff ? Math.max(1, most - 1) : most;
}

/** A text in pieces that are drawn one after the other: the first has `first` characters, or a few more that end it. */
export function piecesOf(text: string, first: number): readonly string[] {
  const pieces: string[] = [];
  let most = first;
  for (let rest = text; rest !== '' || pieces.length === 0; most = NEXT_PAGE) {
    const end = rest.length <= most * 1.1 ? rest.length : cutAt(rest, most);
    pieces.push(rest.slice(0, end));
    rest = rest.slice(end);
  }
  return pieces;
}
