import type { Agent } from '../store/ports.ts';
import { BoundedMap } from './bounded-map.ts';

const LIMIT = 10_000;

/**
 * Agents that are remembered between requests. Of two states of an agent the newer one stays, whichever comes last: a read
 * that was under way while the agent changed undoes nothing.
 */
export class AgentCache<K> {
  readonly #known = new BoundedMap<K, Agent>(LIMIT);

  get(key: K): Agent | undefined {
    return this.#known.get(key);
  }

  set(key: K, agent: Agent): void {
    const known = this.#known.get(key);
    if (known?.id === agent.id && known.updatedAt > agent.updatedAt) return;
    this.#known.set(key, agent);
  }
}
