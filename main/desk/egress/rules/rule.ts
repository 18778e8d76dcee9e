import type { Range } from '../finding.ts';

/** Finds everything in a text that is of one kind, or of a few. */
export type Rule = (text: string) => Iterable<Range>;

/** The named groups of a match. */
export type Groups = Readonly<Record<string, string | undefined>>;

/**
 * A rule that is a pattern.
 * @param pattern with the flags `d` and `g`; what is found is its group `secret`, or all of it. Each of its repetitions
 * has a greatest number, and where one can begin is not inside of another: whatever the text, the time is that of reading
 * it so many times
 * @param accepts a closer look at what was found; left out, the pattern says all
 */
export function byPattern(name: string, pattern: RegExp, accepts: (groups: Groups) => boolean = () => true): Rule {
  return function* rule(text) {
    for (const { indices, groups = {}, index, 0: whole } of text.matchAll(pattern)) {
      if (!accepts(groups)) continue;
      const [start, end] = indices?.groups?.['secret'] ?? [index, index + whole.length];
      yield { rule: name, start, end };
    }
  };
}
