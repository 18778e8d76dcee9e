/** The scheme that serves the window. Standard and secure, so that the window has an origin of its own. */
export const APP_SCHEME = 'app';
const APP_HOST = 'bundle';
/** What the window loads. */
export const APP_ENTRY = `${APP_SCHEME}://${APP_HOST}/index.html`;

/** Whether a URL lies inside the window's own origin. */
export function isAppUrl(url: string): boolean {
  const parsed = URL.parse(url);
  return parsed?.protocol === `${APP_SCHEME}:` && parsed.host === APP_HOST;
}

/** Whether a link may be handed to the system: whatever else a peer writes must not start a program here. */
export function isSafeExternal(url: string): boolean {
  const parsed = URL.parse(url);
  return parsed?.protocol === 'https:' || parsed?.protocol === 'mailto:';
}
