import type { Party, ThreadEvent } from '../contract/handoff.ts';
import type { AgentId, Handoff } from '../store/ports.ts';
import type { Call, RelayContext } from './context.ts';
import type { Seen } from './read-task.ts';
import { noteReceipt } from './update.ts';

/**
 * Whether a reader that has been handed an event has been offered something by it. Of an artifact in chunks, the first
 * and the last one count: a note for each would double the log.
 */
export function isOffer(handoff: Handoff, event: ThreadEvent, reader: Party): boolean {
  if (event.kind === 'receipt' || event.actor === reader) return false;
  if (event.kind === 'artifact' && event.append && !event.lastChunk) return false;
  return handoff.receipts[reader].offered < event.version;
}

/** Notes the newest words of the other side as offered to a caller that is answered with the task as it stands. */
export function offerAll(context: RelayContext, call: Call, { handoff, party }: Seen): void {
  const { lastActor, lastVersion, receipts } = handoff;
  if (lastActor !== party && receipts[party].offered < lastVersion) offer(context, call, handoff.id, lastVersion);
}

/** Notes what came with a frame as offered to the caller that has taken the frame. */
export function offerEvent(context: RelayContext, call: Call, handoff: Handoff, event: ThreadEvent, to: Party): void {
  if (isOffer(handoff, event, to)) offer(context, call, handoff.id, event.version);
}

/** Nobody waits for the note. One that cannot be stored is made up for by the next one. */
function offer(context: RelayContext, call: Call, taskId: string, version: number): void {
  if (call.signal.aborted) return;
  noteReceipt(context, call, { taskId, version, state: 'offered' }).catch(() => undefined);
}

/** Notes what a webhook of an agent has taken as offered to that agent. */
export function offerPushed(
  { engine }: Pick<RelayContext, 'engine'>,
  { handoff, event, party }: { readonly handoff: Handoff; readonly event: ThreadEvent; readonly party: Party },
  agent: AgentId,
): void {
  if (!isOffer(handoff, event, party)) return;
  const receipt = { type: 'receipt', actor: party, author: 'a2a', state: 'offered', upTo: event.version } as const;
  engine.act(handoff.id, agent, () => [receipt]).catch(() => undefined);
}
