import { keyRevoked } from './bearer.ts';
import type { Agent, AgentChange, AgentId, Directory } from '../store/ports.ts';

/** Something that remembers agents. */
export interface Remembers {
  /** Takes the newest state of an agent in the place of what it remembers. */
  readonly refresh: (agent: Agent) => void;
}

/**
 * Changes an agent, and answers with it as it is then; what `change` throws changes nothing. UNAUTHENTICATED for one that
 * was removed.
 */
export type ChangeAgent = (id: AgentId, change: (agent: Agent) => AgentChange) => Promise<Agent>;

/** @param all told of each change before anybody is answered, so that no later request meets the older state */
export function agentChanger(directory: Pick<Directory, 'updateAgent'>, all: readonly Remembers[]): ChangeAgent {
  return async (id, change) => {
    const agent = await directory.updateAgent(id, change);
    if (agent === undefined) throw keyRevoked();
    for (const one of all) one.refresh(agent);
    return agent;
  };
}
