import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isJsonObject, type Json } from '../../../relay/contract/json.ts';
import { canonicalJson, digest } from '../../../relay/handoffs/digest.ts';

/** The same value with the members of every object in reverse. */
function reversed(value: Json): Json {
  if (typeof value !== 'object' || value === null) return value;
  if (!isJsonObject(value)) return value.map(reversed);
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, member]) => [key, reversed(member)]),
  );
}

const json = fc.jsonValue() as fc.Arbitrary<Json>;

describe('canonical JSON', () => {
  test('is JSON of the same value', () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  test('does not depend on the order of members', () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(canonicalJson(reversed(value))).toBe(canonicalJson(value));
      }),
    );
  });

  test('is the same for equal values, and for no others', () => {
    const small = fc.jsonValue({ maxDepth: 1 }) as fc.Arbitrary<Json>;
    fc.assert(
      fc.property(small, small, (a, b) => {
        expect(canonicalJson(a) === canonicalJson(b)).toBe(isDeepStrictEqual(a, b));
      }),
    );
  });

  test('depends on the order of a list', () => {
    expect(canonicalJson([1, 2])).not.toBe(canonicalJson([2, 1]));
  });

  test('orders keys by their UTF-16 code units, not by a language', () => {
    const value = { é: 1, z: 2, Z: 3, '\u{1F600}': 4, '\uFFFD': 5, '': 6, '10': 7, '9': 8 };
    expect(canonicalJson(value)).toBe('{"":6,"10":7,"9":8,"Z":3,"z":2,"é":1,"\u{1F600}":4,"\uFFFD":5}');
  });

  test.each([
    [1, '1'],
    [-0, '0'],
    [0.1, '0.1'],
    [1e21, '1e+21'],
    [1e-7, '1e-7'],
    [2 ** 53 + 2, '9007199254740994'],
    [true, 'true'],
    [null, 'null'],
    ['a"\\\u0000\n', String.raw`"a\"\\\u0000\n"`],
    ['é', '"é"'],
    [[], '[]'],
    [{}, '{}'],
    [{ b: [{ d: 1, c: null }], a: '' }, '{"a":"","b":[{"c":null,"d":1}]}'],
  ] as const)('writes %j as %s', (value, text) => {
    expect(canonicalJson(value)).toBe(text);
  });

  test('keeps forms of a letter apart that only look the same', () => {
    expect(digest('é')).not.toEqual(digest('e\u0301'));
  });

  test('tells a number from its text, and absent from null', () => {
    expect(canonicalJson(1)).not.toBe(canonicalJson('1'));
    expect(canonicalJson({ a: null })).not.toBe(canonicalJson({}));
  });
});

test('a digest is the SHA-256 of the canonical text', () => {
  expect(Buffer.from(digest({ b: 1, a: 2 })).toString('hex')).toBe(
    'd3626ac30a87e6f7a6428233b3c68299976865fa5508e4267c5415c76af7a772',
  );
});
