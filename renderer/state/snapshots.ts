import { deskError, SignedOutError, type DeskClient } from '../desk-client.ts';
import { dispatch, type DeskStore } from './desk-store.ts';
import { RETRY_MS, type Keeper, type SyncPorts } from './keeper.ts';

/** Takes a snapshot and follows the events behind it; each `refresh` starts that over. */
export function keepSnapshot(client: DeskClient, store: DeskStore, { clock, later }: SyncPorts): Keeper {
  let current: { cancel: () => void } | undefined;

  const refresh = (): void => {
    stop();
    const run = { cancel: (): void => {} };
    current = run;
    const isCurrent = (): boolean => current === run;
    client.call('getSnapshot', {}).then(
      (snapshot) => {
        if (!isCurrent()) return;
        dispatch(store, { type: 'snapshot', snapshot });
        const unsubscribe = client.subscribe(
          snapshot.seq,
          (event) => isCurrent() && dispatch(store, { type: 'event', event }),
          (connection) => isCurrent() && dispatch(store, { type: 'connection', connection }),
        );
        // the first event may have asked for another snapshot before there was anything to unsubscribe
        if (isCurrent()) run.cancel = unsubscribe;
        else unsubscribe();
      },
      (thrown: unknown) => {
        if (!isCurrent()) return;
        if (thrown instanceof SignedOutError) {
          dispatch(store, { type: 'connection', connection: { state: 'signed_out' } });
          return;
        }
        const error = deskError(thrown);
        run.cancel = later(RETRY_MS, refresh);
        dispatch(store, { type: 'failed', error, at: clock() });
      },
    );
  };
  const stop = (): void => {
    current?.cancel();
    current = undefined;
  };
  return { refresh, stop };
}
