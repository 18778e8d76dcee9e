import type { HandoffState, ThreadEvent } from '../contract/handoff.ts';
import type { TaskLog } from '../store/ports.ts';
import type { Metrics } from './metrics.ts';

/** Seconds. A commit is one sync of the disk: a good one takes tenths of a millisecond, a tired one more than this. */
const COMMIT_BOUNDS = [0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1];

/** A series that is not there, and one that is 0, are not the same to who watches them. */
const NONE_OPEN: Partial<Record<HandoffState, number>> = { pending: 0, accepted: 0, input_required: 0 };

/** What is noted of each group of commands that was committed. */
export function commitMetrics(metrics: Metrics): (milliseconds: number) => void {
  const observe = metrics.histogram(
    'agentrelay_commit_duration_seconds',
    'How long a group of commands took to be stored and synced.',
    COMMIT_BOUNDS,
  );
  return (milliseconds) => observe(milliseconds / 1000);
}

/** What the relay's own parts have to say. */
export function addRelayMetrics(
  metrics: Metrics,
  {
    log,
    writers,
  }: { readonly log: Pick<TaskLog, 'onCommit' | 'countOpen'>; readonly writers: { readonly size: number } },
): void {
  metrics.gauge('agentrelay_open_streams', 'Event streams that are open.', () => writers.size);
  metrics.gauge('agentrelay_open_handoffs', 'Handoffs that are not closed, by state.', async () =>
    Object.entries({ ...NONE_OPEN, ...(await log.countOpen()) }).map(([state, value]) => ({
      labels: { state },
      value,
    })),
  );
  const reached = metrics.counter(
    'agentrelay_handoffs_total',
    'Handoffs by the state that they have come to, since the start.',
  );
  log.onCommit((commits) => {
    for (const { events } of commits) {
      for (const event of events) {
        const state = stateOf(event);
        if (state !== undefined) reached({ state });
      }
    }
  });
}

/** The state that an event brings a handoff to; undefined where it stays as it is. */
function stateOf(event: ThreadEvent): HandoffState | undefined {
  if (event.kind === 'created') return 'pending';
  return event.kind === 'status' || event.kind === 'message' ? event.state : undefined;
}
