import type { Presence } from '../hub/presence.ts';
import type { AgentId } from '../store/ports.ts';

/** Whether a peer has something open. */
export interface PeerState {
  readonly peer: AgentId;
  readonly online: boolean;
}

/** The peers of one reader, and what that reader was told of each. */
export interface Peers {
  /** Makes an agent a peer. How it is, the first time; undefined when the reader knows. */
  meet(peer: AgentId): PeerState | undefined;
  /** What changes, as it does. A peer that left and came back before it was told did nothing. Ends with the signal. */
  changes(signal: AbortSignal): AsyncGenerator<PeerState, void, void>;
}

export function createPeers(presence: Presence): Peers {
  const told = new Map<AgentId, boolean>();
  const changed = new Set<AgentId>();

  function news(peer: AgentId): PeerState | undefined {
    const online = presence.isConnected(peer);
    if (told.get(peer) === online) return undefined;
    told.set(peer, online);
    return { peer, online };
  }

  return {
    meet: (peer) => (told.has(peer) ? undefined : news(peer)),
    async *changes(signal) {
      let wake = Promise.withResolvers<void>();
      const forget = presence.onChange((peer) => {
        if (!told.has(peer)) return;
        changed.add(peer);
        wake.resolve();
      });
      const stop = (): void => wake.resolve();
      signal.addEventListener('abort', stop);
      try {
        // what has changed since it was told, before anybody listened
        for (const peer of told.keys()) changed.add(peer);
        while (!signal.aborted) {
          for (const peer of changed) {
            changed.delete(peer);
            const state = news(peer);
            if (state !== undefined) yield state;
          }
          await wake.promise;
          wake = Promise.withResolvers();
        }
      } finally {
        forget();
        signal.removeEventListener('abort', stop);
      }
    },
  };
}
