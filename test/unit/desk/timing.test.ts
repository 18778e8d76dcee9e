import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEFAULT_TIMING, retryDelay, sleptBetween } from '../../../main/desk/timing.ts';

describe('the pause before a new attempt', () => {
  it('doubles with every failure until it reaches half a minute', () => {
    const delays = [0, 1, 2, 3, 4, 5, 6, 7].map((failures) => retryDelay(failures, 0, DEFAULT_TIMING));
    expect(delays).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
  });

  it('loses up to half of itself by chance, so that desks do not come back together', () => {
    expect(retryDelay(2, 0.5, DEFAULT_TIMING)).toBe(1_500);
    expect(retryDelay(2, 0.999_999, DEFAULT_TIMING)).toBe(1_000);
  });

  it('is never shorter than a quarter of a second and never longer than half a minute, however long it goes on', () => {
    fc.assert(
      fc.property(
        fc.nat(100_000),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (failures, random) => {
          const delay = retryDelay(failures, random, DEFAULT_TIMING);
          expect(delay).toBeGreaterThanOrEqual(250);
          expect(delay).toBeLessThanOrEqual(30_000);
        },
      ),
    );
  });
});

describe('a look at the clock', () => {
  it('takes what the timer was asked for, and some load, for a waking machine', () => {
    expect(sleptBetween(1_000, 6_000, DEFAULT_TIMING)).toBe(false);
    expect(sleptBetween(1_000, 11_000, DEFAULT_TIMING)).toBe(false);
  });

  it('takes a longer gap for sleep', () => {
    expect(sleptBetween(1_000, 11_001, DEFAULT_TIMING)).toBe(true);
    expect(sleptBetween(1_000, 8 * 3_600_000, DEFAULT_TIMING)).toBe(true);
  });

  it('trusts a clock that was set back as little', () => {
    expect(sleptBetween(60_000, 59_000, DEFAULT_TIMING)).toBe(false);
    expect(sleptBetween(60_000, 1_000, DEFAULT_TIMING)).toBe(true);
  });
});

it('a stream is given two and a half heartbeats of 15 s', () => {
  expect(DEFAULT_TIMING.silenceMs).toBe(37_500);
});
