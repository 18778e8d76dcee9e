import { describe, expect, test } from 'vitest';
import { isSpent, PATIENCE, waitBefore } from '../../../relay/notify/patience.ts';

const patience = { firstRetryMs: 1000, lastRetryMs: 60_000, attempts: 5, ageMs: 3_600_000 };

describe('the wait before the next attempt', () => {
  test('doubles, up to the longest', () => {
    expect([1, 2, 3, 6, 7, 30].map((attempts) => waitBefore(patience, attempts, 0))).toEqual([
      1000, 2000, 4000, 32_000, 60_000, 60_000,
    ]);
  });

  test('is as long as the other side asks, but never longer than the longest', () => {
    expect(waitBefore(patience, 1, 0, 30_000)).toBe(30_000);
    expect(waitBefore(patience, 1, 0, 10)).toBe(1000);
    expect(waitBefore(patience, 1, 0, 1e12)).toBe(60_000);
  });
});

describe('giving up', () => {
  test('comes with the last attempt', () => {
    expect([4, 5, 6].map((attempts) => isSpent(patience, attempts, 0, 0))).toEqual([false, true, true]);
  });

  test('comes with age, however few attempts there were', () => {
    expect(isSpent(patience, 1, 1000, 1000 + patience.ageMs - 1)).toBe(false);
    expect(isSpent(patience, 1, 1000, 1000 + patience.ageMs)).toBe(true);
  });

  test('comes after more than half a day, and within a day, as a rule', () => {
    let shortest = 0;
    for (let attempts = 1; attempts < PATIENCE.attempts; attempts++) shortest += waitBefore(PATIENCE, attempts, 1);
    expect(shortest).toBeGreaterThan(6 * 3_600_000);
    expect(PATIENCE.ageMs).toBe(24 * 3_600_000);
  });
});
