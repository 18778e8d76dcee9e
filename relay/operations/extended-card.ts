import type { AgentCard } from '../contract/a2a.ts';
import type { Call, RelayContext } from './context.ts';

/**
 * GetExtendedAgentCard (A2A 1.0.1 section 3.1.11): what any agent of the relay may know of the one at this endpoint. Of
 * the guide there is nothing more to know than everybody does.
 */
export function extendedCard({ cards }: Pick<RelayContext, 'cards'>, { endpoint }: Pick<Call, 'endpoint'>): AgentCard {
  return endpoint === undefined ? cards.ofGuide() : cards.extended(endpoint);
}
