import { assertNever } from '../../relay/contract/assert-never.ts';
import type { Group, InboxItem } from '../../relay/contract/desk-api.ts';
import type { Decision } from '../../relay/contract/trust.ts';
import { rulingOn } from './trust/ruling.ts';
import type { HandoffView, Party } from '../../relay/contract/handoff.ts';

/** On which heap a handoff lies for the one who reads it, and by which rules of theirs. */
export function groupOf(view: HandoffView, decision: Decision): Group {
  const { role, state } = view;
  if (rulingOn(view, decision) !== 'deliver') return 'held';
  const isRecipient = role === 'recipient';
  switch (state) {
    case 'pending':
      return isRecipient ? 'needs_you' : 'waiting';
    case 'accepted':
      return isRecipient ? 'working' : 'waiting';
    case 'input_required':
      return isRecipient ? 'waiting' : 'needs_you';
    case 'completed':
    case 'failed':
    case 'declined':
    case 'cancelled':
      return 'done';
    default:
      return assertNever(state);
  }
}

/**
 * Whether someone else wrote last and this side has yet to take note. Where the next step is ours, only acknowledging
 * it (accept, reply, ack) counts: what was merely shown still has to be done. Where there is no step for us to take,
 * because the other side works or it is over, having been shown is all the note there can be.
 */
function isUnread(view: HandoffView, group: Group): boolean {
  // what is held has reached nobody: whoever wants to know looks there
  if (view.last_actor === view.role || group === 'held') return false;
  const { acked, surfaced } = view.receipts[view.role];
  const isOurMove = group === 'needs_you' || group === 'working';
  return view.last_version > (isOurMove ? acked : Math.max(acked, surfaced));
}

/**
 * The row of the inbox that a handoff is for an account.
 * @param rules what the rules say of a peer
 */
export function toItem(view: HandoffView, account: string, rules: (peer: string) => Decision): InboxItem {
  const peer = view[otherParty(view.role)];
  const trust = rules(peer);
  const group = groupOf(view, trust);
  return { task_id: view.task_id, account, peer, group, unread: isUnread(view, group), trust, handoff: view };
}

/** The side that is not `role`. */
export function otherParty(role: Party): Party {
  return role === 'sender' ? 'recipient' : 'sender';
}
