/**
 * A stock Chromium cannot open `app://bundle/index.html`. Its pages get an https origin that no network can answer,
 * `https://bundle.app.invalid/index.html`, and the double translates wherever an address crosses.
 */
const schemes = new Set<string>();

/** Names a scheme that has origins. */
export function addScheme(scheme: string): void {
  schemes.add(scheme);
}

/** What Chromium opens for an address of the app. */
export function toChromium(url: string): string {
  const { protocol, host, pathname, search, hash } = new URL(url);
  const scheme = protocol.slice(0, -1);
  return schemes.has(scheme) ? `https://${host}.${scheme}.invalid${pathname}${search}${hash}` : url;
}

/** The address that the app knows, for one of Chromium's. */
export function toElectron(url: string): string {
  const [, host, scheme, rest] = /^https:\/\/([^/.]+)\.([^/.]+)\.invalid(\/.*)?$/s.exec(url) ?? [];
  return host !== undefined && scheme !== undefined && schemes.has(scheme) ? `${scheme}://${host}${rest ?? '/'}` : url;
}
