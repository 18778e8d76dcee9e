import { TERMINAL_STATES } from '../contract/handoff.ts';
import type { Handoff } from '../store/ports.ts';
import type { Call, RelayContext } from './context.ts';
import { onAbort } from './on-abort.ts';

/** Whether a stream or a blocking call has nothing more to wait for: closed, or it needs input. */
export function isSettled(handoff: Handoff): boolean {
  return TERMINAL_STATES.has(handoff.state) || handoff.state === 'input_required';
}

/**
 * Waits until a handoff is settled. Returns at once when nobody is there who could settle it, or when the recipient's
 * rules hold it; and in any case after the relay's own limit, when the caller leaves or its key ends, or when the relay
 * stops. One timer a waiter, no polling.
 * @returns whether it waited, so that the handoff may have changed
 */
export async function settled(
  context: RelayContext,
  handoff: Handoff,
  { principal, signal }: Pick<Call, 'principal' | 'signal'>,
): Promise<boolean> {
  const isHopeless = handoff.receipts.recipient.held || !context.presence.isConnected(handoff.recipient);
  if (isSettled(handoff) || isHopeless) return false;
  const watch = context.hub.watch(handoff);
  const timer = setTimeout(watch.close, context.blockMs);
  const forget = [
    context.presence.enter(handoff.sender),
    context.noteWaiting(),
    context.keyEnds.on(principal.keyId, watch.close),
    ...[signal, context.stopping].map((signal) => onAbort(signal, watch.close)),
  ];
  try {
    for (let steps = await watch.next(); steps.length > 0; steps = await watch.next()) {
      if (steps.some((step) => isSettled(step.handoff) || step.handoff.receipts.recipient.held)) break;
    }
    return true;
  } finally {
    watch.close();
    clearTimeout(timer);
    for (const forgetOne of forget) forgetOne();
  }
}
