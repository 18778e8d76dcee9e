/**
 * A text with a change, in which the lines around the change are as a person has written them: a library that writes YAML
 * writes all of it anew, with its own spaces, and some lines as two.
 * @param text as the person has written it
 * @param before what the library makes of it without the change
 * @param after what it makes of it with the change
 */
export function keepLines(text: string, before: string, after: string): string {
  if (after === before) return text;
  const [own, old, now] = [lines(text), lines(before), lines(after)];
  const above = commonStart(old, now);
  const below = commonStart(old.slice(above).toReversed(), now.slice(above).toReversed());
  const head = sameText(own, old, above);
  const tail = sameText(mirrored(own.slice(head.own)), mirrored(old.slice(head.old)), below);
  return [
    ...own.slice(0, head.own),
    ...now.slice(head.old, now.length - tail.old),
    ...own.slice(own.length - tail.own),
  ].join('\n');
}

function lines(text: string): readonly string[] {
  return text.split('\n');
}

/** How many lines two texts begin with that are the same. */
function commonStart(one: readonly string[], other: readonly string[]): number {
  const at = one.findIndex((line, index) => line !== other[index]);
  return at === -1 ? one.length : at;
}

/** As many lines of each as have the same text in all, but for spaces; of the library's no more than `most`. */
function sameText(
  own: readonly string[],
  library: readonly string[],
  most: number,
): { readonly own: number; readonly old: number } {
  let found = { own: 0, old: 0 };
  let [ours, theirs] = ['', ''];
  let [at, its] = [0, 0];
  for (;;) {
    // whichever of the two is behind catches up; where neither is, both go on
    const isEven = ours === theirs;
    if (isEven) {
      found = { own: at, old: its };
      [ours, theirs] = ['', ''];
    }
    const [takesOurs, takesTheirs] = [isEven || ours.length < theirs.length, isEven || theirs.length < ours.length];
    const isOver = (takesOurs && at === own.length) || (takesTheirs && its === most);
    if (isOver || !(takesOurs ? theirs.startsWith(ours) : ours.startsWith(theirs))) break;
    if (takesOurs) ours += withoutSpaces(own[at++] ?? '');
    if (takesTheirs) theirs += withoutSpaces(library[its++] ?? '');
  }
  // the library makes one empty line of several
  if (library[found.old] === '') return found;
  const next = own.findIndex((line, index) => index >= found.own && line !== '');
  return next === -1 ? found : { ...found, own: next };
}

/** From behind, letter by letter. */
function mirrored(text: readonly string[]): readonly string[] {
  return text.toReversed().map((line) => Array.from(line).toReversed().join(''));
}

function withoutSpaces(line: string): string {
  return line.replaceAll(/\s/g, '');
}
