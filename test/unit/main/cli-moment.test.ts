import { describe, expect, it } from 'vitest';
import { readMoment } from '../../../main/cli/moment.ts';
import { UsageError } from '../../../main/start-error.ts';

const NOW = Date.UTC(2026, 10, 30, 12);

describe('a time on the command line', () => {
  it.each([
    ['90m', 90 * 60_000],
    ['24h', 24 * 3_600_000],
    ['7d', 7 * 86_400_000],
    ['0m', 0],
  ])('may be %s ago', (text, ago) => {
    expect(readMoment('--since', text, 'beginning')(NOW)).toBe(NOW - ago);
  });

  it('may be a day by the clock of this machine, from its first to its last moment', () => {
    expect(readMoment('--since', '2026-11-30', 'beginning')(NOW)).toBe(new Date(2026, 10, 30).getTime());
    expect(readMoment('--until', '2026-11-30', 'end')(NOW)).toBe(new Date(2026, 11, 1).getTime() - 1);
  });

  it('may be a time of a day, there or in a zone that is named', () => {
    expect(readMoment('--since', '2026-11-30T14:05', 'beginning')(NOW)).toBe(new Date(2026, 10, 30, 14, 5).getTime());
    expect(readMoment('--since', '2026-11-30T14:05:00Z', 'beginning')(NOW)).toBe(Date.UTC(2026, 10, 30, 14, 5));
  });

  it.each([
    '',
    'yesterday',
    '24',
    'h',
    '-1h',
    '1w',
    '2026-13-01',
    '2026-02-31',
    '2026-11-31',
    '30.11.2026',
    '2026-11-30Tnoon',
  ])('is not "%s"', (text) => {
    expect(() => readMoment('--since', text, 'beginning')).toThrow(UsageError);
    expect(() => readMoment('--since', text, 'beginning')).toThrow('--since is such as 24h');
  });
});
