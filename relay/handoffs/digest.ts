import { hash } from 'node:crypto';
import type { Json } from '../contract/json.ts';

/** What has a JSON text: a JSON value, or an object of a type of ours that holds nothing else. */
export type Writable = Json | object;

/** JSON with its keys in order (UTF-16 code units), so that two equal values have one text. */
export function canonicalJson(value: Writable): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const entries: readonly [string, Writable][] = Object.entries(value);
  const sorted = entries.toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${sorted.map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`).join(',')}}`;
}

/** SHA-256 of the canonical text: what is compared when a write comes again under the same key. */
export function digest(value: Writable): Uint8Array {
  return hash('sha256', canonicalJson(value), 'buffer');
}
