import { isAppUrl } from './app-url.ts';

/** Electron grants what no handler refuses. The window needs one thing: to copy a command or a handle. */
const GRANTED: ReadonlySet<string> = new Set(['clipboard-sanitized-write']);

/**
 * Whether a page gets a permission.
 * @param requestingUrl URL of the frame that asks; undefined for what is no document, a worker say
 */
export function isPermitted(permission: string, requestingUrl: string | undefined): boolean {
  return requestingUrl !== undefined && isAppUrl(requestingUrl) && GRANTED.has(permission);
}
