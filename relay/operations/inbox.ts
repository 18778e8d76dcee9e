import type { InboxContact } from '../contract/contact.ts';
import type { InboxHandoff, InboxPresence } from '../contract/event-schema.ts';
import { formatHandle } from '../contract/handle.ts';
import {
  handoffStateSchema,
  TERMINAL_STATES,
  type HandoffView,
  type Party,
  type ThreadEvent,
} from '../contract/handoff.ts';
import { eventMessage, handoffView } from '../handoffs/project.ts';
import { notFound } from '../handoffs/engine.ts';
import { sideOf } from '../identity/scopes.ts';
import type { AgentId, Handoff } from '../store/ports.ts';
import { viewOf } from './contacts.ts';
import { handlesOf, visibleAs, type Call, type RelayContext } from './context.ts';
import { isOffer } from './offered.ts';
import type { Peers, PeerState } from './peers.ts';
import { noteReceipt } from './update.ts';

/** A frame of the inbox stream (docs/extension.md, Inbox stream). */
export type InboxFrame =
  | { readonly event: 'resync'; readonly data: { readonly cursor: string } }
  | { readonly event: 'handoff'; readonly id: string; readonly data: InboxHandoff }
  | { readonly event: 'contact'; readonly id: string; readonly data: InboxContact }
  | { readonly event: 'presence'; readonly data: InboxPresence };

/** Newest open handoffs whose other side counts as a peer from the start. */
const PEERS_AT_START = 200;
const OPEN_STATES = handoffStateSchema.options.filter((state) => !TERMINAL_STATES.has(state));

/**
 * What an agent's desk has to see, after `lastEventId` (`<store epoch>-<feed_seq>`). Without one, with one of another
 * store, or one that is ahead of this store, a `resync` comes first: list everything, then apply what follows.
 * What has been handed over is noted as offered. Of each peer, the other side of something open or new, it is told once
 * whether they are there; what changes about that is for `presenceFrames`.
 */
export async function* inboxFrames(
  context: RelayContext,
  call: Call,
  lastEventId: string | undefined,
  peers: Peers,
): AsyncGenerator<InboxFrame, void, void> {
  const { agent, scopes } = call.principal;
  const side = sideOf(scopes);
  const { epoch } = context.log;
  const { head } = await context.log.readFeed(agent.id, 0, 0);
  const known = readCursor(lastEventId, epoch, head);
  if (known === undefined) yield { event: 'resync', data: { cursor: `${epoch}-${head}` } };
  const { handoffs } = await context.log.list({
    viewer: agent.id,
    ...(side === undefined ? {} : { role: side }),
    states: OPEN_STATES,
    limit: PEERS_AT_START,
    countTotal: false,
  });
  for (const handoff of handoffs) {
    const met = peers.meet(otherParty(handoff, agent.id));
    if (met !== undefined) yield await presenceFrame(context, met);
  }
  let failure: unknown;
  const offered = (taskId: string, version: number): void => {
    noteReceipt(context, call, { taskId, version, state: 'offered' }).catch((error: unknown) => {
      failure ??= error;
    });
  };
  for await (const entry of context.hub.followFeed(agent.id, known ?? head, call.signal)) {
    if (entry.kind === 'contact') {
      if (!scopes.includes('contacts')) continue;
      yield { event: 'contact', id: `${epoch}-${entry.seq}`, data: await viewOf(context, agent.id, entry.peer) };
      continue;
    }
    const step = await context.hub.step(entry.taskId, entry.version);
    const party = step && visibleAs(step.handoff, call);
    if (step === undefined || party === undefined) continue;
    const { handoff, event } = step;
    const data = {
      task_id: handoff.id,
      version: event.version,
      ...(await handoffAndEvent(context, handoff, event, party)),
    };
    yield { event: 'handoff', id: `${epoch}-${entry.seq}`, data };
    // the consumer came back for more: the frame has left, unless the reader had left before
    if (call.signal.aborted) return;
    if (failure !== undefined) throw failure;
    // the next frame does not wait for that: notes of one turn share one commit
    if (isOffer(handoff, event, party)) offered(handoff.id, event.version);
    const met = peers.meet(otherParty(handoff, agent.id));
    if (met !== undefined) yield await presenceFrame(context, met);
  }
}

/** Who of the peers comes and goes. */
export async function* presenceFrames(
  context: RelayContext,
  peers: Peers,
  signal: AbortSignal,
): AsyncGenerator<InboxFrame, void, void> {
  for await (const state of peers.changes(signal)) yield await presenceFrame(context, state);
}

async function presenceFrame({ directory, relay }: RelayContext, { peer, online }: PeerState): Promise<InboxFrame> {
  const agent = await directory.agentById(peer);
  return { event: 'presence', data: { handle: formatHandle(agent?.name ?? 'unknown', relay.name), online } };
}

function otherParty(handoff: Handoff, agent: AgentId): AgentId {
  return handoff.sender === agent ? handoff.recipient : handoff.sender;
}

/** `GET /v1/tasks/{id}/events`: the log of a thread, as one party sees it. */
export async function threadPage(
  context: RelayContext,
  call: Call,
  request: { readonly id: string; readonly after: number; readonly limit: number },
): Promise<{ readonly handoff: HandoffView; readonly events: readonly ThreadEvent[]; readonly more: boolean }> {
  const page = await context.log.readTask(request.id, request.after, request.limit);
  const party = page && visibleAs(page.handoff, call);
  if (page === undefined || party === undefined) throw notFound(request.id);
  const { handoff, events, more } = page;
  return {
    handoff: handoffView(handoff, await handlesOf(context, handoff), party),
    events: events.map((event) => viewEvent(handoff, event, party)),
    more,
  };
}

async function handoffAndEvent(
  context: RelayContext,
  handoff: Handoff,
  event: ThreadEvent,
  party: Party,
): Promise<Pick<InboxHandoff, 'handoff' | 'event'>> {
  const handles = await handlesOf(context, handoff);
  return { handoff: handoffView(handoff, handles, party), event: viewEvent(handoff, event, party) };
}

/** An event with its message in wire form, and without what only the recipient may know. */
function viewEvent(handoff: Handoff, event: ThreadEvent, party: Party): ThreadEvent {
  if (event.kind === 'artifact' || event.kind === 'receipt') return event;
  const message = event.message && eventMessage(handoff, event);
  const seen = message === undefined ? event : { ...event, message };
  if (seen.kind !== 'status' || party === 'recipient') return seen;
  const { sessionId: _private, ...rest } = seen;
  return rest;
}

function readCursor(text: string | undefined, epoch: string, head: number): number | undefined {
  const [of, seq, ...rest] = (text ?? '').split('-');
  if (of !== epoch || seq === undefined || rest.length > 0 || !/^\d{1,15}$/.test(seq)) return undefined;
  const known = Number(seq);
  return known > head ? undefined : known;
}
