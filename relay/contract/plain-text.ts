/**
 * Characters that show nothing, or that change how the text around them is shown: control codes (with them every ANSI
 * sequence), zero-width and other invisible ones, direction overrides, line separators. A line feed and a tab are text.
 */
const HIDDEN = /[\p{Cc}\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\u2028\u2029\uFFF9-\uFFFB]/gu;
/** Inside an emoji the joiner and the variation selector are part of what one sees. */
const IN_EMOJI =
  /(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F])\u200D(?=\p{Extended_Pictographic})|(?<=\p{Emoji})\uFE0F/gu;

/**
 * A peer's text with everything hidden in it made visible, so that what one reads is what there is: control codes become
 * their pictures (`␛`), other invisible characters their number (`⟨U+202E⟩`), half surrogates U+FFFD. Line feeds and
 * tabs stay, `\r\n` becomes `\n`.
 */
export function visibleText(text: string): string {
  const wellFormed = text.toWellFormed().replaceAll('\r\n', '\n');
  const allowed = new Set(Array.from(wellFormed.matchAll(IN_EMOJI), (match) => match.index));
  return wellFormed.replace(HIDDEN, (character, index: number) =>
    character === '\n' || character === '\t' || allowed.has(index) ? character : mark(character),
  );
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
