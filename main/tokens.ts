import { hash, timingSafeEqual } from 'node:crypto';

/** That many bytes from a cryptographic source (`randomBytes` of node:crypto). */
export type RandomBytes = (count: number) => Uint8Array;

/** A secret of 256 bits, as 43 characters that need no escaping anywhere. */
export function newToken(random: RandomBytes): string {
  return Buffer.from(random(32)).toString('base64url');
}

/** SHA-256 of a token, in hex: what is kept in memory in its place, and looked up. */
export function tokenHash(token: string): string {
  return hash('sha256', token, 'hex');
}

/** Compares in a time that tells nothing about where the two differ, nor about their lengths. */
export function sameToken(given: string, expected: string): boolean {
  return timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', expected, 'buffer'));
}
