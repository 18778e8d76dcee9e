import { hash } from 'node:crypto';
import { parseHttpDate } from './http-date.ts';

/** What of a request decides whether the caller's copy of a card is still good. */
export interface CardConditions {
  /**
   * When anything in the card last changed, milliseconds since the epoch: for an agent the later of its own change and
   * the start of the relay, whose version and address are in the card too.
   */
  readonly updatedAt: number;
  /** When it is asked for, milliseconds since the epoch. */
  readonly now: number;
  readonly ifNoneMatch?: string | undefined;
  readonly ifModifiedSince?: string | undefined;
  /** Shown to some callers alone, by who they are. */
  readonly isPrivate?: boolean;
}

export interface CardResponse {
  readonly status: 200 | 304;
  readonly headers: Readonly<Record<string, string>>;
  /** Empty with 304. A HEAD request gets the same headers and no body. */
  readonly body: string;
}

/** The answer to GET and HEAD of a card (A2A 1.0.1 section 8.6; RFC 9110 sections 13 and 15.4.5). */
export function cardResponse(card: object, conditions: CardConditions): CardResponse {
  const body = asciiJson(card);
  const etag = `"${hash('sha256', body, 'base64url')}"`;
  const validators = {
    etag,
    'last-modified': new Date(lastModified(conditions)).toUTCString(),
    'cache-control': conditions.isPrivate ? 'private, no-cache' : 'public, max-age=300',
    vary: conditions.isPrivate ? 'A2A-Version, Authorization' : 'A2A-Version',
    'access-control-allow-origin': '*',
    'access-control-expose-headers': 'ETag',
  };
  if (isStillGood(etag, conditions)) return { status: 304, headers: validators, body: '' };
  return { status: 200, headers: { ...validators, 'content-type': 'application/json' }, body };
}

/** If-None-Match alone decides where it is given; a date that is none is as good as absent (RFC 9110 13.1.3). */
function isStillGood(etag: string, { updatedAt, ifNoneMatch, ifModifiedSince }: CardConditions): boolean {
  if (ifNoneMatch !== undefined) return matchesAny(etag, ifNoneMatch);
  const since = ifModifiedSince === undefined ? undefined : parseHttpDate(ifModifiedSince);
  return since !== undefined && endOfSecond(updatedAt) <= since;
}

/**
 * HTTP dates count whole seconds, and a card may change twice in one. So it is dated to the end of the second in which it
 * changed: whoever has that date has fetched it later than that. Before that second is over, no date is as late, and
 * whoever fetches it then is sent it again (RFC 9110 section 8.8.2.2).
 */
function lastModified({ updatedAt, now }: CardConditions): number {
  return Math.min(endOfSecond(updatedAt), now);
}

function endOfSecond(at: number): number {
  return (Math.floor(at / 1000) + 1) * 1000;
}

/** Weak comparison (RFC 9110 section 8.8.3.2) with a list of entity tags, or with `*`. */
function matchesAny(etag: string, ifNoneMatch: string): boolean {
  if (ifNoneMatch.trim() === '*') return true;
  return [...ifNoneMatch.matchAll(/"[^"]*"/g)].some(([tag]) => tag === etag);
}

/**
 * JSON whose every byte is ASCII: other characters are escaped, so that no reader can get the encoding, and with it the
 * hash, wrong.
 */
function asciiJson(value: object): string {
  return JSON.stringify(value).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
