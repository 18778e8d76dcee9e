/**
 * Code points that no output shows as they are: first and last, from Unicode's charts. Written out, and not taken from the
 * product or from properties, so that a hole in one of these is found.
 */
const FORBIDDEN: readonly (readonly [number, number])[] = [
  [0x00, 0x08],
  [0x0b, 0x1f],
  [0x7f, 0x9f],
  [0xad, 0xad],
  [0x34f, 0x34f],
  [0x61c, 0x61c],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x200b, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x206f],
  [0x2800, 0x2800],
  [0x3164, 0x3164],
  [0xd800, 0xdfff],
  [0xfdd0, 0xfdef],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff0, 0xfffb],
  [0xfffe, 0xffff],
  [0x13430, 0x1343f],
  [0x1bca0, 0x1bca3],
  [0x1d173, 0x1d17a],
  [0x1fffe, 0x1ffff],
  [0xe0000, 0xe0fff],
  [0x10fffe, 0x10ffff],
];

/** So many marks on one letter still are a letter. */
const MOST_MARKS = 8;

/**
 * What a text would do to whoever looks at it: the forbidden code points in it (`U+202E`), each once. Empty for a text that
 * is what it looks like. Whole emoji may hold joiners.
 */
export function rawDangers(text: string): readonly string[] {
  const found = new Set<string>();
  let marks = 0;
  // not the text without its emoji: what is left might join up
  for (const character of text.replace(/\p{RGI_Emoji}/gv, ' ')) {
    const code = character.codePointAt(0) ?? 0;
    marks = /\p{M}/u.test(character) ? marks + 1 : 0;
    if (marks > MOST_MARKS || FORBIDDEN.some(([first, last]) => code >= first && code <= last)) {
      found.add(`U+${code.toString(16).toUpperCase().padStart(4, '0')}`);
    }
  }
  return [...found];
}

/** The dangers in every string of a value, names of members included. */
export function rawDangersIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return rawDangers(value);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => [...rawDangers(name), ...rawDangersIn(member)]);
}
