import { describe, expect, it } from 'vitest';
import { DEFAULT_TIMING, sleptBetween } from '../../../main/desk/timing.ts';

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
