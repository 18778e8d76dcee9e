/**
 * Server-sent events (WHATWG HTML 9.2). Data is JSON, which has no line breaks of its own, so that one `data:` line is
 * enough; event names and ids are the relay's own words.
 */

/** Response headers of every stream. The last one keeps a proxy (nginx) from holding frames back. */
export const SSE_HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache',
  'x-accel-buffering': 'no',
} as const;

/**
 * A comment that shows that the stream lives. It ends in one line feed only: with a blank line behind it, httpx-sse
 * makes an empty event out of it as soon as an earlier event carried an `id` (https://github.com/a2aproject/a2a-go/issues/99).
 */
export const PING = ': ping\n';

/** One frame of an A2A stream, which has neither names nor ids. */
export function dataFrame(json: string): string {
  return `data: ${json}\n\n`;
}

/** One frame of the inbox stream. An `id` makes it resumable by `Last-Event-ID`. */
export function eventFrame(frame: { readonly event: string; readonly id?: string; readonly data: string }): string {
  const id = frame.id === undefined ? '' : `id: ${frame.id}\n`;
  return `${id}event: ${frame.event}\ndata: ${frame.data}\n\n`;
}
