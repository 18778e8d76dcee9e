/** The longest line that is kept beside a handoff, in UTF-16 code units. */
const LENGTH = 240;

/** The first line of a text that is not empty, cut between characters, never inside a surrogate pair. */
export function firstLine(text: string): string | undefined {
  const line = text
    .split('\n')
    .map((one) => one.trim())
    .find((one) => one !== '');
  if (line === undefined || line.length <= LENGTH) return line;
  return `${line.slice(0, LENGTH - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
