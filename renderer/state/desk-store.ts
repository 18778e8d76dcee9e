import { createStore, type StoreApi } from 'zustand/vanilla';
import { INITIAL, reduce, type DeskAction, type DeskState } from './reducer.ts';

export type DeskStore = StoreApi<DeskState>;

/** A store that knows nothing yet. */
export function createDeskStore(): DeskStore {
  return createStore(() => INITIAL);
}

/** Passes an action through the reducer. */
export function dispatch(store: DeskStore, action: DeskAction): void {
  store.setState((state) => reduce(state, action), true);
}
