/** How long to wait between attempts, milliseconds. */
export interface BackOff {
  /** Before the first new attempt. */
  readonly firstRetryMs: number;
  /** At most. */
  readonly lastRetryMs: number;
}

/**
 * How long to wait before the next attempt: doubles with each failure up to `lastRetryMs`, of which a random half is
 * taken off so that many do not come back at one moment.
 * @param failures how many attempts failed in a row before this one, from 0
 * @param random in [0, 1)
 * @returns milliseconds, between half of the doubled time and all of it
 */
export function retryDelay(failures: number, random: number, { firstRetryMs, lastRetryMs }: BackOff): number {
  const full = Math.min(lastRetryMs, firstRetryMs * 2 ** failures);
  return Math.round(full * (1 - random / 2));
}
