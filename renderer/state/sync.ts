import type { DeskClient } from '../desk-client.ts';
import type { DeskStore } from './desk-store.ts';
import type { Keeper, SyncPorts } from './keeper.ts';
import { keepThread } from './open-thread.ts';
import { keepSnapshot } from './snapshots.ts';

/**
 * Keeps the store true to the desk: a snapshot, the events after it, and both anew when an event is missing; the log of
 * the open thread, and that again when it has a gap. The reducer says what is missing, here it is fetched.
 */
export function startSync(client: DeskClient, store: DeskStore, ports: SyncPorts): Keeper {
  const snapshot = keepSnapshot(client, store, ports);
  const thread = keepThread(client, store, ports);
  const unwatch = store.subscribe((state, before) => {
    if (state.stale && !before.stale) snapshot.refresh();
    else if (state.phase === 'ready') thread.refresh();
  });
  snapshot.refresh();
  return {
    refresh: snapshot.refresh,
    stop: () => {
      unwatch();
      snapshot.stop();
      thread.stop();
    },
  };
}
