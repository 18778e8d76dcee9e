import { retryDelay } from '../../relay/contract/back-off.ts';
import { describeTrouble, troubleOf } from '../desk/trouble.ts';
import { pause } from '../pause.ts';
import { attempt, type AttemptEnd, type AttemptOptions } from './attempt.ts';
import type { Work } from './document.ts';
import { isPassing, RETRY } from './persist.ts';
import type { RelayWork } from './relay-work.ts';

/** What a worker has to tell. */
export type Report =
  /** It cannot ask its relay, and goes on trying. Said once. */
  | { readonly kind: 'away'; readonly why: string }
  | { readonly kind: 'back' }
  | { readonly kind: 'finished'; readonly work: Work; readonly end: AttemptEnd; readonly ms: number };

export interface WorkerOptions extends AttemptOptions {
  readonly relay: RelayWork;
  /** One handoff, and no more. */
  readonly once: boolean;
  readonly report: (report: Report) => void;
}

/**
 * Leases handoffs one by one and runs the command on each, until it is stopped. A relay that is away is asked again for
 * ever; one that refuses for good (UNAUTHENTICATED, say) is an error.
 */
export async function runWorker(options: WorkerOptions, stop: AbortSignal): Promise<void> {
  const { relay, once, report, random } = options;
  let failures = 0;
  while (!stop.aborted) {
    let work: Work | undefined;
    try {
      work = await relay.lease(stop);
    } catch (error) {
      if (stop.aborted) return;
      if (!isPassing(error)) throw error;
      if (failures === 0) report({ kind: 'away', why: describeTrouble(troubleOf(error)) });
      await pause(retryDelay(failures, random(), RETRY), stop);
      failures += 1;
      continue;
    }
    if (failures > 0) report({ kind: 'back' });
    failures = 0;
    if (work === undefined) continue;
    const from = performance.now();
    const end = await attempt(work, options, stop);
    report({ kind: 'finished', work, end, ms: Math.round(performance.now() - from) });
    if (once) return;
  }
}
