import type { OfflinePeer } from '../../../relay/contract/desk-api.ts';
import type { InboxPresence } from '../../../relay/contract/event-schema.ts';

export interface PeersOptions {
  /** The handle whose peers they are. */
  readonly account: string;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** A peer left, or is no longer known to be gone. */
  readonly onChange: (peer: OfflinePeer, isOffline: boolean) => void;
}

/** What the relay said of the other sides: whether each has something connected. */
export interface Peers {
  hear(presence: InboxPresence): void;
  /** What was said is old: the stream that said it has ended. */
  forget(): void;
  /** Resolves when the relay has said of a peer whether it is there, when that is forgotten, or after so many milliseconds. */
  met(peer: string, patienceMs: number): Promise<void>;
  /** Whether the relay said that a peer is not connected. */
  isOffline(peer: string): boolean;
  offline(): readonly OfflinePeer[];
}

export function createPeers({ account, clock, onChange }: PeersOptions): Peers {
  const online = new Set<string>();
  const offline = new Map<string, OfflinePeer>();
  const waiting = new Map<string, Set<() => void>>();

  function stopWaiting(peer: string): void {
    for (const stop of waiting.get(peer) ?? []) stop();
    waiting.delete(peer);
  }

  function returned(peer: string): void {
    const gone = offline.get(peer);
    if (gone === undefined) return;
    offline.delete(peer);
    onChange(gone, false);
  }

  return {
    hear({ handle: peer, online: isThere }) {
      if (isThere) {
        online.add(peer);
        returned(peer);
      } else if (!offline.has(peer)) {
        // of one that was gone before we came, nobody said since when
        const gone = { account, peer, ...(online.delete(peer) ? { since: clock() } : {}) };
        offline.set(peer, gone);
        onChange(gone, true);
      }
      stopWaiting(peer);
    },
    forget() {
      online.clear();
      for (const peer of offline.keys()) returned(peer);
      for (const peer of waiting.keys()) stopWaiting(peer);
    },
    async met(peer, patienceMs) {
      if (online.has(peer) || offline.has(peer)) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      const waiters = waiting.get(peer) ?? new Set();
      waiting.set(peer, waiters.add(resolve));
      const timer = setTimeout(resolve, patienceMs);
      await promise;
      clearTimeout(timer);
      waiters.delete(resolve);
      if (waiters.size === 0 && waiting.get(peer) === waiters) waiting.delete(peer);
    },
    isOffline: (peer) => offline.has(peer),
    offline: () => [...offline.values()],
  };
}
