/**
 * A size token in CSS pixels, for what has to be computed, such as the place of a row in a long list. Tokens are in px
 * or in rem (renderer/styles/tokens.css); the reader's own font size is in it.
 */
export function sizeOf(token: `--${string}`): number {
  const root = getComputedStyle(document.documentElement);
  const value = root.getPropertyValue(token).trim();
  const size = Number.parseFloat(value);
  return value.endsWith('rem') ? size * Number.parseFloat(root.fontSize) : size;
}
