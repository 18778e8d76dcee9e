import { hash } from 'node:crypto';
import { invalidParams, type RelayError } from '../contract/reasons.ts';

/** That many bytes from a cryptographic source. */
export type Random = (bytes: number) => Uint8Array;

/** `ar_` and 32 random bytes in base64url. The prefix lets secret scanners find a key that was committed by mistake. */
const KEY_PATTERN = /^ar_[A-Za-z0-9_-]{43}$/;

/** Makes an API key. */
export function createKey(random: Random): string {
  return `ar_${secret(random)}`;
}

/** Makes the code of an invite. */
export function createInviteCode(random: Random): string {
  return `ai_${secret(random)}`;
}

function secret(random: Random): string {
  return Buffer.from(random(32)).toString('base64url');
}

/** The key that a caller has made and stored itself, else a new one. INVALID_PARAMS for one that is not made like ours. */
export function ownKey(given: string | undefined, random: Random): string {
  const key = given ?? createKey(random);
  if (!isKey(key)) throw invalidParams('api_key', 'must be "ar_" and 32 random bytes in base64url, or left out.');
  return key;
}

/** INVALID_PARAMS for a key that a caller has made itself, and that is in use, or was. */
export function keyTaken(): RelayError {
  return invalidParams('api_key', 'was used before. Make a new key.');
}

/** Whether a text could be a key at all. Asked before anything is hashed or looked up, so that junk costs nothing. */
export function isKey(text: string): boolean {
  return KEY_PATTERN.test(text);
}

/**
 * SHA-256 of the text of a key, or of an invite's code, 32 bytes: what the store holds in its place.
 *
 * A plain hash is right here. Salt and slow hashing (bcrypt, argon2) protect secrets that can be guessed; a key holds
 * 256 random bits, so nobody guesses one, with the stolen table or without it. And a hash that is the same every time
 * can be an index: one look-up finds the key, whatever their number.
 */
export function hashKey(key: string): Uint8Array {
  return hash('sha256', key, 'buffer');
}
