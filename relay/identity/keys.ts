import { hash } from 'node:crypto';

/** `ar_` and 32 random bytes in base64url. The prefix lets secret scanners find a key that was committed by mistake. */
const KEY_PATTERN = /^ar_[A-Za-z0-9_-]{43}$/;

/** Makes an API key. `random` gives that many bytes from a cryptographic source. */
export function createKey(random: (bytes: number) => Uint8Array): string {
  return `ar_${Buffer.from(random(32)).toString('base64url')}`;
}

/** Whether a text could be a key at all. Asked before anything is hashed or looked up, so that junk costs nothing. */
export function isKey(text: string): boolean {
  return KEY_PATTERN.test(text);
}

/**
 * SHA-256 of the key's text, 32 bytes: what the store holds in place of the key.
 *
 * A plain hash is right here. Salt and slow hashing (bcrypt, argon2) protect secrets that can be guessed; a key holds
 * 256 random bits, so nobody guesses one, with the stolen table or without it. And a hash that is the same every time
 * can be an index: one look-up finds the key, whatever their number.
 */
export function hashKey(key: string): Uint8Array {
  return hash('sha256', key, 'buffer');
}
