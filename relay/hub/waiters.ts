/** Who waits for news of what. */
export interface Waiters<K> {
  /** Resolves at the next `wake` of the key, or when the signal aborts. Arm it before looking, then nothing is missed. */
  next(key: K, signal: AbortSignal): Promise<void>;
  wake(key: K): void;
  /** For tests and metrics: keys that somebody waits for. */
  readonly size: number;
}

/** One set of callbacks a key, and nothing left of either when the last waiter is gone. */
export function createWaiters<K>(): Waiters<K> {
  const waiting = new Map<K, Set<() => void>>();
  return {
    next(key, signal) {
      if (signal.aborted) return Promise.resolve();
      return new Promise((resolve) => {
        const set = waiting.get(key) ?? new Set();
        waiting.set(key, set);
        const done = (): void => {
          signal.removeEventListener('abort', done);
          set.delete(done);
          if (set.size === 0 && waiting.get(key) === set) waiting.delete(key);
          resolve();
        };
        set.add(done);
        signal.addEventListener('abort', done);
      });
    },
    wake(key) {
      for (const done of waiting.get(key) ?? []) done();
    },
    get size() {
      return waiting.size;
    },
  };
}
