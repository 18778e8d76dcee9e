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

/** Of what hides between two letters, so many kinds are told apart. */
const IN_A_ROW = 8;
/** So many marks stand in one text, for they cost time to draw. The last tells how much more is hidden behind it. */
const MOST = 100;

/**
 * Text of a peer, with every character that cannot be seen as a mark of its own, as far as there are not too many: then
 * those that remain are counted in one mark before the text that they are in. Line ends become line feeds.
 */
export function markHidden(text: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let marks = 0;
  let uncounted = 0;
  const rest: string[] = [];
  for (const stretch of stretchesOf(text)) {
    if ('hidden' in stretch) {
      const row = marks < MOST ? marksOf(stretch.hidden) : [];
      if (row.length === 0) uncounted += stretch.hidden.length;
      marks += row.length;
      pieces.push(...row);
    } else if (marks < MOST) {
      pieces.push(stretch);
    } else {
      rest.push(stretch.text);
    }
  }
  if (uncounted > 0)
    pieces.push({ mark: 'hidden', name: 'hidden characters in the text behind this', count: uncounted });
  return rest.length === 0 ? pieces : [...pieces, { text: rest.join('') }];
}

/** Text as it is, or the hidden characters between two such texts. */
function stretchesOf(text: string): readonly ({ readonly text: string } | { readonly hidden: readonly string[] })[] {
  const stretches: ({ text: string } | { hidden: string[] })[] = [];
  for (const piece of textPieces(text)) {
    const last = stretches.at(-1);
    if ('text' in piece) stretches.push(piece);
    else if (last !== undefined && 'hidden' in last) last.hidden.push(piece.hidden);
    else stretches.push({ hidden: [piece.hidden] });
  }
  return stretches;
}

/** A mark for each character and those of its kind that follow it at once. */
function marksOf(hidden: readonly string[]): readonly Piece[] {
  const marks: Extract<Piece, { mark: string }>[] = [];
  let marked = 0;
  for (const character of hidden) {
    const { mark, name } = nameOf(character);
    const last = marks.at(-1);
    if (last?.mark === mark) marks[marks.length - 1] = { ...last, count: last.count + 1 };
    else if (marks.length < IN_A_ROW) marks.push({ mark, name, count: 1 });
    else break;
    marked += 1;
  }
  if (marked < hidden.length) {
    marks.push({ mark: 'hidden', name: 'more hidden characters, of several kinds', count: hidden.length - marked });
  }
  return marks;
}

function nameOf(character: string): { readonly mark: string; readonly name: string } {
  const code = character.codePointAt(0) ?? 0;
  const hex = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
  const [mark, words] = NAMES[code] ?? [hex, 'hidden character'];
  return { mark, name: `${words}, ${hex}` };
}
