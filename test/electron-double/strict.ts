import { EventEmitter } from 'node:events';

/** What every emitter of the double shows of Node's EventEmitter. */
export const EMITTER = ['on', 'once', 'off', 'addListener', 'removeListener', 'emit', 'listenerCount'] as const;

/** Read by JavaScript itself (`await`, JSON), and absent from the real objects as well. */
const PROBED = new Set(['then', 'toJSON']);

export interface StrictOptions {
  /** Whether the object can still be used; afterwards only `isDestroyed` and the emitter answer. */
  readonly isDestroyed?: () => boolean;
}

/**
 * An object that has the listed members and no others: reading or setting anything else throws, so that the app cannot
 * come to rely on what the double lacks.
 * @param name how errors call it, as Electron's documentation does
 * @param members what the app may use; their types are checked against Electron's where they are implemented
 */
export function strict<T extends object>(
  name: string,
  target: T,
  members: readonly (keyof T & string)[],
  { isDestroyed }: StrictOptions = {},
): T {
  const known = new Set<string>(members);
  const always = new Set<string>([...EMITTER, 'isDestroyed']);
  const bound = new Map<string, unknown>();
  const proxy: T = new Proxy(target, {
    get(_, property) {
      // `new` reads the prototype of a class
      if (typeof property === 'symbol' || property === 'prototype') return Reflect.get(target, property, target);
      if (PROBED.has(property)) return undefined;
      if (!known.has(property)) throw new Error(`electron double: ${name}.${property} is not implemented`);
      if (isDestroyed?.() && !always.has(property)) throw new TypeError('Object has been destroyed');
      const value: unknown = Reflect.get(target, property, target);
      if (typeof value !== 'function') return value;
      if (!bound.has(property)) {
        bound.set(property, (...args: unknown[]) => {
          const result: unknown = Reflect.apply(value, target, args);
          return result === target ? proxy : result;
        });
      }
      return bound.get(property);
    },
    set(_, property) {
      throw new Error(`electron double: ${name}.${String(property)} cannot be set`);
    },
    has: (_, property) => typeof property === 'string' && known.has(property),
  });
  return proxy;
}

/** Options that the double would ignore are refused in the same way. */
export function refuseUnknown(name: string, options: object, known: readonly string[]): void {
  for (const key of Object.keys(options)) {
    if (!known.includes(key)) throw new Error(`electron double: ${name}: option ${key} is not implemented`);
  }
}

/** An emitter which refuses listeners for what the double never emits. */
export class KnownEvents extends EventEmitter {
  constructor(owner: string, events: readonly string[]) {
    super();
    this.on('newListener', (event: string) => {
      if (!events.includes(event)) throw new Error(`electron double: ${owner} never emits '${event}'`);
    });
  }
}

/** Electron's event object: listeners may refuse what is about to happen. */
class DoubleEvent {
  defaultPrevented = false;

  preventDefault(): void {
    this.defaultPrevented = true;
  }
}

/** An event with its details; reading a detail that is not there throws. */
export function electronEvent<D extends object>(name: string, details: D): DoubleEvent & D {
  const event = Object.assign(new DoubleEvent(), details);
  const members = Object.keys(details) as (keyof D & string)[];
  return strict(`the event of '${name}'`, event, ['defaultPrevented', 'preventDefault', ...members]);
}
