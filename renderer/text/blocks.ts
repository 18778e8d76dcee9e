/** A run of text: code in backticks, or what is around it. */
export interface Span {
  readonly text: string;
  readonly code: boolean;
}

/** A message body is plain text; of Markdown it knows code, for that is what people paste. */
export type Block =
  | { readonly kind: 'prose'; readonly spans: readonly Span[] }
  /** A fenced block. `language` is what follows the fence; empty when nothing does. */
  | { readonly kind: 'code'; readonly language: string; readonly text: string };

const FENCE = /^ {0,3}(`{3,}|~{3,})[ \t]*([^`]*)$/;

/** Splits a body at its fences. A fence that is never closed holds the rest, as in CommonMark 0.31 section 4.5. */
export function bodyBlocks(body: string): readonly Block[] {
  const blocks: Block[] = [];
  let prose: string[] = [];
  let code: { readonly fence: string; readonly language: string; readonly lines: string[] } | undefined;

  const endProse = (): void => {
    const text = prose.join('\n').replace(/^\n+|\n+$/g, '');
    if (text !== '') blocks.push({ kind: 'prose', spans: codeSpans(text) });
    prose = [];
  };
  for (const line of body.replaceAll('\r\n', '\n').split('\n')) {
    const [, fence, info = ''] = FENCE.exec(line) ?? [];
    if (code === undefined && fence !== undefined) {
      endProse();
      code = { fence, language: info.trim(), lines: [] };
    } else if (code === undefined) {
      prose.push(line);
    } else if (fence?.startsWith(code.fence) === true && info.trim() === '') {
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

/** Code spans of one line: as many backticks behind as in front, and something between. */
export function codeSpans(text: string): readonly Span[] {
  const spans: Span[] = [];
  let from = 0;
  for (const match of text.matchAll(/(?<!`)(`+)(?!`)([^\n]+?)(?<!`)\1(?!`)/g)) {
    if (match.index > from) spans.push({ text: text.slice(from, match.index), code: false });
    spans.push({ text: trimOnce(match[2] ?? ''), code: true });
    from = match.index + match[0].length;
  }
  if (from < text.length) spans.push({ text: text.slice(from), code: false });
  return spans;
}

/** CommonMark 0.31 section 6.1: one space on both sides belongs to the backticks, so that code can begin with one. */
function trimOnce(code: string): string {
  return /^ .* $/.test(code) && code.trim() !== '' ? code.slice(1, -1) : code;
}
