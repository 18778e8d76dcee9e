import type { BackOff } from '../../relay/contract/back-off.ts';

/** How patient an account is. All in milliseconds. */
export interface Timing extends BackOff {
  /** For the answer to one request, and for a stream to begin. */
  readonly requestMs: number;
  /** For the relay to say whether a peer is there, which it does right after the first event of a handoff with that peer. */
  readonly presenceMs: number;
  /** Without a byte for this long a stream is dead: two and a half of the relay's heartbeats. */
  readonly silenceMs: number;
  /** How often the clock is looked at. */
  readonly tickMs: number;
  /** A jump of the clock that is longer than this means that the machine slept. */
  readonly sleepMs: number;
}

export const DEFAULT_TIMING: Timing = {
  requestMs: 10_000,
  presenceMs: 1_000,
  silenceMs: 2.5 * 15_000,
  tickMs: 5_000,
  sleepMs: 10_000,
  firstRetryMs: 500,
  lastRetryMs: 30_000,
};

/** Whether the machine slept between two looks at the clock, or its clock was set: sockets may be dead either way. */
export function sleptBetween(before: number, now: number, timing: Timing): boolean {
  return Math.abs(now - before) > timing.sleepMs;
}
