import type { Json } from '../contract/json.ts';
import { isArray } from '../wire/json.ts';

/**
 * JSON in the one form of RFC 8785 (JCS): members in the order of their names' UTF-16 code units, no space, numbers and
 * strings as ECMAScript writes them, which is what the RFC asks for. Text has to be well-formed Unicode.
 */
export function canonicalJson(value: Json): string {
  if (isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(',')}}`;
}
