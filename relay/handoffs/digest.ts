import { hash } from 'node:crypto';
import { isJsonObject, type Json } from '../contract/json.ts';

/** JSON with its keys in order (UTF-16 code units), so that two equal values have one text. */
export function canonicalJson(value: Json): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (!isJsonObject(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const entries = Object.entries(value);
  const sorted = entries.toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${sorted.map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`).join(',')}}`;
}

/** SHA-256 of the canonical text: what is compared when a write comes again under the same key. */
export function digest(value: Json): Uint8Array {
  return hash('sha256', canonicalJson(value), 'buffer');
}
