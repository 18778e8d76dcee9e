import type { ContactView } from '../contract/contact.ts';
import { formatHandle, NAME_PATTERN } from '../contract/handle.ts';
import { visibleLine } from '../contract/plain-text.ts';
import { visibleName } from '../contract/visible-handle.ts';
import { invalidParams, RelayError } from '../contract/reasons.ts';
import type { Agent, AgentId, Relation, WordChange } from '../store/ports.ts';
import type { Call, RelayContext } from './context.ts';

/** Contacts and blocks, as the agent decides that they are about (docs/extension.md, Contacts). */

type ContactContext = Pick<RelayContext, 'contacts' | 'relay' | 'resolve' | 'cards'>;
type Caller = Pick<Call, 'principal'>;

export interface ContactPage {
  readonly contacts: readonly ContactView[];
  /** Empty on the last page. */
  readonly nextCursor: string;
}

/** Everybody with whom there is anything: contacts, requests of either side, and who is blocked. */
export async function listContacts(
  context: ContactContext,
  { principal }: Caller,
  { cursor, limit }: { readonly cursor: string; readonly limit: number },
): Promise<ContactPage> {
  if (cursor !== '' && !NAME_PATTERN.test(cursor)) {
    throw invalidParams('cursor', 'is none of this relay. Leave it out to start with the first page.');
  }
  const relations = await context.contacts.relations(principal.agent.id, cursor, limit + 1);
  const shown = relations.slice(0, limit);
  const last = relations.length > limit ? shown.at(-1) : undefined;
  return { contacts: shown.map((relation) => contactView(context, relation)), nextCursor: last?.peer.name ?? '' };
}

/** What an agent says about another one: that it may come, that it may not, or nothing any more. Needs no request before it. */
export async function decideContact(
  context: ContactContext,
  { principal }: Caller,
  handle: string,
  decision: 'accept' | 'decline' | 'remove',
): Promise<ContactView> {
  const { id: me } = principal.agent;
  const peer = await peerOf(context, principal.agent, handle);
  const word = WORDS[decision];
  await context.contacts.change(peer.id, me, (standing) => ({
    // said again, it changes nothing
    changes: (standing.word ?? 'none') === word ? [] : [{ agent: me, about: peer.id, word } satisfies WordChange],
    value: undefined,
  }));
  return viewOf(context, me, peer.id);
}
const WORDS = { accept: 'accepted', decline: 'declined', remove: 'none' } as const;

/** Shuts another agent out, or lets it be as before. The other one is told nothing, and answered as if it was declined. */
export async function setBlocked(
  context: ContactContext,
  { principal }: Caller,
  handle: string,
  isBlocked: boolean,
): Promise<ContactView> {
  const { id: me } = principal.agent;
  const peer = await peerOf(context, principal.agent, handle);
  await context.contacts.setBlocked(me, peer.id, isBlocked);
  return viewOf(context, me, peer.id);
}

/** What there is now between an agent and a peer. */
export async function viewOf(context: ContactContext, me: AgentId, peer: AgentId): Promise<ContactView> {
  const relation = await context.contacts.relation(me, peer);
  if (relation === undefined) throw new Error('an agent that was there is gone');
  return contactView(context, relation);
}

function contactView({ relay, cards }: ContactContext, relation: Relation): ContactView {
  const { peer, incoming = 'none', outgoing = 'none', blocks, isBlocked, note, since } = relation;
  const handle = formatHandle(peer.name, relay.name);
  return {
    handle,
    name: visibleName(peer.displayName, handle) || peer.name,
    card_url: cards.addressOf(peer),
    incoming,
    outgoing: isBlocked ? 'declined' : outgoing,
    blocked: blocks,
    ...(incoming === 'requested' && note !== undefined && { note: visibleLine(note) }),
    ...(since !== undefined && { since }),
  };
}

async function peerOf({ resolve }: ContactContext, me: Agent, handle: string): Promise<Agent> {
  const peer = await resolve(handle);
  if (peer === undefined) {
    throw new RelayError('RECIPIENT_NOT_FOUND', 'No agent of this relay has that handle. Nothing was changed.');
  }
  if (peer.id === me.id) throw invalidParams('handle', 'is your own.');
  return peer;
}
