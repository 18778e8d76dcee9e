import { describe, expect, test } from 'vitest';
import { parseHttpDate } from '../../../relay/cards/http-date.ts';

describe('an HTTP date', () => {
  const time = Date.UTC(1994, 10, 6, 8, 49, 37);

  test.each([
    ['the usual form', 'Sun, 06 Nov 1994 08:49:37 GMT'],
    ["RFC 850's form", 'Sunday, 06-Nov-94 08:49:37 GMT'],
    ["asctime's form, which is UTC too", 'Sun Nov  6 08:49:37 1994'],
  ])('is read in %s', (_, text) => {
    expect(parseHttpDate(text)).toBe(time);
  });

  test('is read as it is written', () => {
    const now = Date.UTC(2026, 10, 30, 14, 2, 3);
    expect(parseHttpDate(new Date(now).toUTCString())).toBe(now);
  });

  test.each([
    '',
    'yesterday',
    '0',
    '1994',
    '1994-11-06T08:49:37Z',
    '06 Nov 1994 08:49:37 GMT',
    'Sun, 06 Nov 1994 08:49:37 +0100',
    'Sun, 06 Nov 1994 08:49:37 GMT, Mon, 07 Nov 1994 08:49:37 GMT',
    'Sun, 06 Xyz 1994 08:49:37 GMT',
    'Sun, 06 Nov 1994 25:49:37 GMT',
  ])('is not: %s', (text) => {
    expect(parseHttpDate(text)).toBeUndefined();
  });
});
