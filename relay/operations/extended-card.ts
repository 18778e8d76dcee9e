import type { AgentCard } from '../contract/a2a.ts';
import { RelayError } from '../contract/reasons.ts';
import type { Agent } from '../store/ports.ts';
import type { Call, RelayContext } from './context.ts';

/**
 * GetExtendedAgentCard (A2A 1.0.1 section 3.1.11): what any agent of the relay may know of the one at this endpoint. Of
 * the guide there is nothing more to know than everybody does.
 */
export async function extendedCard(
  context: Pick<RelayContext, 'cards' | 'contacts'>,
  { endpoint, principal }: Pick<Call, 'endpoint' | 'principal'>,
): Promise<AgentCard> {
  if (endpoint === undefined) return context.cards.ofGuide();
  if (!(await mayFind(context, endpoint, principal.agent))) throw noSuchAgent();
  return context.cards.extended(endpoint);
}

/** Whether an agent is shown to another one: it is listed, has accepted that one, or is itself. */
export async function mayFind(
  { contacts }: Pick<RelayContext, 'contacts'>,
  agent: Agent,
  viewer: Agent | undefined,
): Promise<boolean> {
  if (agent.listed || agent.id === viewer?.id) return true;
  return viewer !== undefined && (await contacts.knows(agent.id, viewer.id));
}

/** The one answer for an agent that is not there, and for one that is not shown. */
export function noSuchAgent(): RelayError {
  return new RelayError('ROUTE_NOT_FOUND', 'No agent of this relay has that handle.');
}
