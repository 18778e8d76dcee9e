import { retryDelay, type BackOff } from '../contract/back-off.ts';

/** How long something that fails is tried again. Times in milliseconds. */
export interface Patience extends BackOff {
  /** Given up after so many attempts, or so long after the first one, whatever comes first. */
  readonly attempts: number;
  readonly ageMs: number;
}

/** A webhook that is down for half a day loses nothing; one that is gone is not called for ever. */
export const PATIENCE: Patience = {
  firstRetryMs: 2000,
  lastRetryMs: 3_600_000,
  attempts: 24,
  ageMs: 86_400_000,
};

/** Whether it is time to give up. `since` is the time of the first attempt. */
export function isSpent(patience: Patience, attempts: number, since: number, now: number): boolean {
  return attempts >= patience.attempts || now - since >= patience.ageMs;
}

/**
 * The wait before the next attempt, as `retryDelay` has it, or what the other side asked for, where that is longer; never
 * more than the longest.
 * @param attempts that have failed, at least 1
 * @param random in [0, 1)
 * @param askedFor how long the other side asked to be left alone, milliseconds
 */
export function waitBefore(patience: Patience, attempts: number, random: number, askedFor = 0): number {
  return Math.max(Math.min(askedFor, patience.lastRetryMs), retryDelay(attempts - 1, random, patience));
}
