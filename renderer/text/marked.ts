import type { EgressFinding } from '../../relay/contract/outbox.ts';

/** A stretch of a text, and whether something was found there. */
export interface MarkedSpan {
  readonly text: string;
  readonly marked: boolean;
}

/**
 * Whether the place of a finding can be marked in the first text of what was written, as far as that is shown. A text that is
 * too large to be looked through has no places.
 */
export function isMarked({ where, rule, start }: EgressFinding, text: string): boolean {
  return where === 'body' && rule !== 'too-large' && start < text.length;
}

/**
 * Cuts a text where something was found in it. Places that overlap or touch are one, those behind its end are left out,
 * and none cuts a character in two.
 */
export function markFindings(text: string, findings: readonly EgressFinding[]): readonly MarkedSpan[] {
  const places = findings
    .filter((finding) => isMarked(finding, text))
    .map(({ start, end }) => ({ start: edge(text, start, -1), end: edge(text, end, 1) }))
    .toSorted((one, other) => one.start - other.start);
  const spans: MarkedSpan[] = [];
  let from = 0;
  for (const { start, end } of places) {
    if (end <= Math.max(start, from)) continue;
    if (start > from) spans.push({ text: text.slice(from, start), marked: false });
    const more = text.slice(Math.max(start, from), end);
    const last = spans.at(-1);
    if (last?.marked === true) spans[spans.length - 1] = { text: last.text + more, marked: true };
    else spans.push({ text: more, marked: true });
    from = end;
  }
  if (from < text.length) spans.push({ text: text.slice(from), marked: false });
  return spans;
}

/** A place in the text that is not within a character: this one, or the next one in the direction. */
function edge(text: string, at: number, direction: 1 | -1): number {
  const place = Math.min(Math.max(at, 0), text.length);
  const isWithin = isHigh(text.charCodeAt(place - 1)) && isLow(text.charCodeAt(place));
  return isWithin ? place + direction : place;
}

function isHigh(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

function isLow(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}
