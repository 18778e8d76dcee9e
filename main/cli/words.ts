import type { HandoffState } from '../../relay/contract/handoff.ts';

/** How a state reads. */
export const STATE_WORDS: Readonly<Record<HandoffState, string>> = {
  pending: 'pending',
  accepted: 'accepted',
  input_required: 'asks back',
  completed: 'completed',
  failed: 'failed',
  declined: 'declined',
  cancelled: 'cancelled',
};

/** How a receipt reads: how far the other side has got with it. */
export const RECEIPT_WORDS = {
  queued: 'queued: not yet at the other side',
  offered: 'offered: given to a client of the other side',
  surfaced: 'surfaced: shown to the other side',
  acked: 'acked: the other side has read it',
  held: 'held by the other side',
} as const;
