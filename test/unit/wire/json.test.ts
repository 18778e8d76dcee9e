import { describe, expect, test } from 'vitest';
import { MAX_DEPTH, parseJson, UnsafeJsonError } from '../../../relay/wire/json.ts';
import { readId } from '../../../relay/wire/json-rpc.ts';
import { cpuTime } from './cpu-time.ts';
import { reasonOf, refused } from './refused.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const parse = (text: string) => parseJson(bytes(text));
/** A value nested `levels` deep inside `params`, which is level 2 of the body. */
const nested = (levels: number, open = '[', close = ']'): string =>
  `{"id":"r1","params":${open.repeat(levels)}${close.repeat(levels)}}`;

test('a body is read as JSON.parse reads it', () => {
  const text = '{"a":[1,-2.5e3,true,null,"\\u00e9\\ud83d\\ude00"],"b":{"":{}}}';
  expect(parse(text)).toEqual(JSON.parse(text));
});

test('the last of two equal keys counts', () => {
  expect(parse('{"a":1,"a":2}')).toEqual({ a: 2 });
});

test('a byte order mark is skipped', () => {
  expect(parse('\ufeff{}')).toEqual({});
});

test.each([
  ['nothing', ''],
  ['white space', ' \n'],
  ['an open object', '{"a":1'],
  ['two values', '{} {}'],
  ['a trailing comma', '[1,]'],
  ['single quotes', "{'a':1}"],
  ['NaN', '[NaN]'],
  ['a raw line break in a string', '"a\nb"'],
  ['brackets that do not match', '[[[}}}'],
  ['a megabyte of opening brackets', '['.repeat(1_000_000)],
  ['closing brackets only', ']'.repeat(300)],
])('%s is a parse error', (_, text) => {
  expect(reasonOf(() => parse(text))).toBe('PARSE_ERROR');
});

test.each([
  ['a lone continuation byte', [0x22, 0x80, 0x22]],
  ['an overlong slash', [0x22, 0xc0, 0xaf, 0x22]],
  ['a surrogate encoded as such', [0x22, 0xed, 0xa0, 0x80, 0x22]],
  ['a cut character', [0x22, 0xe2, 0x82]],
])('%s is a parse error', (_, raw) => {
  expect(reasonOf(() => parseJson(Uint8Array.from(raw)))).toBe('PARSE_ERROR');
});

test('a parse error quotes nothing of the body', () => {
  expect(refused('PARSE_ERROR', () => parse('{"secret":"hunter2"')).message).not.toContain('hunter2');
});

describe('nesting', () => {
  test('as deep as the limit is fine, one deeper is refused', () => {
    expect(parse(nested(MAX_DEPTH - 1))).toHaveProperty('id', 'r1');
    expect(parse(nested(MAX_DEPTH - 1, '{"a":', '}').replace('{"a":}', '{}'))).toHaveProperty('id', 'r1');
    expect(reasonOf(() => parse(nested(MAX_DEPTH)))).toBe('INVALID_PARAMS');
  });

  test('brackets in strings are no nesting', () => {
    const text = JSON.stringify({ a: '[{"\\'.repeat(1000) });
    expect(parse(text)).toEqual(JSON.parse(text));
  });

  test('wide is not deep', () => {
    expect(parse(`[${'[{}],'.repeat(50_000)}1]`)).toHaveLength(50_001);
  });

  test('a megabyte of brackets costs neither time nor stack', () => {
    const body = bytes(nested(500_000));
    const spent = cpuTime(() => {
      expect(reasonOf(() => parseJson(body))).toBe('INVALID_PARAMS');
    });
    expect(spent).toBeLessThan(300);
  });

  test('the depth is refused wherever it lies, next to values that are fine', () => {
    const deep = `${'[1,{"a":'.repeat(60)}1${',"b":2},3]'.repeat(60)}`;
    const error = refused('INVALID_PARAMS', () => parse(`{"params":{"x":[],"y":${deep},"z":0}}`));
    expect(error.violations[0]?.field).toMatch(/^y\[1\]\.a\[1\]\.a/);
  });
});

test.each([
  ['a value', '{"params":{"message":{"parts":[{"text":"a\\ud83d"}]}}}', 'message.parts[0].text'],
  ['a trailing half', '{"params":{"a":"\\ude00"}}', 'a'],
  ['halves in the wrong order', '{"params":["\\ude00\\ud83d"]}', '[0]'],
  ['a key', '{"params":{"a\\ud83d":1}}', '["a\ufffd"]'],
  ['the params themselves', '{"params":"\\ud83d"}', 'params'],
])('half a surrogate pair is refused in %s', (_, text, field) => {
  const error = refused('INVALID_PARAMS', () => parse(text));
  expect(error.violations.map((v) => v.field)).toEqual([field]);
});

test.each(['{"params":{"m":{"__proto__":{"a":1}}}}', '{"params":{"m":{"\\u005f_proto__":1}}}'])(
  'a key named __proto__ is refused, however it is written: %s',
  (text) => {
    const error = refused('INVALID_PARAMS', () => parse(text));
    expect(error.violations.map((v) => v.field)).toEqual(['m.__proto__']);
    expect({}).not.toHaveProperty('a');
  },
);

test('constructor and prototype are keys like others', () => {
  const text = '{"constructor":{"prototype":1},"toString":2}';
  expect(parse(text)).toEqual(JSON.parse(text));
});

test.each(['1e400', '-1e400', `1${'0'.repeat(400)}`])(
  'a number that would be stored as null is refused: %s',
  (number) => {
    expect(reasonOf(() => parse(`{"params":[${number}]}`))).toBe('INVALID_PARAMS');
  },
);

test('what is wrong outside the params is an invalid request', () => {
  const error = refused('INVALID_REQUEST', () => parse('{"method":"\\ud800","params":{}}'));
  expect(error.violations.map((v) => v.field)).toEqual(['method']);
});

test('the path that is told stays short, whatever the keys are', () => {
  const key = 'k'.repeat(100_000);
  const error = refused('INVALID_PARAMS', () =>
    parse(`{"params":{"${key}":{"${key}":{"${key}":{"${key}":"\\ud800"}}}}}`),
  );
  expect(error.violations[0]?.field.length).toBeLessThanOrEqual(200);
  expect(error.message.length).toBeLessThan(300);
});

test('the id of a refused body can still be echoed', () => {
  for (const text of [
    `{"params":{"a":"\\ud800"},"id":7}`,
    nested(200).replace('"id":"r1",', '').replace(/}$/, ',"id":7}'),
  ]) {
    const error = refused('INVALID_PARAMS', () => parse(text));
    expect(error instanceof UnsafeJsonError && readId(error.body)).toBe(7);
  }
});
