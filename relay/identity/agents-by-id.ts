import type { Agent, AgentId, Directory } from '../store/ports.ts';
import { BoundedMap } from './bounded-map.ts';

/** Remembers agents by number: every view of a handoff names two of them. Their names never change. */
export function agentsById(directory: Pick<Directory, 'agentById'>): Pick<Directory, 'agentById'> {
  const known = new BoundedMap<AgentId, Agent>(10_000);
  return {
    async agentById(id) {
      const agent = known.get(id) ?? (await directory.agentById(id));
      if (agent !== undefined) known.set(id, agent);
      return agent;
    },
  };
}
