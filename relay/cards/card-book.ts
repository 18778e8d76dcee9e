import type { AgentCard } from '../contract/a2a.ts';
import { formatHandle } from '../contract/handle.ts';
import type { Agent } from '../store/ports.ts';
import { buildCard, guideCard, type CardRelay } from './agent-card.ts';
import type { CardSigner } from './card-signer.ts';

/** Where a relay's JWK Set is. */
export const JWKS_PATH = '/.well-known/jwks.json';

/** The cards of a relay, in their 1.0 form, signed. */
export interface CardBook {
  /** An agent's public card. Made once for each state of the agent. */
  ofAgent(agent: Agent): AgentCard;
  /** The card of the relay's own guide. */
  ofGuide(): AgentCard;
  /** An agent's card with what only other agents of the relay are told, in the parameters of our extension. */
  extended(agent: Agent): AgentCard;
  /** Where an agent's public card is. */
  addressOf(agent: Pick<Agent, 'name'>): string;
}

/** @param relay what cards say of the relay, whose address is known once it listens */
export function createCardBook(relay: () => CardRelay, signer: CardSigner): CardBook {
  // an agent that changes is another object (relay/store/ports.ts), so that a card lives as long as what it is made of
  const known = new WeakMap<object, { readonly url: string; readonly card: AgentCard }>();

  const guide = {};

  function signedOnce(of: object, make: (about: CardRelay) => AgentCard): AgentCard {
    const about = relay();
    const made = known.get(of);
    if (made?.url === about.publicUrl) return made.card;
    const card = signed(about, make(about));
    known.set(of, { url: about.publicUrl, card });
    return card;
  }

  function signed({ publicUrl }: CardRelay, card: AgentCard): AgentCard {
    return signer.sign(card, `${publicUrl}${JWKS_PATH}`);
  }

  return {
    ofAgent: (agent) => signedOnce(agent, (about) => buildCard({ agent, relay: about })),
    ofGuide: () => signedOnce(guide, guideCard),
    extended(agent) {
      const about = relay();
      const { name, role, repos, listed } = agent;
      const params = {
        handle: formatHandle(name, about.name),
        ...(role === undefined ? {} : { role }),
        repos,
        listed,
      };
      return signed(about, buildCard({ agent, relay: about, params }));
    },
    addressOf: ({ name }) => `${relay().publicUrl}/a/${name}/agent-card.json`,
  };
}
