/** A piece of text as it is, or a character that cannot be seen and is therefore named. */
export type Piece =
  | { readonly text: string }
  /** `count` of the same in a row. */
  | { readonly mark: string; readonly name: string; readonly count: number };

/**
 * What text can hide or turn around: controls but tab and line feed, bidirectional controls, zero-width and
 * default-ignorable characters, variation selectors, tags, private use, lone surrogates.
 */
const HIDDEN =
  // oxlint-disable-next-line no-control-regex, no-misleading-character-class -- they are what is looked for
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B-\u200F\u2028-\u202E\u2060-\u206F\u3164\uE000-\uF8FF\uFE00-\uFE0F\uFEFF\uFFA0\uFFF9-\uFFFB\u{E0000}-\u{E0FFF}\u{F0000}-\u{10FFFF}]|\p{Surrogate}/gu;

const NAMES: Readonly<Record<number, readonly [string, string]>> = {
  0x00: ['NUL', 'null'],
  0x08: ['BS', 'backspace'],
  0x0d: ['CR', 'carriage return'],
  0x1b: ['ESC', 'escape'],
  0x7f: ['DEL', 'delete'],
  0xad: ['SHY', 'soft hyphen'],
  0x61c: ['ALM', 'Arabic letter mark'],
  0x200b: ['ZWSP', 'zero width space'],
  0x200c: ['ZWNJ', 'zero width non-joiner'],
  0x200d: ['ZWJ', 'zero width joiner'],
  0x200e: ['LRM', 'left-to-right mark'],
  0x200f: ['RLM', 'right-to-left mark'],
  0x202a: ['LRE', 'left-to-right embedding'],
  0x202b: ['RLE', 'right-to-left embedding'],
  0x202c: ['PDF', 'pop directional formatting'],
  0x202d: ['LRO', 'left-to-right override'],
  0x202e: ['RLO', 'right-to-left override'],
  0x2060: ['WJ', 'word joiner'],
  0x2066: ['LRI', 'left-to-right isolate'],
  0x2067: ['RLI', 'right-to-left isolate'],
  0x2068: ['FSI', 'first strong isolate'],
  0x2069: ['PDI', 'pop directional isolate'],
  0xfeff: ['BOM', 'zero width no-break space'],
};

/** Text of a peer, with every character that cannot be seen as a mark of its own. Line ends become line feeds. */
export function markHidden(text: string): readonly Piece[] {
  const source = text.replaceAll('\r\n', '\n');
  const pieces: Piece[] = [];
  let from = 0;
  for (const match of source.matchAll(HIDDEN)) {
    if (isPartOfEmoji(match[0], source, match.index)) continue;
    if (match.index > from) pieces.push({ text: source.slice(from, match.index) });
    from = match.index + match[0].length;
    addMark(pieces, match[0].codePointAt(0) ?? 0);
  }
  if (from < source.length) pieces.push({ text: source.slice(from) });
  return pieces;
}

const PICTOGRAPH = /\p{Extended_Pictographic}$/u;

/** An emoji may choose its presentation and be joined with another; nothing else has a business with either. */
function isPartOfEmoji(found: string, source: string, at: number): boolean {
  const before = source.slice(Math.max(0, at - 2), at);
  if (found === '\uFE0F') return PICTOGRAPH.test(before) || source[at + 1] === '\u20E3';
  if (found !== '\u200D') return false;
  const base = source.slice(Math.max(0, at - 5), at).replace(/\uFE0F$|\p{Emoji_Modifier}$/u, '');
  return PICTOGRAPH.test(base) && /^\p{Extended_Pictographic}/u.test(source.slice(at + 1));
}

function addMark(pieces: Piece[], code: number): void {
  const hex = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
  const [mark, words] = NAMES[code] ?? [hex, 'hidden character'];
  const last = pieces.at(-1);
  if (last !== undefined && 'mark' in last && last.mark === mark) {
    pieces[pieces.length - 1] = { ...last, count: last.count + 1 };
  } else {
    pieces.push({ mark, name: `${words}, ${hex}`, count: 1 });
  }
}
