import type { Json } from '../contract/json.ts';
import { RelayError } from '../contract/reasons.ts';
import { excerpt } from './excerpt.ts';

/** How many objects and arrays may lie inside one another. */
export const MAX_DEPTH = 100;

/** Longest path that an error tells, in characters: keys are the client's, and may be long. */
const MAX_PATH = 200;

/**
 * JSON that was read but is not to be used. `body` is there for one purpose: to echo its `id`. What lies deeper than
 * MAX_DEPTH + 1 is null in it.
 */
export class UnsafeJsonError extends RelayError {
  readonly body: Json;

  constructor(flaw: Flaw, body: Json) {
    const inParams = flaw.path[0] === 'params';
    const field = describePath(inParams && flaw.path.length > 1 ? flaw.path.slice(1) : flaw.path);
    super(inParams ? 'INVALID_PARAMS' : 'INVALID_REQUEST', field === '' ? flaw.what : `${field}: ${flaw.what}`, {
      violations: [{ field, description: flaw.what }],
    });
    this.body = body;
  }
}

interface Flaw {
  readonly path: (string | number)[];
  readonly what: string;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads a request body (RFC 8259, UTF-8, a leading BOM is skipped). In linear time, and without deep recursion
 * whatever the input.
 *
 * @throws RelayError PARSE_ERROR for bytes that are no UTF-8 or no JSON
 * @throws UnsafeJsonError (INVALID_PARAMS below `params`, else INVALID_REQUEST) for nesting deeper than MAX_DEPTH, lone
 *   surrogates, keys named `__proto__`, and numbers that no double can hold, all of which could not be stored and
 *   given back as they came
 */
export function parseJson(bytes: Uint8Array): Json {
  const value = parse(cropDepth(decodeUtf8(bytes)));
  const flaw = findFlaw(value, 1);
  if (flaw !== undefined) throw new UnsafeJsonError(flaw, value);
  return value;
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new RelayError('PARSE_ERROR', 'The body is not UTF-8. Send JSON in UTF-8.');
  }
}

function parse(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    // V8's own message quotes the body: it stays here
    throw new RelayError('PARSE_ERROR', 'The body is not JSON. Check its syntax.');
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Replaces what lies deeper than MAX_DEPTH + 1 by null, so that findFlaw still meets something too deep but nobody has
 * to build it: JSON.parse needs 400 ms for a megabyte of `[`. What stays is as well-formed, or as malformed, as it was.
 */
function cropDepth(text: string): string {
  // well-formed JSON that is too deep has an opening and a closing character a level
  if (text.length < 2 * MAX_DEPTH) return text;
  let depth = 0;
  let kept = '';
  let from = 0;
  let quoted = false;
  for (let i = 0; i < text.length; i++) {
    const char = text.charCodeAt(i);
    if (quoted) {
      if (char === BACKSLASH) i++;
      else if (char === QUOTE) quoted = false;
    } else if (char === QUOTE) {
      quoted = true;
    } else if (char === 0x5b || char === 0x7b) {
      depth++;
      if (depth === MAX_DEPTH + 2) {
        kept += `${text.slice(from, i)}null`;
        from = text.length;
      }
    } else if (char === 0x5d || char === 0x7d) {
      if (depth === MAX_DEPTH + 2) from = i + 1;
      depth--;
    }
  }
  return kept === '' ? text : kept + text.slice(from);
}

/** The first thing in `value` that may not be there, by depth-first search; `depth` is that of `value` itself. */
function findFlaw(value: Json, depth: number): Flaw | undefined {
  if (typeof value === 'string') {
    return value.isWellFormed()
      ? undefined
      : { path: [], what: 'holds half of a surrogate pair. Send well-formed Unicode.' };
  }
  if (typeof value === 'number') {
    return Number.isFinite(value) ? undefined : { path: [], what: 'is too large for a number. Send it as a string.' };
  }
  if (typeof value === 'boolean' || value === null) return undefined;
  if (depth > MAX_DEPTH) return { path: [], what: `is nested deeper than ${MAX_DEPTH} levels. Send it flatter.` };
  return isArray(value) ? findFlawInArray(value, depth) : findFlawInObject(value, depth);
}

function findFlawInArray(array: readonly Json[], depth: number): Flaw | undefined {
  for (let i = 0; i < array.length; i++) {
    const flaw = findFlaw(array[i] ?? null, depth + 1);
    if (flaw !== undefined) {
      flaw.path.unshift(i);
      return flaw;
    }
  }
  return undefined;
}

function findFlawInObject(object: { readonly [key: string]: Json }, depth: number): Flaw | undefined {
  // JSON.parse makes objects without inherited enumerable members, and an own `__proto__` is one of the keys
  for (const key in object) {
    if (key === '__proto__') return { path: [key], what: 'is not allowed as a key. Leave it out.' };
    if (!key.isWellFormed()) return { path: [key], what: 'is a key with half of a surrogate pair.' };
    const flaw = findFlaw(object[key] ?? null, depth + 1);
    if (flaw !== undefined) {
      flaw.path.unshift(key);
      return flaw;
    }
  }
  return undefined;
}

/** Array.isArray, for readonly arrays too. */
export function isArray(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

/** `message.parts[0]["a key"]`, cut to MAX_PATH characters. */
function describePath(path: readonly (string | number)[]): string {
  let text = '';
  for (const segment of path) {
    if (text.length > MAX_PATH) break;
    if (typeof segment === 'number') text += `[${segment}]`;
    else if (/^\w{1,64}$/.test(segment)) text += text === '' ? segment : `.${segment}`;
    else text += `[${JSON.stringify(excerpt(segment, 64))}]`;
  }
  return excerpt(text, MAX_PATH);
}
