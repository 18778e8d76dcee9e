import { RelayError } from '../contract/reasons.ts';
import type { TaskLog } from '../store/ports.ts';
import type { Engine } from './engine.ts';
import { abandon } from './lease.ts';

/** How many are ended at once: what others ask for gets its turn in between. */
const BATCH = 100;

/**
 * Gives up what is open and was for agents that were removed from the relay, so that no sender waits for nobody. Finds
 * everything by itself: what an earlier call, or an earlier life of the relay, has not come to is ended too. Resolves when
 * nothing is left, or the relay stops.
 */
export async function endAbandoned({ log, engine }: { readonly log: TaskLog; readonly engine: Engine }): Promise<void> {
  try {
    for (;;) {
      const ids = await log.abandoned(BATCH);
      if (ids.length === 0) return;
      await Promise.all(
        ids.map((id) => engine.actOnLease(id, 'relay', (handoff, _lease, moment) => abandon(handoff, moment))),
      );
    }
  } catch (error) {
    // the next start goes on
    if (!(error instanceof RelayError) || error.reason !== 'SHUTTING_DOWN') throw error;
  }
}
