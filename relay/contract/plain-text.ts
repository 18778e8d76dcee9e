import { HIDDEN, joinersInEmoji } from './hidden-characters.ts';

/** A stretch of text that shows as it is, or one character that is hidden in it. */
export type TextPiece = { readonly text: string } | { readonly hidden: string };

/** A peer's text, cut at everything hidden in it. Half surrogates become U+FFFD, `\r\n` becomes `\n`. */
export function textPieces(text: string): readonly TextPiece[] {
  const wellFormed = text.toWellFormed().replaceAll('\r\n', '\n');
  const allowed = joinersInEmoji(wellFormed);
  const pieces: TextPiece[] = [];
  let from = 0;
  for (const { 0: hidden, index } of wellFormed.matchAll(HIDDEN)) {
    if (hidden === '\n' || hidden === '\t' || allowed.has(index)) continue;
    if (index > from) pieces.push({ text: wellFormed.slice(from, index) });
    pieces.push({ hidden });
    from = index + hidden.length;
  }
  if (from < wellFormed.length) pieces.push({ text: wellFormed.slice(from) });
  return pieces;
}

/**
 * A peer's text with everything hidden in it made visible, so that what one reads is what there is: control codes become
 * their pictures (`␛`), other invisible characters their number (`⟨U+202E⟩`). Line feeds and tabs stay.
 */
export function visibleText(text: string): string {
  return textPieces(text)
    .map((piece) => ('text' in piece ? piece.text : mark(piece.hidden)))
    .join('');
}

/** The same on one line: every run of white space becomes one space. */
export function visibleLine(text: string): string {
  return visibleText(text).replace(/\s+/gu, ' ').trim();
}

function mark(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  if (code === 0x7f) return '\u2421';
  return `\u27e8U+${code.toString(16).toUpperCase().padStart(4, '0')}\u27e9`;
}
