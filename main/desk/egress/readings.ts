import { isUtf8 } from 'node:buffer';
import type { Passage } from './finding.ts';

/** A passage as one may read it, and where each of its characters stands in the passage. */
interface Reading {
  readonly passage: Passage;
  readonly text: string;
  /** What of the passage's text a range of this one was read from. */
  originOf(start: number, end: number): Omit<Located, 'passage'>;
}

/** All readings of all passages, one after the other, so that every rule runs once whatever their number. */
export interface Readings {
  readonly text: string;
  /** The passage in which a range in `text` begins, and what of it is there. */
  locate(start: number, end: number): Located;
}

/** A range in a passage. */
export interface Located {
  readonly passage: Passage;
  readonly start: number;
  readonly end: number;
}

/** Ends what a rule would read on into the next passage. */
const BETWEEN = '\n\0\n';

/**
 * Reads passages in each way in which a secret may stand in them: as they are, with the escapes of JSON undone, and with
 * what is base64 of a text decoded.
 */
export function readAll(passages: readonly Passage[]): Readings {
  const readings = passages.flatMap((passage) => [asIs(passage), ...unescaped(passage), ...decoded(passage)]);
  const starts: number[] = [];
  let length = 0;
  for (const { text } of readings) {
    starts.push(length);
    length += text.length + BETWEEN.length;
  }
  return {
    text: readings.map(({ text }) => text.replace(COLOUR, blank)).join(BETWEEN),
    locate(start, end) {
      const at = lastAtOrBefore(starts, start);
      const [reading, from] = [readings[at], starts[at]];
      if (reading === undefined || from === undefined) throw new Error('a range outside of what was read');
      const { passage, text, originOf } = reading;
      return { passage, ...originOf(start - from, Math.min(end - from, text.length)) };
    },
  };
}

/** A colour of a terminal ends in a letter, which is no part of the word after it. */
const COLOUR = new RegExp(`${String.fromCharCode(0x1b)}\\[[\\d;]{0,16}m`, 'g');

/** As long as before, so that every place stays. */
function blank(text: string): string {
  return ' '.repeat(text.length);
}

/** The place of the last of the sorted numbers that is no greater; -1 where each is. */
function lastAtOrBefore(sorted: readonly number[], value: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) <= value) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

function asIs(passage: Passage): Reading {
  return { passage, text: passage.text, originOf: (start, end) => ({ start, end }) };
}

const ESCAPE = /\\(?:u([0-9a-fA-F]{4})|(["\\/bfnrt]))/g;
const ESCAPED: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/** JSON in a text: a key file in it has `\n` where its lines end (RFC 8259 section 7). */
function unescaped(passage: Passage): Reading[] {
  const pieces: string[] = [];
  // after each escape: its end here, and there
  const ends: { readonly here: number; readonly there: number }[] = [{ here: 0, there: 0 }];
  let here = 0;
  let there = 0;
  for (const { 0: escape, 1: code, 2: letter = '', index } of passage.text.matchAll(ESCAPE)) {
    pieces.push(passage.text.slice(there, index));
    pieces.push(code === undefined ? (ESCAPED[letter] ?? letter) : String.fromCharCode(Number.parseInt(code, 16)));
    here += index - there + 1;
    there = index + escape.length;
    ends.push({ here, there });
  }
  if (pieces.length === 0) return [];
  pieces.push(passage.text.slice(there));
  const heres = ends.map((end) => end.here);
  const placeOf = (index: number): number => {
    const end = ends[lastAtOrBefore(heres, index)];
    return end === undefined ? 0 : end.there + index - end.here;
  };
  return [
    {
      passage,
      text: pieces.join(''),
      originOf: (start, end) => ({ start: placeOf(start), end: placeOf(end) }),
    },
  ];
}

/** A run on one line, or on lines of 76 or 64 as programs break it (RFC 2045 section 6.8, RFC 7468 section 2). */
const BASE64 =
  /(?<![\w+/-])(?:(?:[\w+/-]{76}\r?\n)+[\w+/-]{1,76}|(?:[\w+/-]{64}\r?\n)+[\w+/-]{1,64}|[\w+/-]{24,})={0,2}/g;

/** Files are sent in base64, and credentials are often kept in it. */
function decoded(passage: Passage): Reading[] {
  return Array.from(passage.text.matchAll(BASE64)).flatMap(({ 0: run, index }) => {
    const text = textIn(Buffer.from(run, 'base64'));
    if (text === undefined) return [];
    const { 0: lineBreak = '', index: width = run.length } = /\r?\n/.exec(run) ?? {};
    // whole groups of four digits, of three bytes each: a digit may belong to two bytes
    const placeOf = (groups: number): number =>
      index + Math.min(groups * 4 + Math.floor((groups * 4) / width) * lineBreak.length, run.length);
    return [
      {
        passage,
        text: text.text,
        originOf: (start, end) => ({
          start: placeOf(Math.floor((start * text.bytesEach) / 3)),
          end: placeOf(Math.ceil((end * text.bytesEach) / 3)),
        }),
      },
    ];
  });
}

/** What text has none of, but for the colours of a terminal. */
const NO_TEXT = /(?!\s)\p{Cc}/u;

/**
 * What bytes say as text, one character a byte (or two, in UTF-16), so that places can be counted back; undefined where
 * they are no text. A secret is of ASCII, whatever is around it.
 */
function textIn(bytes: Buffer): { readonly text: string; readonly bytesEach: number } | undefined {
  const isWide = bytes.length >= 4 && bytes.every((byte, at) => at < 2 || at % 2 === 0 || byte === 0);
  if (isWide) return { text: bytes.toString('utf16le'), bytesEach: 2 };
  if (!isUtf8(bytes) || NO_TEXT.test(bytes.toString('utf8').replaceAll('\u001b', ''))) return undefined;
  return { text: bytes.toString('latin1'), bytesEach: 1 };
}
