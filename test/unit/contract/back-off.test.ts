import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { retryDelay } from '../../../relay/contract/back-off.ts';

const HALF_A_MINUTE = { firstRetryMs: 500, lastRetryMs: 30_000 };

describe('the pause before a new attempt', () => {
  it('doubles with every failure until it reaches half a minute', () => {
    const delays = [0, 1, 2, 3, 4, 5, 6, 7].map((failures) => retryDelay(failures, 0, HALF_A_MINUTE));
    expect(delays).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
  });

  it('loses up to half of itself by chance, so that not all come back together', () => {
    expect(retryDelay(2, 0.5, HALF_A_MINUTE)).toBe(1_500);
    expect(retryDelay(2, 0.999_999, HALF_A_MINUTE)).toBe(1_000);
  });

  it('is never shorter than a quarter of a second and never longer than half a minute, however long it goes on', () => {
    fc.assert(
      fc.property(
        fc.nat(100_000),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (failures, random) => {
          const delay = retryDelay(failures, random, HALF_A_MINUTE);
          expect(delay).toBeGreaterThanOrEqual(250);
          expect(delay).toBeLessThanOrEqual(30_000);
        },
      ),
    );
  });
});
