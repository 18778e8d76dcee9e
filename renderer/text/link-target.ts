/** Where a link leads. */
export type LinkTarget =
  | { readonly opens: true; readonly href: string; readonly shown: string }
  /** Not something to follow with a click: another scheme than http and https, or no URL. */
  | { readonly opens: false; readonly shown: string };

/**
 * Reads a peer's URL. What is shown is the form that a browser goes to: the host in ASCII, so that no letter passes for
 * another one.
 */
export function linkTarget(url: string): LinkTarget {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || (parsed.protocol !== 'https:' && parsed.protocol !== 'http:')) {
    return { opens: false, shown: url };
  }
  return { opens: true, href: parsed.href, shown: parsed.href };
}
