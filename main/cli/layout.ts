/** Plain text for terminals: no colours, no boxes. */

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** How many characters a person sees. */
export function visibleLength(text: string): number {
  return Array.from(graphemes.segment(text)).length;
}

/** Lines with their cells under each other, two spaces apart. */
export function columns(rows: readonly (readonly string[])[]): readonly string[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, visibleLength(cell));
  }
  return rows.map((row) =>
    row
      .map((cell, at) => cell + ' '.repeat((widths[at] ?? 0) - visibleLength(cell)))
      .join('  ')
      .trimEnd(),
  );
}

/** The text, or its beginning with an ellipsis where it has more characters than that. */
export function truncate(text: string, length: number): string {
  if (visibleLength(text) <= length) return text;
  const kept = Array.from(graphemes.segment(text), ({ segment }) => segment).slice(0, Math.max(0, length - 1));
  return `${kept.join('').trimEnd()}…`;
}

/** Every line with so many spaces before it; an empty line stays empty. */
export function indent(text: string, spaces: number): string {
  return text.replace(/^(?=.)/gm, ' '.repeat(spaces));
}

/** How long ago, in the largest unit that is at least one: `now`, `5 min`, `3 h`, `12 d`. */
export function age(at: number, now: number): string {
  const minutes = Math.floor((now - at) / 60_000);
  if (minutes < 1) return 'now';
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 24 ? `${hours} h` : `${Math.floor(hours / 24)} d`;
}

/** `2026-11-30 14:05`, by this machine's clock. */
export function dateTime(at: number): string {
  const date = new Date(at);
  const two = (part: number): string => String(part).padStart(2, '0');
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-');
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}
