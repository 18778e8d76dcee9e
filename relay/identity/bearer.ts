import { RelayError } from '../contract/reasons.ts';

const BEARER = /^bearer +(\S+) *$/i;

/** Why a credential was not taken. */
export type Cause = 'NO_HEADER' | 'NOT_BEARER' | 'UNKNOWN_KEY';

/**
 * The token in an `Authorization` header (RFC 6750 section 2.1), or UNAUTHENTICATED.
 * @param advice what would be right, as a sentence
 */
export function readBearer(header: string | undefined, advice: string): string {
  if (header === undefined || header.trim() === '') {
    throw unauthenticated('NO_HEADER', `The request has no Authorization header. ${advice}`);
  }
  const token = BEARER.exec(header)?.[1];
  if (token === undefined) {
    throw unauthenticated('NOT_BEARER', `The Authorization header does not say "Bearer" and a token. ${advice}`);
  }
  return token;
}

/** UNAUTHENTICATED for a key that was good when its request came, and is not any more. */
export function keyRevoked(): RelayError {
  return unauthenticated('UNKNOWN_KEY', 'The API key was revoked, or has ended, while this request was under way.');
}

/** UNAUTHENTICATED with its cause; what was sent is never part of it. */
export function unauthenticated(cause: Cause, message: string): RelayError {
  return new RelayError('UNAUTHENTICATED', message, { metadata: { cause } });
}
