/**
 * Characters that show nothing, or that change how the text around them is shown: control codes (with them every ANSI
 * sequence), zero-width and other invisible ones, tags and variation selectors, direction overrides, line separators,
 * blanks that are no white space, what is no character at all; and of marks that stack up on one letter all beyond the
 * eighth. A line feed and a tab are among them; whoever shows text lets these two pass.
 */
export const HIDDEN =
  /[\p{Cc}\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Noncharacter_Code_Point}\p{Surrogate}\u2028\u2029\u2800\uFFF9-\uFFFB\u{13430}-\u{1343F}]|(?<=\p{M}{8})\p{M}/gu;

/** What joins the parts of an emoji: without one of these no text needs a look at its emoji. */
const JOINS = /\u200D|\uFE0F|\u{E007F}/u;
/** Emoji as Unicode recommends them: a fixed list, so that nothing can be written between the lines with their joiners. */
const EMOJI = /\p{RGI_Emoji}/gv;

/**
 * The places (UTF-16 code units) of the hidden characters that belong to an emoji, and are part of what one sees.
 * @param text well formed
 */
export function joinersInEmoji(text: string): ReadonlySet<number> {
  const places = new Set<number>();
  if (!JOINS.test(text)) return places;
  for (const { 0: emoji, index } of text.matchAll(EMOJI)) {
    for (const hidden of emoji.matchAll(HIDDEN)) places.add(index + hidden.index);
  }
  return places;
}
