import { RelayError, type FieldViolation } from '../contract/reasons.ts';
import { isJsonObject, type Json, type JsonObject } from '../contract/json.ts';
import { excerpt } from './excerpt.ts';
import { isArray } from './json.ts';

/** Most violations that one answer names. */
export const MAX_VIOLATIONS = 20;
/** Longest id of any kind, in characters: messages, tasks, contexts, artifacts, sessions, idempotency keys. */
export const MAX_ID = 256;
/** A2A's numbers are int32 (proto lf.a2a.v1). */
export const MAX_INT32 = 2_147_483_647;
/** Longest page token or cursor, in characters. */
export const MAX_TOKEN = 1024;

/** Collects all that is wrong with one request, so that a caller need not find out one by one. */
export class Violations {
  readonly #found: FieldViolation[] = [];

  /** `description` completes the sentence that the path starts. */
  add(field: string, description: string): void {
    if (this.#found.length < MAX_VIOLATIONS) this.#found.push({ field, description: excerpt(description, 300) });
  }

  /** @throws RelayError INVALID_PARAMS when something was added */
  throwIfAny(): void {
    const [first, ...others] = this.#found;
    if (first === undefined) return;
    const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
    throw new RelayError('INVALID_PARAMS', `${first.field}: ${first.description}${more}`, { violations: this.#found });
  }
}

/**
 * One JSON object of a request, read member by member as ProtoJSON wants it: either spelling of a name (`contextId`,
 * `context_id`; the one asked for wins), null as absent, an empty string as absent. No reader throws: what is wrong is
 * noted, and the value read is absent or a placeholder that nobody sees, because `Violations.throwIfAny` comes before.
 */
export class Fields {
  /** Where the object stands: `message.parts[0]`; empty for the params themselves. */
  readonly path: string;
  readonly json: JsonObject;
  readonly violations: Violations;

  constructor(path: string, json: JsonObject, violations: Violations) {
    this.path = path;
    this.json = json;
    this.violations = violations;
  }

  /** The path of a member. */
  at(name: string): string {
    return this.path === '' ? name : `${this.path}.${name}`;
  }

  /** Notes that a member is wrong. */
  refuse(name: string, description: string): void {
    this.violations.add(this.at(name), description);
  }

  /** The member under either spelling; undefined when it is absent or null. */
  get(name: string): Json | undefined {
    return this.json[name] ?? this.json[otherSpelling(name)] ?? undefined;
  }

  /** An optional string of at most `max` characters. */
  string(name: string, max = Infinity): string | undefined {
    const value = this.get(name);
    if (value === undefined || value === '') return undefined;
    if (typeof value !== 'string') this.refuse(name, 'must be a string');
    else if (value.length > max) this.refuse(name, `must have at most ${max} characters`);
    else return value;
    return undefined;
  }

  /** A string of 1 to `max` characters; empty when it is wrong. */
  requiredString(name: string, max: number): string {
    const value = this.get(name);
    if (value === undefined || value === '') this.refuse(name, 'is required');
    return this.string(name, max) ?? '';
  }

  boolean(name: string): boolean | undefined {
    const value = this.get(name);
    if (value === undefined || typeof value === 'boolean') return value;
    this.refuse(name, 'must be true or false');
    return undefined;
  }

  /** An integer, also written as a string, as ProtoJSON allows. */
  integer(name: string, min: number, max: number): number | undefined {
    const value = this.get(name);
    if (value === undefined) return undefined;
    const number = typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value;
    if (typeof number === 'number' && Number.isInteger(number) && number >= min && number <= max) return number;
    this.refuse(name, `must be an integer from ${min} to ${max}`);
    return undefined;
  }

  /** One of a few words. */
  choice<T extends string>(name: string, options: readonly T[]): T | undefined {
    const value = this.get(name);
    if (value === undefined || value === '') return undefined;
    const option = options.find((o) => o === value);
    if (option === undefined) this.refuse(name, `must be one of ${options.join(', ')}`);
    return option;
  }

  /** An object, to be kept as it is. */
  object(name: string): JsonObject | undefined {
    const value = this.get(name);
    if (value === undefined || isJsonObject(value)) return value;
    this.refuse(name, 'must be an object');
    return undefined;
  }

  /** An object, to be read. */
  fields(name: string): Fields | undefined {
    const value = this.object(name);
    return value === undefined ? undefined : new Fields(this.at(name), value, this.violations);
  }

  /** An object that has to be there; an empty one when it is not, so that its members are named as well. */
  requiredFields(name: string): Fields {
    if (this.get(name) === undefined) this.refuse(name, 'is required');
    return this.fields(name) ?? new Fields(this.at(name), {}, this.violations);
  }

  /** A list of at most `max` elements. */
  list(name: string, max: number): readonly Json[] | undefined {
    const value = this.get(name);
    if (value === undefined) return undefined;
    if (!isArray(value)) this.refuse(name, 'must be a list');
    else if (value.length > max) this.refuse(name, `must have at most ${max} elements`);
    else return value;
    return undefined;
  }

  /** A list of objects, each read by `read`. */
  objects<T>(name: string, max: number, read: (element: Fields) => T): readonly T[] | undefined {
    return this.list(name, max)?.flatMap((element, i) => {
      const path = `${this.at(name)}[${i}]`;
      if (isJsonObject(element)) return [read(new Fields(path, element, this.violations))];
      this.violations.add(path, 'must be an object');
      return [];
    });
  }

  /** A list of at least one object. */
  requiredObjects<T>(name: string, max: number, read: (element: Fields) => T): readonly T[] {
    const value = this.get(name);
    if (value === undefined || (isArray(value) && value.length === 0)) this.refuse(name, 'needs at least one element');
    return this.objects(name, max, read) ?? [];
  }

  /** A list of strings of 1 to `max` characters each. An empty list is as good as none. */
  strings(name: string, max: number): readonly string[] | undefined {
    const strings = this.list(name, 256)?.flatMap((element, i) => {
      if (typeof element === 'string' && element.length >= 1 && element.length <= max) return [element];
      this.violations.add(`${this.at(name)}[${i}]`, `must be a string of 1 to ${max} characters`);
      return [];
    });
    return strings === undefined || strings.length === 0 ? undefined : strings;
  }
}

const spellings = new Map<string, string>();

/** `contextId` ↔ `context_id`; a name of one word stays as it is. Names are the decoders' own, so the cache is small. */
export function otherSpelling(name: string): string {
  let other = spellings.get(name);
  if (other === undefined) {
    other = name.includes('_')
      ? name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
      : name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    spellings.set(name, other);
  }
  return other;
}

/** `T`, where the members that it may lack may be undefined too. */
type Draft<T> = {
  [K in keyof T]: string extends K ? T[K] | undefined : object extends Pick<T, K> ? T[K] | undefined : T[K];
};

/** Drops members that are undefined: absent is the only form of "not there" in the canonical model. */
export function compact<T extends object>(draft: Draft<T>): T {
  const kept: Partial<Draft<T>> = {};
  for (const key in draft) if (draft[key] !== undefined) kept[key] = draft[key];
  // what Draft adds to T is undefined, and that is gone
  return kept as T;
}
