import { deskError, type DeskClient } from '../desk-client.ts';
import { dispatch, type DeskStore } from './desk-store.ts';
import { RETRY_MS, type Keeper, type SyncPorts } from './keeper.ts';

/** Reads the log of the open thread, when there is none yet or the one there is has a gap. */
export function keepThread(client: DeskClient, store: DeskStore, { later }: SyncPorts): Keeper {
  /** The read that is on its way, or waits to be tried again. */
  let current: { readonly key: string; cancel: () => void } | undefined;

  const refresh = (): void => {
    const { thread } = store.getState();
    if (thread === undefined || !thread.stale || current?.key === thread.key) return;
    stop();
    const { key, account, taskId } = thread;
    const run = { key, cancel: (): void => {} };
    current = run;
    const finish = (): void => {
      if (current !== run) return;
      current = undefined;
      refresh();
    };
    dispatch(store, { type: 'thread_requested' });
    client.call('getThread', { as: account, task_id: taskId }).then(
      (loaded) => {
        dispatch(store, { type: 'thread_loaded', thread: loaded });
        finish();
      },
      (thrown: unknown) => {
        if (current !== run) return;
        run.cancel = later(RETRY_MS, finish);
        dispatch(store, { type: 'thread_failed', key, error: deskError(thrown) });
      },
    );
  };
  const stop = (): void => {
    current?.cancel();
    current = undefined;
  };
  return { refresh, stop };
}
