/** Which keys have ended: for what was let in with one before, and is still under way. */
export interface KeyEnds {
  /** Calls the listener when the key ends, or at once when it has. Returns the function that forgets the listener. */
  on(keyId: number, listener: () => void): () => void;
  has(keyId: number): boolean;
  /** It was revoked. */
  note(keyId: number): void;
  /** It ends at that time, milliseconds since the epoch. */
  noteAt(keyId: number, time: number): void;
  /** Stops all timers. */
  close(): void;
}

/** A timer is late by what a clock was set forward, or a machine slept. So it looks at least this often. */
const LOOK_EVERY_MS = 30_000;

/**
 * Remembers those of this process alone: with what has ended before, nobody is let in.
 * @param clock milliseconds since the epoch
 */
export function createKeyEnds(clock: () => number): KeyEnds {
  const ended = new Set<number>();
  const ending = new Map<number, { readonly at: number; readonly timer: NodeJS.Timeout }>();
  const listening = new Map<number, Set<() => void>>();

  function has(keyId: number): boolean {
    return ended.has(keyId) || (ending.get(keyId)?.at ?? Number.POSITIVE_INFINITY) <= clock();
  }

  function note(keyId: number): void {
    ended.add(keyId);
    clearTimeout(ending.get(keyId)?.timer);
    ending.delete(keyId);
    const listeners = listening.get(keyId) ?? [];
    listening.delete(keyId);
    for (const listener of listeners) listener();
  }

  function noteAt(keyId: number, at: number): void {
    if (ended.has(keyId)) return;
    clearTimeout(ending.get(keyId)?.timer);
    const left = at - clock();
    if (left <= 0) {
      note(keyId);
      return;
    }
    const timer = setTimeout(noteAt, Math.min(left, LOOK_EVERY_MS), keyId, at).unref();
    ending.set(keyId, { at, timer });
  }

  return {
    on(keyId, listener) {
      if (has(keyId)) {
        listener();
        return () => undefined;
      }
      const listeners = listening.get(keyId) ?? new Set();
      listening.set(keyId, listeners.add(listener));
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0 && listening.get(keyId) === listeners) listening.delete(keyId);
      };
    },
    has,
    note,
    noteAt,
    close() {
      for (const { timer } of ending.values()) clearTimeout(timer);
    },
  };
}
