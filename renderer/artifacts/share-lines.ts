/** How many lines of a frame are open from the start in all, and of one artifact in it. */
const OPEN_LINES = 450;
const OPEN_EACH = 150;
/** A line is at most so long; what is longer counts as several. */
const LINE = 100;

/** How many lines of each text may be open from the start: a text has what those before it left. */
export function shareLines(texts: readonly string[]): readonly number[] {
  let left = OPEN_LINES;
  return texts.map((text) => {
    const share = Math.min(left, OPEN_EACH);
    left -= linesOf(text, share);
    return share;
  });
}

/** @param most where counting ends */
function linesOf(text: string, most: number): number {
  let lines = Math.min(most, Math.floor(text.length / LINE));
  for (let at = 0; lines < most && at < text.length; lines += 1) {
    const next = text.indexOf('\n', at);
    at = next === -1 ? text.length : next + 1;
  }
  return lines;
}
