import type { AgentId, Directory } from '../store/ports.ts';
import { AgentCache } from './agent-cache.ts';
import type { Remembers } from './change-agent.ts';

/** Remembers agents by number: every view of a handoff names two of them. Their names never change. */
export function agentsById(directory: Pick<Directory, 'agentById'>): Pick<Directory, 'agentById'> & Remembers {
  const known = new AgentCache<AgentId>();
  return {
    async agentById(id) {
      const agent = known.get(id) ?? (await directory.agentById(id));
      if (agent !== undefined) known.set(id, agent);
      return agent;
    },
    refresh: (agent) => known.set(agent.id, agent),
  };
}
