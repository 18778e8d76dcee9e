import { TERMINAL_STATES, type HandoffView } from '../../../relay/contract/handoff.ts';
import type { Decision } from '../../../relay/contract/trust.ts';

/**
 * What is done with a handoff by what the rules say of its peer. What has just come is delivered, held or declined. Once it
 * was taken on, or is one of ours, a person has decided about it: it is held only where nothing of the peer may come through,
 * because it is blocked or the rules cannot be read. What is over is only a record.
 */
export function rulingOn(view: HandoffView, { action, layer }: Decision): Decision['action'] {
  if (TERMINAL_STATES.has(view.state)) return 'deliver';
  if (view.role === 'recipient' && view.state === 'pending') return action;
  return layer === 'blocked' || layer === 'unusable' ? 'hold' : 'deliver';
}

/**
 * Whether a handoff is kept from coding agents, over or not: its peer is blocked, the rules cannot be read, or they hold or
 * reject what comes of the peer and nobody has taken it on. Withdrawing it, say, lets no word of it through.
 */
export function isHidden(view: HandoffView, { action, layer }: Decision): boolean {
  if (layer === 'blocked' || layer === 'unusable') return true;
  return action !== 'deliver' && view.role === 'recipient' && NEVER_TAKEN_ON.has(view.state);
}
const NEVER_TAKEN_ON: ReadonlySet<HandoffView['state']> = new Set(['pending', 'declined', 'cancelled']);
