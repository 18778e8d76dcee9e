/**
 * What crosses between a page and the double as text. These functions run on both sides: their source is put into pages,
 * so they stand alone.
 */
export type Wire =
  | null
  | boolean
  | number
  | string
  | readonly ['undefined']
  | readonly ['number', string]
  | readonly ['date', number]
  | readonly ['array', readonly Wire[]]
  | readonly ['object', readonly (readonly [string, Wire])[]];

/** Encodes what the structured clone algorithm takes. Throws for what it does not, and for what the double does not. */
export function encode(value: unknown): Wire {
  const walk = (v: unknown): Wire => {
    if (v === null || typeof v === 'boolean' || typeof v === 'string') return v;
    if (typeof v === 'number') return Number.isFinite(v) ? v : ['number', String(v)];
    if (v === undefined) return ['undefined'];
    if (v instanceof Date) return ['date', v.getTime()];
    if (Array.isArray(v)) return ['array', v.map(walk)];
    if (typeof v === 'object' && Object.getPrototypeOf(v) === Object.prototype) {
      return ['object', Object.entries(v).map(([key, member]) => [key, walk(member)] as const)];
    }
    throw new TypeError(`electron double: cannot carry ${Object.prototype.toString.call(v)}`);
  };
  return walk(structuredClone(value));
}

/** The value that `encode` was given. */
export function decode(wire: Wire): unknown {
  if (wire === null || typeof wire !== 'object') return wire;
  switch (wire[0]) {
    case 'undefined':
      return undefined;
    case 'number':
      return Number(wire[1]);
    case 'date':
      return new Date(wire[1]);
    case 'array':
      return wire[1].map((member) => decode(member));
    case 'object':
      return Object.fromEntries(wire[1].map(([key, member]) => [key, decode(member)]));
  }
}
