import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { parseHttpDate } from '../cards/http-date.ts';
import { untilAborted } from './until-aborted.ts';
import { NotAllowed, type WebhookGuard } from './webhook-guard.ts';

/** One POST. */
export interface WebhookCall {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export type WebhookResult =
  | { readonly ok: true }
  | {
      readonly ok: false;
      /** In a word or two, for the owner of the webhook: `HTTP 503`, `ECONNREFUSED`, `TIMEOUT`. Nothing that was sent. */
      readonly error: string;
      /** How long the webhook asks to be left alone, milliseconds. */
      readonly retryAfterMs?: number;
    };

/** Calls a webhook once. Never rejects. */
export type CallWebhook = (call: WebhookCall, signal: AbortSignal) => Promise<WebhookResult>;

/**
 * The address is checked for this call and the connection goes to what was checked. Any 2xx counts; a redirect is
 * refused, since where it leads nobody has checked; what the webhook answers with is not read.
 * @param options `timeoutMs` is for the whole call
 */
export function createWebhook({
  guard,
  timeoutMs,
  clock,
}: {
  readonly guard: WebhookGuard;
  readonly timeoutMs: number;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}): CallWebhook {
  return async (call, signal) => {
    const limit = AbortSignal.timeout(timeoutMs);
    try {
      return read(await post(guard, call, AbortSignal.any([signal, limit])), clock());
    } catch (error) {
      if (error instanceof NotAllowed) return { ok: false, error: 'ADDRESS_NOT_ALLOWED' };
      return { ok: false, error: limit.aborted ? 'TIMEOUT' : codeOf(error) };
    }
  };
}

async function post(guard: WebhookGuard, call: WebhookCall, signal: AbortSignal): Promise<IncomingMessage> {
  const url = new URL(call.url);
  const pinned = await untilAborted(guard.pin(url), signal);
  const body = Buffer.from(call.body);
  const options: RequestOptions = {
    method: 'POST',
    headers: { ...call.headers, 'content-length': String(body.length) },
    // a connection of its own: one that is kept would be to what was checked for another call
    agent: false,
    lookup: (_host, { all }, done) => {
      if (all === true) done(null, [pinned]);
      else done(null, pinned.address, pinned.family);
    },
    signal,
  };
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, options, resolve);
  // stays for what comes after the answer
  request.on('error', reject);
  request.end(body);
  const response = await promise;
  response.destroy();
  return response;
}

function read({ statusCode = 0, headers }: IncomingMessage, now: number): WebhookResult {
  if (statusCode >= 200 && statusCode < 300) return { ok: true };
  const error = statusCode >= 300 && statusCode < 400 ? `REDIRECT (HTTP ${statusCode})` : `HTTP ${statusCode}`;
  const retryAfterMs = readRetryAfter(headers['retry-after'] ?? '', now);
  return { ok: false, error, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
}

/** Seconds, or a date (RFC 9110 section 10.2.3). */
function readRetryAfter(text: string, now: number): number | undefined {
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const at = parseHttpDate(text);
  return at === undefined ? undefined : Math.max(0, at - now);
}

function codeOf(error: unknown): string {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code;
  return 'FAILED';
}
