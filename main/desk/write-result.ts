import type { Written } from '../../relay/contract/desk-api.ts';
import type { HandoffView } from '../../relay/contract/handoff.ts';
import { otherParty } from './grouping.ts';

/**
 * What a write answers. It is `queued`, and says why, when the relay has it and cannot hand it on for now.
 * @param view the handoff after the write
 * @param isPeerOffline whether the relay said that the other side is not connected
 */
export function toWriteResult(view: HandoffView, isPeerOffline: boolean): Written {
  const receipt = receiptOf(view);
  const written = { task_id: view.task_id, version: view.last_version, state: view.state, receipt };
  if (receipt !== 'queued' || !isPeerOffline) return { status: 'sent', ...written };
  const peer = view[otherParty(view.role)];
  return { status: 'queued', reason: `${peer} is not connected. It is delivered when ${peer} connects.`, ...written };
}

/** How far the other side has got with the newest thing in the thread. */
export function receiptOf(view: HandoffView): Written['receipt'] {
  const { offered, surfaced, acked, held } = view.receipts[otherParty(view.role)];
  const written = view.last_version;
  if (acked >= written) return 'acked';
  if (surfaced >= written) return 'surfaced';
  if (held) return 'held';
  return offered >= written ? 'offered' : 'queued';
}
