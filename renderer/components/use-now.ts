import { useSyncExternalStore } from 'react';

const TICK_MS = 20_000;

let now = Date.now();
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

const current = (): number => now;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    now = Date.now();
    for (const tell of listeners) tell();
  }, TICK_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** The time, for words such as "12 min": milliseconds since the epoch, one clock for the whole window, near enough. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, current, current);
}
