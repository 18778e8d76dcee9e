import type { CardBook } from '../cards/card-book.ts';
import type { Engine } from '../handoffs/engine.ts';
import { partyOf } from '../handoffs/engine.ts';
import type { Handles } from '../handoffs/project.ts';
import { formatHandle } from '../contract/handle.ts';
import type { Author, Party } from '../contract/handoff.ts';
import type { Hub } from '../hub/hub.ts';
import type { Presence } from '../hub/presence.ts';
import type { Authenticator, Principal } from '../identity/authenticate.ts';
import type { KeyEnds } from '../identity/key-ends.ts';
import { isAllowedAs } from '../identity/scopes.ts';
import type { Push } from '../notify/push.ts';
import type { WebhookGuard } from '../notify/webhook-guard.ts';
import type { Agent, AgentId, ContactStore, Directory, Handoff, PushStore, TaskLog } from '../store/ports.ts';
import type { PairContextId } from './context-id.ts';

/** What the operations stand on. Built once, in relay/server.ts. */
export interface RelayContext {
  readonly relay: { readonly id: string; readonly name: string };
  readonly log: TaskLog;
  readonly engine: Engine;
  readonly hub: Hub;
  readonly presence: Presence;
  readonly directory: Pick<Directory, 'agentById' | 'searchAgents'>;
  readonly cards: CardBook;
  /** A handle of this relay to its agent. */
  readonly resolve: (handle: string) => Promise<Agent | undefined>;
  readonly contacts: ContactStore;
  readonly webhooks: Webhooks;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** A UUIDv7 that is greater than every one before it. */
  readonly newId: () => string;
  readonly pairContextId: PairContextId;
  /** Asks again whether a caller may act, after something that took its time. */
  readonly confirm: Authenticator['confirm'];
  /** Which keys have ended: what is open with one ends, too. */
  readonly keyEnds: Pick<KeyEnds, 'on'>;
  /** Who was removed from the relay while it runs. */
  readonly removals: Pick<ReadonlySet<AgentId>, 'has'>;
  /** Notes that a call waits. Call what it returns when the call waits no more. */
  readonly noteWaiting: () => () => void;
  /** How long a blocking SendMessage waits, milliseconds. */
  readonly blockMs: number;
  /** Aborts when the relay begins to stop: whoever waits is answered with what there is. */
  readonly stopping: AbortSignal;
  /** False under `--open-profile`, for kits that reuse ids. */
  readonly idempotency: boolean;
}

/** What push notifications stand on. */
export interface Webhooks {
  readonly guard: Pick<WebhookGuard, 'complaint'>;
  readonly store: PushStore;
  readonly push: Pick<Push, 'follow' | 'forget'>;
}

/** Who calls, and at whose door. */
export interface Call {
  readonly principal: Principal;
  /** The agent whose endpoint was called; undefined at the relay-wide one. */
  readonly endpoint?: Agent;
  /** URIs of the extensions that the caller says it knows (A2A 1.0.1 section 3.2.6). */
  readonly extensions?: ReadonlySet<string>;
  /** Aborts when the caller leaves. */
  readonly signal: AbortSignal;
}

/**
 * The side from which a call may see a handoff; undefined where it may not. An agent's endpoint holds the handoffs that
 * were sent to that agent, the relay-wide one all that the caller is a party to; of these, a key shows those of the side
 * that it is for.
 */
export function visibleAs(handoff: Handoff, { principal, endpoint }: Call): Party | undefined {
  if (endpoint !== undefined && handoff.recipient !== endpoint.id) return undefined;
  const party = partyOf(handoff, principal.agent.id);
  return party !== undefined && isAllowedAs(principal.scopes, party) ? party : undefined;
}

/** A desk is believed what it says of the surface that wrote; everybody else is `a2a`. */
export function authorOf({ principal }: Call, claimed: Author | undefined): Author {
  return principal.agent.kind === 'desk' ? (claimed ?? 'a2a') : 'a2a';
}

/** The handles of both sides, as they stand in views. */
export async function handlesOf(
  context: Pick<RelayContext, 'relay' | 'directory'>,
  handoff: Handoff,
): Promise<Handles> {
  const [sender, recipient] = await Promise.all([
    context.directory.agentById(handoff.sender),
    context.directory.agentById(handoff.recipient),
  ]);
  return {
    sender: formatHandle(sender?.name ?? 'unknown', context.relay.name),
    recipient: formatHandle(recipient?.name ?? 'unknown', context.relay.name),
  };
}
