import type { AgentId } from '../store/ports.ts';

/** Who was removed from the relay: for what was let in before, and is still under way. */
export interface Removals {
  /**
   * Calls the listener when the agent is removed, or at once when it already was. Returns the function that forgets it.
   */
  on(agent: AgentId, listener: () => void): () => void;
  has(agent: AgentId): boolean;
  note(agent: AgentId): void;
  /** It is an agent again. */
  forget(agent: AgentId): void;
}

/** Remembers those of this process alone: nobody who was removed before is let in. */
export function createRemovals(): Removals {
  const removed = new Set<AgentId>();
  const listening = new Map<AgentId, Set<() => void>>();
  return {
    on(agent, listener) {
      if (removed.has(agent)) {
        listener();
        return () => undefined;
      }
      const listeners = listening.get(agent) ?? new Set();
      listening.set(agent, listeners.add(listener));
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0 && listening.get(agent) === listeners) listening.delete(agent);
      };
    },
    has: (agent) => removed.has(agent),
    note(agent) {
      removed.add(agent);
      const listeners = listening.get(agent) ?? [];
      listening.delete(agent);
      for (const listener of listeners) listener();
    },
    forget: (agent) => void removed.delete(agent),
  };
}
