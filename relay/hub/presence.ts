import type { AgentId } from '../store/ports.ts';

/** Who has something open: an inbox stream, a stream of a task, a waiting call. */
export interface Presence {
  /** Call it when a connection opens; the returned function when it closes (calling that twice is harmless). */
  enter(agent: AgentId): () => void;
  isConnected(agent: AgentId): boolean;
  /** Called when an agent's first connection opens, or its last one closes. Returns the unsubscribe function. */
  onChange(listener: (agent: AgentId, isConnected: boolean) => void): () => void;
}

export function createPresence(): Presence {
  const open = new Map<AgentId, number>();
  const listeners = new Set<(agent: AgentId, isConnected: boolean) => void>();
  const tell = (agent: AgentId, isConnected: boolean): void => {
    for (const listener of listeners) listener(agent, isConnected);
  };
  return {
    enter(agent) {
      const before = open.get(agent) ?? 0;
      open.set(agent, before + 1);
      if (before === 0) tell(agent, true);
      let isOpen = true;
      return () => {
        if (!isOpen) return;
        isOpen = false;
        const left = (open.get(agent) ?? 1) - 1;
        if (left > 0) {
          open.set(agent, left);
          return;
        }
        open.delete(agent);
        tell(agent, false);
      };
    },
    isConnected: (agent) => open.has(agent),
    onChange(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}
