import { assertNever } from '../../relay/contract/assert-never.ts';
import type { Group, InboxItem } from '../../relay/contract/desk-api.ts';
import type { HandoffView, Party } from '../../relay/contract/handoff.ts';

/** On which heap a handoff lies for the one who reads it. */
export function groupOf({ role, state }: Pick<HandoffView, 'role' | 'state'>): Group {
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
export function isUnread(view: HandoffView): boolean {
  if (view.last_actor === view.role) return false;
  const { acked, surfaced } = view.receipts[view.role];
  const group = groupOf(view);
  const isOurMove = group === 'needs_you' || group === 'working';
  return view.last_version > (isOurMove ? acked : Math.max(acked, surfaced));
}

/** The row of the inbox that a handoff is for an account. */
export function toItem(view: HandoffView, account: string): InboxItem {
  return {
    task_id: view.task_id,
    account,
    peer: view[otherParty(view.role)],
    group: groupOf(view),
    unread: isUnread(view),
    handoff: view,
  };
}

/** The side that is not `role`. */
export function otherParty(role: Party): Party {
  return role === 'sender' ? 'recipient' : 'sender';
}
