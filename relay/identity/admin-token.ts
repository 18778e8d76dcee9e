import { hash, timingSafeEqual } from 'node:crypto';
import { readBearer, unauthenticated } from './bearer.ts';

const PATTERN = /^aradmin_[A-Za-z0-9_-]{43}$/;
const ADVICE =
  'Send "Authorization: Bearer <admin token>"; the token is in the file admin-token of the relay\'s data folder.';

/** Makes the token of whoever runs a relay. `random` gives that many bytes from a cryptographic source. */
export function createAdminToken(random: (bytes: number) => Uint8Array): string {
  return `aradmin_${Buffer.from(random(32)).toString('base64url')}`;
}

/** Whether a text could be one: an API key, or a word that somebody made up, is none. */
export function isAdminToken(text: string): boolean {
  return PATTERN.test(text);
}

/** The token in an `Authorization` header, whosoever it is; UNAUTHENTICATED where there is none. */
export function readAdminBearer(header: string | undefined): string {
  return readBearer(header, ADVICE);
}

/** Reads an `Authorization` header. Fails with UNAUTHENTICATED, as an agent's does (authenticate.ts). */
export type AuthorizeAdmin = (authorizationHeader: string | undefined) => void;

/** Keeps no more than the token's hash; a compare tells nothing of it by the time it takes. */
export function createAdminAuthorization(token: string): AuthorizeAdmin {
  const expected = hash('sha256', token, 'buffer');
  return (header) => {
    const given = hash('sha256', readAdminBearer(header), 'buffer');
    if (!timingSafeEqual(given, expected))
      throw unauthenticated('UNKNOWN_KEY', `This is not the admin token. ${ADVICE}`);
  };
}
