/** Who waits for news of what. */
export interface Waiters<K> {
  /** Listens until the signal (if any) aborts or `close` is called. From then on no `wake` of the key is missed. */
  listen(key: K, signal?: AbortSignal): Listener;
  wake(key: K): void;
  /** For tests and metrics: keys that somebody listens to. */
  readonly size: number;
}

export interface Listener {
  /** Resolves when there has been news since it last did, or when nobody listens any more. */
  next(): Promise<void>;
  close(): void;
}

/** One set of callbacks a key, and nothing left of either when the last listener is gone. */
export function createWaiters<K>(): Waiters<K> {
  const listening = new Map<K, Set<() => void>>();
  return {
    listen(key, signal) {
      let isOpen = true;
      let isNews = false;
      let resolve: (() => void) | undefined;
      const ring = (): void => {
        isNews = resolve === undefined;
        resolve?.();
        resolve = undefined;
      };
      const close = (): void => {
        isOpen = false;
        signal?.removeEventListener('abort', close);
        set.delete(ring);
        if (set.size === 0 && listening.get(key) === set) listening.delete(key);
        ring();
      };
      const set = listening.get(key) ?? new Set();
      listening.set(key, set.add(ring));
      if (signal?.aborted) close();
      else signal?.addEventListener('abort', close);
      return {
        next() {
          if (isOpen && !isNews) {
            return new Promise((news) => {
              resolve = news;
            });
          }
          isNews = false;
          return Promise.resolve();
        },
        close,
      };
    },
    wake(key) {
      for (const ring of listening.get(key) ?? []) ring();
    },
    get size() {
      return listening.size;
    },
  };
}
