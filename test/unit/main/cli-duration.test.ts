import { describe, expect, it } from 'vitest';
import { formatDuration, parseDuration } from '../../../main/cli/duration.ts';

describe('a length of time', () => {
  it.each([
    ['0', 0],
    ['30s', 30_000],
    ['10m', 600_000],
    ['24h', 86_400_000],
    ['7d', 604_800_000],
  ])('%s is %i milliseconds', (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });

  it.each(['', '5', 's', '1w', '-1m', '1.5h', '1 h', '1H', '1h30m', '00', '99999999s'])('is not "%s"', (text) => {
    expect(parseDuration(text)).toBeUndefined();
  });

  it.each([
    [0, '0'],
    [1_000, '1s'],
    [90_000, '90s'],
    [60_000, '1m'],
    [86_400_000, '1d'],
    [2_592_000_000, '30d'],
  ])('of %i milliseconds is written as %s', (ms, text) => {
    expect(formatDuration(ms)).toBe(text);
  });
});
