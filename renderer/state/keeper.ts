/** What the synchronisation takes from the outside. */
export interface SyncPorts {
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** Runs `then` after `ms`; returns what stops it. */
  readonly later: (ms: number, then: () => void) => () => void;
}

/** One thing that is kept true. */
export interface Keeper {
  /** Asks the desk now. */
  readonly refresh: () => void;
  readonly stop: () => void;
}

/** How long to wait after a failure. */
export const RETRY_MS = 2000;
