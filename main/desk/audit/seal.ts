import { createHmac, timingSafeEqual } from 'node:crypto';
import { canonicalJson } from '../../../relay/cards/jcs.ts';
import type { Json } from '../../../relay/contract/json.ts';

/** How rows of the audit log are sealed: each with the key, over all of itself and the hash of the row before it. */

/** A row before it is sealed; what it does not have is null. `detail` is the text of a JSON object. */
export interface Unsealed {
  readonly seq: number;
  readonly at: number;
  readonly action: string;
  readonly actor: string;
  readonly account: string | null;
  readonly peer: string | null;
  readonly ref: string | null;
  readonly detail: string;
  readonly prev_hash: string;
}

/** A row as it is stored. */
export interface SealedRow extends Unsealed {
  readonly hash: string;
}

/** Where a log ends. */
export interface Head {
  /** Of the last row; 0 before the first. */
  readonly seq: number;
  /** Of the last row; that of GENESIS before the first. */
  readonly hash: string;
}

/** Before the first row. */
export const GENESIS: Head = { seq: 0, hash: '0'.repeat(64) };

/** The hash that a row must have, in hex. Texts have to be well-formed Unicode. */
export function hashRow(key: string, row: Unsealed): string {
  const { seq, at, action, actor, account, peer, ref, detail, prev_hash } = row;
  return hmac(key, { seq, at, action, actor, account, peer, ref, detail, prev_hash });
}

/** Whether a stored row is one that was written with this key, at this place. */
export function isSealed(key: string, row: SealedRow): boolean {
  return sameHash(row.hash, hashRow(key, row));
}

/** The seal of a head. A row has other members, so that neither passes for the other. */
export function hashHead(key: string, { seq, hash }: Head): string {
  return hmac(key, { head: seq, hash });
}

/** Compares two hashes in a time that does not tell where they differ. */
export function sameHash(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function hmac(key: string, value: Json): string {
  return createHmac('sha256', key).update(canonicalJson(value)).digest('hex');
}
