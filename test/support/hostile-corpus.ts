import * as characters from './hostile/characters.ts';
import * as words from './hostile/words.ts';

/**
 * What a peer may write to mislead whoever reads it: a person, a terminal, a coding agent, a log, a table. The files of it
 * are ASCII, so that they can be read and reviewed.
 */

/** Addresses, to stand where a link, a contract or a file is expected. */
export const HOSTILE_URLS = words.urls;

/** All of them, each once. */
export const HOSTILE_STRINGS: readonly string[] = [...Object.values(characters), ...Object.values(words)].flat();

/** Those that a relay takes: it refuses what is not well-formed Unicode. */
export const SENDABLE_STRINGS: readonly string[] = HOSTILE_STRINGS.filter((text) => text.isWellFormed());

/** Those that a relay takes, in pieces of at most so many UTF-16 code units, for a field that takes no more; what is longer is cut. */
export function hostilePieces(most: number, separator = ' '): readonly string[] {
  const pieces: string[] = [];
  for (const text of SENDABLE_STRINGS) {
    const last = pieces.at(-1);
    const whole = text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '');
    const joined = last === undefined ? whole : `${last}${separator}${whole}`;
    if (last === undefined || joined.length > most) pieces.push(whole);
    else pieces[pieces.length - 1] = joined;
  }
  return pieces;
}
