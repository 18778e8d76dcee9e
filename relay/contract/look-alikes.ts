import { HIDDEN } from './hidden-characters.ts';
import { LOOK_ALIKE_LETTERS } from './look-alike-letters.ts';

/** The ASCII character that another one looks like. */
const MODELS: ReadonlyMap<string, string> = new Map(
  Object.entries(LOOK_ALIKE_LETTERS).flatMap(([model, letters]) =>
    Array.from(letters, (letter) => [letter, model] as const),
  ),
);

/**
 * A text as a quick eye reads it: in ASCII and small letters as far as its letters look like those, without accents and
 * without what hides in it. Never for storing or comparing identities: it is lossy.
 */
export function asRead(text: string): string {
  return Array.from(text.normalize('NFKD').replace(HIDDEN, '').replace(/\p{M}/gu, ''), modelOf).join('');
}

function modelOf(character: string): string {
  const small = character.toLowerCase();
  return MODELS.get(character) ?? MODELS.get(small) ?? small;
}

/** Two texts with the same skeleton pass for each other, also where both are ASCII: `a1ice`, `alice`. */
export function skeleton(text: string): string {
  return asRead(text).replaceAll('1', 'l').replaceAll('0', 'o').replaceAll('rn', 'm').replaceAll('vv', 'w');
}

/** The source of a pattern (flags `iu`) for a word of small letters, however its letters are disguised. */
export function disguised(word: string): string {
  return Array.from(word, (letter) => `[${letter}${LOOK_ALIKE_LETTERS[letter] ?? ''}]`).join('');
}
