import { retryDelay } from '../../relay/contract/back-off.ts';
import { RelayError, type Reason } from '../../relay/contract/reasons.ts';
import { ConnectionError } from '../desk/trouble.ts';
import { pause } from '../pause.ts';

/** How long a worker waits before it asks a relay again that could not be asked. */
export const RETRY = { firstRetryMs: 250, lastRetryMs: 15_000 };

/** Refusals that may be over soon. */
const PASSING: ReadonlySet<Reason> = new Set([
  'SHUTTING_DOWN',
  'STORAGE_FAILED',
  'INTERNAL',
  'RATE_LIMITED',
  'REQUEST_TIMEOUT',
]);

/** Whether the same request may be served later. */
export function isPassing(error: unknown): boolean {
  return error instanceof ConnectionError || (error instanceof RelayError && PASSING.has(error.reason));
}

/** Sends a request again until it is served or refused for good, or the signal aborts: then it fails as it failed last. */
export async function persist<T>(request: () => Promise<T>, random: () => number, signal: AbortSignal): Promise<T> {
  for (let failures = 0; ; failures += 1) {
    try {
      return await request();
    } catch (error) {
      if (!isPassing(error) || signal.aborted) throw error;
      await pause(retryDelay(failures, random(), RETRY), signal);
    }
  }
}
