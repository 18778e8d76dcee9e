import { describe, expect, it } from 'vitest';
import { clockTime, exactTime, isoTime, longAge, shortAge } from '../../../renderer/words/time.ts';

const NOW = Date.UTC(2026, 4, 12, 9, 20, 30);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const ago = (ms: number): number => NOW - ms;

describe('the age of something', () => {
  it('is as short as it gets', () => {
    const ages = [0, 59_999, MINUTE, 12 * MINUTE, HOUR - 1, HOUR, 23 * HOUR, DAY, 6 * DAY];
    expect(ages.map((age) => shortAge(ago(age), NOW, 'UTC'))).toEqual([
      'now',
      'now',
      '1 min',
      '12 min',
      '59 min',
      '1 h',
      '23 h',
      '1 d',
      '6 d',
    ]);
  });

  it('of more than a week is a date, with the year if it is another one', () => {
    expect(shortAge(ago(9 * DAY), NOW, 'UTC')).toBe('3 May');
    expect(shortAge(Date.UTC(2025, 11, 24), NOW, 'UTC')).toBe('24 Dec 2025');
  });

  it('is a sentence where there is room', () => {
    expect([
      longAge(NOW, NOW, 'UTC'),
      longAge(ago(12 * MINUTE), NOW, 'UTC'),
      longAge(ago(9 * DAY), NOW, 'UTC'),
    ]).toEqual(['just now', '12 min ago', 'on 3 May']);
  });

  it('of what another clock puts in the future is none', () => {
    expect(shortAge(NOW + HOUR, NOW, 'UTC')).toBe('now');
    expect(longAge(NOW + HOUR, NOW, 'UTC')).toBe('just now');
  });
});

describe('the time of something', () => {
  it('of today is that of the clock', () => {
    expect(clockTime(Date.UTC(2026, 4, 12, 9, 8, 14), NOW, 'UTC')).toBe('09:08');
    expect(clockTime(Date.UTC(2026, 4, 12, 0, 0), NOW, 'UTC')).toBe('00:00');
  });

  it('of this week has its day, of longer ago its date', () => {
    expect(clockTime(Date.UTC(2026, 4, 11, 10, 2), NOW, 'UTC')).toBe('Mon 10:02');
    expect(clockTime(Date.UTC(2026, 4, 3, 10, 2), NOW, 'UTC')).toBe('3 May 10:02');
    expect(clockTime(Date.UTC(2025, 4, 3, 10, 2), NOW, 'UTC')).toBe('3 May 2025 10:02');
  });

  it('is the reader’s, not the relay’s', () => {
    expect(clockTime(Date.UTC(2026, 4, 12, 9, 8), NOW, 'Asia/Tokyo')).toBe('18:08');
    expect(clockTime(Date.UTC(2026, 4, 11, 23, 30), NOW, 'Europe/Berlin')).toBe('01:30');
  });

  it('is exact where one asks for it', () => {
    expect(exactTime(Date.UTC(2026, 4, 12, 9, 8, 14), 'UTC')).toBe('Tuesday 12 May 2026, 09:08:14');
  });

  it('has a form for machines', () => {
    expect(isoTime(Date.UTC(2026, 4, 12, 9, 8, 14))).toBe('2026-05-12T09:08:14.000Z');
  });
});
