/** A run of text: code in backticks, or what is around it. */
export interface Span {
  readonly text: string;
  readonly code: boolean;
}

/** A message body is plain text; of Markdown it knows code, for that is what people paste. Prose has it in spans. */
export type Block =
  | { readonly kind: 'prose'; readonly text: string }
  /** A fenced block. `language` is what follows the fence; empty when nothing does. */
  | { readonly kind: 'code'; readonly language: string; readonly text: string };

/**
 * Splits a body at its fences. A fence that is never closed holds the rest, as in CommonMark 0.31 section 4.5. Linear in
 * its length, whatever is in it: a peer wrote it.
 */
export function bodyBlocks(body: string): readonly Block[] {
  const blocks: Block[] = [];
  let prose: string[] = [];
  let code: { readonly fence: string; readonly language: string; readonly lines: string[] } | undefined;

  const endProse = (): void => {
    const text = withoutEmptyEnds(prose).join('\n');
    if (text !== '') blocks.push({ kind: 'prose', text });
    prose = [];
  };
  for (const line of body.replaceAll('\r\n', '\n').split('\n')) {
    const found = fenceOf(line);
    if (code === undefined && found !== undefined) {
      endProse();
      code = { fence: found.fence, language: found.info, lines: [] };
    } else if (code === undefined) {
      prose.push(line);
    } else if (found?.fence.startsWith(code.fence) === true && found.info === '') {
      blocks.push({ kind: 'code', language: code.language, text: code.lines.join('\n') });
      code = undefined;
    } else {
      code.lines.push(line);
    }
  }
  if (code !== undefined) blocks.push({ kind: 'code', language: code.language, text: code.lines.join('\n') });
  endProse();
  return blocks;
}

/** The fence that a line is, with the words behind it; three backticks around inline code are none. */
function fenceOf(line: string): { readonly fence: string; readonly info: string } | undefined {
  if (line.length < 3) return undefined;
  const [start, fence] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? [];
  if (start === undefined || fence === undefined || line.includes('`', start.length)) return undefined;
  return { fence, info: line.slice(start.length).trim() };
}

function withoutEmptyEnds(lines: readonly string[]): readonly string[] {
  const first = lines.findIndex((line) => line !== '');
  return first === -1 ? [] : lines.slice(first, lines.findLastIndex((line) => line !== '') + 1);
}

/** Code spans of one line: as many backticks behind as in front, and something between. */
export function codeSpans(text: string): readonly Span[] {
  const spans: Span[] = [];
  let from = 0;
  for (const { start, end, closedBy } of closeRuns(backtickRuns(text))) {
    // what is within code opens nothing
    if (closedBy === undefined || start < from) continue;
    if (start > from) spans.push({ text: text.slice(from, start), code: false });
    spans.push({ text: trimOnce(text.slice(end, closedBy.start)), code: true });
    from = closedBy.end;
  }
  if (from < text.length) spans.push({ text: text.slice(from), code: false });
  return spans;
}

/** A run of backticks, as long as it is, by the places of its ends. */
interface Run {
  readonly start: number;
  readonly end: number;
  /** Where its line ends. */
  readonly lineEnd: number;
  /** The next run of its length on its line. */
  closedBy?: Run;
}

function backtickRuns(text: string): readonly Run[] {
  const runs: Run[] = [];
  let lineEnd = -1;
  let end = 0;
  for (let start = text.indexOf('`'); start !== -1; start = text.indexOf('`', end)) {
    end = start + 1;
    while (text[end] === '`') end += 1;
    if (start > lineEnd) {
      const lineFeed = text.indexOf('\n', start);
      lineEnd = lineFeed === -1 ? text.length : lineFeed;
    }
    runs.push({ start, end, lineEnd });
  }
  return runs;
}

/** Finds what closes each run: from behind, so that each is looked at once. */
function closeRuns(runs: readonly Run[]): readonly Run[] {
  const next = new Map<number, Run>();
  for (let index = runs.length - 1; index >= 0; index -= 1) {
    const run = runs[index];
    if (run === undefined) continue;
    const length = run.end - run.start;
    const found = next.get(length);
    if (found?.lineEnd === run.lineEnd) run.closedBy = found;
    next.set(length, run);
  }
  return runs;
}

/** CommonMark 0.31 section 6.1: one space on both sides belongs to the backticks, so that code can begin with one. */
function trimOnce(code: string): string {
  return code.startsWith(' ') && code.endsWith(' ') && code.trim() !== '' ? code.slice(1, -1) : code;
}
