import { assertNever } from '../../relay/contract/assert-never.ts';
import type { InboxItem, OfflinePeer } from '../../relay/contract/desk-api.ts';
import type { HandoffView, Intent } from '../../relay/contract/handoff.ts';
import { visibleLine } from '../../relay/contract/plain-text.ts';
import type { IconName } from '../components/icon-paths.tsx';
import { otherSide } from '../state/item.ts';
import { clockTime } from './time.ts';
import { heldShortly } from './trust.ts';

/** Colour role of a state (renderer/styles/tokens.css). A glyph's shape and the words always say the same. */
export type Tone = 'needs' | 'working' | 'held' | 'failed' | 'done' | 'faint';

/** How a state looks. */
export interface Look {
  readonly icon: IconName;
  readonly tone: Tone;
}

/** What the sender wants, after its handle: "frank@acme proposes an action". */
export function intentWords(intent: Intent): string {
  switch (intent) {
    case 'propose_action':
      return 'proposes an action';
    case 'ask_question':
      return 'asks a question';
    case 'inform':
      return 'informs';
    default:
      return assertNever(intent);
  }
}

/** Where a handoff stands, after the handle of the other side: "frank@acme accepted, working". */
export function stateWords(item: InboxItem, absence: OfflinePeer | undefined, now: number, zone?: string): string {
  const { handoff, unread } = item;
  if (item.group === 'held') return heldShortly(item);
  if (handoff.role === 'recipient') return asRecipient(handoff, unread);
  const queued = absence === undefined ? 'queued' : `queued, ${absenceWords(absence, now, zone)}`;
  return asSender(handoff, unread, queued);
}

/** Nobody says since when a peer is away that was away before the desk came. */
function absenceWords({ since }: OfflinePeer, now: number, zone?: string): string {
  return since === undefined ? 'not connected' : `offline since ${clockTime(since, now, zone)}`;
}

function asRecipient(handoff: HandoffView, unread: boolean): string {
  const { state, intent, last_actor: last } = handoff;
  const wrote = unread && last === 'sender';
  switch (state) {
    case 'pending':
      if (last === 'recipient') return 'you replied, not accepted yet';
      return intent === 'inform' ? 'informs you' : intent === undefined ? 'hands this to you' : intentWords(intent);
    case 'accepted':
      return wrote ? 'wrote a message' : 'you accepted, working';
    case 'input_required':
      return wrote ? 'wrote a message' : 'you asked, no answer yet';
    case 'completed':
      return 'you completed it';
    case 'failed':
      return last === 'relay' ? 'failed, the relay gave up' : 'you reported failure';
    case 'declined':
      return 'you declined';
    case 'cancelled':
      return 'cancelled it';
    default:
      return assertNever(state);
  }
}

function asSender(handoff: HandoffView, unread: boolean, queued: string): string {
  const { state, last_actor: last } = handoff;
  const wrote = unread && last === 'recipient';
  switch (state) {
    case 'pending':
      return wrote ? 'wrote a message, not accepted yet' : reachedWords(handoff, queued);
    case 'accepted':
      return wrote ? 'wrote a message' : 'accepted, working';
    case 'input_required':
      return 'asks you';
    case 'completed':
      return 'completed';
    case 'failed':
      return last === 'relay' ? 'failed, the relay gave up' : 'failed';
    case 'declined':
      return 'declined';
    case 'cancelled':
      return 'you cancelled';
    default:
      return assertNever(state);
  }
}

/** How far the other side has got with what was written last. */
function reachedWords({ receipts, role, last_version: written }: HandoffView, queued: string): string {
  const { acked, surfaced, offered, held } = receipts[otherSide(role)];
  if (acked >= written) return 'acked, not accepted yet';
  if (held) return 'held; a person there decides';
  if (surfaced >= written) return 'shown, not answered yet';
  return offered >= written ? 'offered, not shown yet' : queued;
}

/** The glyph of a row: what needs the reader comes before what state it is in. */
export function rowLook(item: InboxItem): Look {
  switch (item.group) {
    case 'needs_you':
      return { icon: 'needs', tone: 'needs' };
    case 'held':
      return { icon: 'held', tone: 'held' };
    case 'working':
    case 'waiting':
    case 'done':
      return stateLook(item.handoff);
    default:
      return assertNever(item.group);
  }
}

/** The badge of an open thread. */
export function stateBadge(item: InboxItem): Look & { readonly text: string } {
  const { handoff, group } = item;
  if (group === 'held') return { ...rowLook(item), text: 'Held' };
  return { ...(handoff.state === 'accepted' ? stateLook(handoff) : rowLook(item)), text: stateName(handoff) };
}

function stateLook({ state, role, receipts }: HandoffView): Look {
  switch (state) {
    case 'pending':
      return receipts[otherSide(role)].held ? { icon: 'held', tone: 'held' } : { icon: 'queued', tone: 'faint' };
    case 'accepted':
      return { icon: 'working', tone: 'working' };
    case 'input_required':
      return { icon: 'queued', tone: 'faint' };
    case 'completed':
      return { icon: 'done', tone: 'done' };
    case 'failed':
      return { icon: 'failed', tone: 'failed' };
    case 'declined':
    case 'cancelled':
      return { icon: 'declined', tone: 'done' };
    default:
      return assertNever(state);
  }
}

/** A state by its name, for the reader's side. */
export function stateName({ state, role }: Pick<HandoffView, 'state' | 'role'>): string {
  switch (state) {
    case 'pending':
      return 'Pending';
    case 'accepted':
      return 'Accepted';
    case 'input_required':
      return role === 'sender' ? 'Waits for your answer' : 'Waits for an answer';
    case 'completed':
      return 'Completed';
    case 'failed':
      return 'Failed';
    case 'declined':
      return 'Declined';
    case 'cancelled':
      return 'Cancelled';
    default:
      return assertNever(state);
  }
}

/** Why a closed thread takes nothing more. */
export function closedWords({ handoff, peer }: InboxItem): string {
  const mine = handoff.role === 'recipient';
  switch (handoff.state) {
    case 'completed':
      return mine ? 'You completed this. It is read-only now.' : `${peer} completed this. It is read-only now.`;
    case 'failed':
      if (handoff.last_actor === 'relay') return 'The relay gave up on this. It is read-only now.';
      return mine
        ? 'You reported that this failed. It is read-only now.'
        : `${peer} reported that this failed. It is read-only now.`;
    case 'declined':
      return mine ? 'You declined this. It is read-only now.' : `${peer} declined this. It is read-only now.`;
    case 'cancelled':
      return mine ? `${peer} cancelled this. It is read-only now.` : 'You cancelled this. It is read-only now.';
    case 'pending':
    case 'accepted':
    case 'input_required':
      return '';
    default:
      return assertNever(handoff.state);
  }
}

/** What a screen reader hears when something arrives. */
export function arrivalWords(item: InboxItem): string {
  // it has just arrived: nothing in it depends on the time
  return `${item.peer} ${stateWords(item, undefined, item.handoff.updated_at)}: ${visibleLine(item.handoff.summary)}`;
}
