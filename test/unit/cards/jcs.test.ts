import { describe, expect, test } from 'vitest';
import { canonicalJson } from '../../../relay/cards/jcs.ts';
import type { Json } from '../../../relay/contract/json.ts';

/** The examples of RFC 8785, by its sections. */

const parse = (text: string): Json => JSON.parse(text) as Json;

describe('canonical JSON', () => {
  test('is that of section 3.2.2 and 3.2.3', () => {
    const text = String.raw`{
      "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
      "literals": [null, true, false]
    }`;
    expect(canonicalJson(parse(text))).toBe(
      String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`,
    );
  });

  test('sorts members by UTF-16 code units, as section 3.2.3 has it', () => {
    const text = String.raw`{
      "\u20ac": "Euro Sign", "\r": "Carriage Return", "\ufb33": "Hebrew Letter Dalet With Dagesh", "1": "One",
      "\ud83d\ude00": "Emoji: Grinning Face", "\u0080": "Control", "\u00f6": "Latin Small Letter O With Diaeresis"
    }`;
    const values = [...canonicalJson(parse(text)).matchAll(/:"([^"]+)"/g)].map(([, value]) => value);
    expect(values).toEqual([
      'Carriage Return',
      'One',
      'Control',
      'Latin Small Letter O With Diaeresis',
      'Euro Sign',
      'Emoji: Grinning Face',
      'Hebrew Letter Dalet With Dagesh',
    ]);
  });

  test.each([
    ['0', 0],
    ['0', -0],
    ['5e-324', 5e-324],
    ['1.7976931348623157e+308', Number.MAX_VALUE],
    ['9007199254740992', 9007199254740992],
    ['295147905179352830000', 295147905179352825856],
    ['1e+21', 1e21],
    ['9.999999999999997e+22', 9.999999999999997e22],
    ['333333333.3333332', 333333333.3333332],
  ])('writes a number as %s (appendix B)', (text, number) => {
    expect(canonicalJson(number)).toBe(text);
  });

  test('leaves the order of lists, and says the same whatever the order of members', () => {
    const one = { b: [3, 1, { y: 1, x: 2 }], a: {}, c: [] };
    const other = { c: [], a: {}, b: [3, 1, { x: 2, y: 1 }] };
    expect(canonicalJson(one)).toBe('{"a":{},"b":[3,1,{"x":2,"y":1}],"c":[]}');
    expect(canonicalJson(other)).toBe(canonicalJson(one));
  });
});
