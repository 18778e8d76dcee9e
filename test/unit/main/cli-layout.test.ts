import { describe, expect, it } from 'vitest';
import { age, columns, dateTime, indent, truncate } from '../../../main/cli/layout.ts';

describe('columns', () => {
  it('stand under each other, with nothing after the last one', () => {
    expect(
      columns([
        ['a', 'b', ''],
        ['long', 'x', 'y'],
      ]),
    ).toEqual(['a     b', 'long  x  y']);
  });

  it('count what a person sees', () => {
    expect(
      columns([
        ['👩‍💻', 'x'],
        ['ab', 'y'],
        ['e\u0301', 'z'],
      ]),
    ).toEqual(['👩‍💻   x', 'ab  y', 'e\u0301   z']);
  });
});

describe('a line that is too long', () => {
  it('ends in an ellipsis, within the length', () => {
    expect(truncate('abcdef', 6)).toBe('abcdef');
    expect(truncate('abcdef', 5)).toBe('abcd…');
    expect(truncate('ab cdef', 4)).toBe('ab…');
  });

  it('is never cut within a character', () => {
    expect(truncate('👩‍💻👩‍💻👩‍💻', 2)).toBe('👩‍💻…');
  });
});

it('indents lines that are not empty', () => {
  expect(indent('a\n\nb', 2)).toBe('  a\n\n  b');
});

it.each([
  [59_999, 'now'],
  [60_000, '1 min'],
  [3_599_999, '59 min'],
  [3_600_000, '1 h'],
  [86_399_999, '23 h'],
  [86_400_000 * 30, '30 d'],
  [-5000, 'now'],
])('%i ms ago is %s', (ms, text) => {
  expect(age(1_000_000_000_000 - ms, 1_000_000_000_000)).toBe(text);
});

it("shows a time by this machine's clock", () => {
  expect(dateTime(new Date(2026, 10, 3, 4, 5).getTime())).toBe('2026-11-03 04:05');
});
