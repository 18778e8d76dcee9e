import { textPieces } from '../../relay/contract/plain-text.ts';

/** A piece of text as it is, or a character that cannot be seen and is therefore named. */
export type Piece =
  | { readonly text: string }
  /** `count` of the same in a row. */
  | { readonly mark: string; readonly name: string; readonly count: number };

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
  const pieces: Piece[] = [];
  for (const piece of textPieces(text)) {
    if ('text' in piece) pieces.push(piece);
    else addMark(pieces, piece.hidden.codePointAt(0) ?? 0);
  }
  return pieces;
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
