import type { DiffLine, FileDiff } from './parse.ts';

/** Part of a line; `changed` is what differs from the line that it replaces or is replaced by. */
export interface DiffSpan {
  readonly text: string;
  readonly changed: boolean;
}

/** A row of the table that a diff is shown as. */
export type DiffRow =
  | { readonly kind: 'hunk'; readonly text: string }
  | { readonly kind: 'note'; readonly text: string }
  | {
      readonly kind: 'context' | 'add' | 'del';
      readonly oldNo?: number;
      readonly newNo?: number;
      readonly spans: readonly DiffSpan[];
    };

/** Rows of a file's diff, in order. Linear in its length. */
export function diffRows({ preamble, hunks }: FileDiff): readonly DiffRow[] {
  return [
    ...preamble.map((text) => ({ kind: 'note' as const, text })),
    ...hunks.flatMap(({ header, lines }) => [{ kind: 'hunk' as const, text: header }, ...lineRows(lines)]),
  ];
}

/** How many rows `diffRows` gives. */
export function rowCount({ preamble, hunks }: FileDiff): number {
  return hunks.reduce((sum, { lines }) => sum + 1 + lines.length, preamble.length);
}

function lineRows(lines: readonly DiffLine[]): readonly DiffRow[] {
  const partners = pairChanges(lines);
  return lines.map((line, index) => {
    if (line.kind === 'note') return line;
    const { text, ...numbered } = line;
    const partner = partners.get(index);
    return { ...numbered, spans: partner === undefined ? [{ text, changed: false }] : spansAgainst(text, partner) };
  });
}

/** In a run of removed lines followed by added ones, the first replaces the first, and so on. */
function pairChanges(lines: readonly DiffLine[]): ReadonlyMap<number, string> {
  const partners = new Map<number, string>();
  let removed: number[] = [];
  let next = 0;
  lines.forEach((line, index) => {
    if (line.kind === 'del') {
      if (next > 0) removed = [];
      next = 0;
      removed.push(index);
    } else if (line.kind === 'add') {
      const at = removed[next];
      const old = at === undefined ? undefined : lines[at];
      next += 1;
      if (at === undefined || old === undefined) return;
      partners.set(at, line.text);
      partners.set(index, old.text);
    } else if (line.kind === 'context') {
      removed = [];
      next = 0;
    }
  });
  return partners;
}

/** The middle that differs. Lines that have little in common are other lines, and nothing in them is marked. */
function spansAgainst(text: string, other: string): readonly DiffSpan[] {
  const longest = Math.min(text.length, other.length);
  let head = 0;
  while (head < longest && text[head] === other[head]) head += 1;
  let tail = 0;
  while (tail < longest - head && text.at(-1 - tail) === other.at(-1 - tail)) tail += 1;
  const common = text.slice(0, head).trim().length + text.slice(text.length - tail).trim().length;
  if (common * 2 < Math.min(text.trim().length, other.trim().length)) return [{ text, changed: false }];
  return [
    { text: text.slice(0, head), changed: false },
    { text: text.slice(head, text.length - tail), changed: true },
    { text: text.slice(text.length - tail), changed: false },
  ].filter((span) => span.text !== '');
}
