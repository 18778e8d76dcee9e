import { TERMINAL_STATES, type HandoffView } from '../../../relay/contract/handoff.ts';
import type { Decision } from '../../../relay/contract/trust.ts';

/**
 * What is done with a handoff by what the rules say of its peer. What has just come is delivered, held or declined. Once it
 * was taken on, or is one of ours, a person has decided about it: the peer's words are held back only where nothing of that
 * peer may come through, because it is blocked or the rules cannot be read. What is over is only a record.
 */
export function rulingOn(view: HandoffView, { action, layer }: Decision): Decision['action'] {
  if (TERMINAL_STATES.has(view.state)) return 'deliver';
  if (view.role === 'recipient' && view.state === 'pending') return action;
  const hasLastWord = view.last_actor !== view.role && view.last_actor !== 'relay';
  return hasLastWord && (layer === 'blocked' || layer === 'unusable') ? 'hold' : 'deliver';
}
