import { TERMINAL_STATES } from '../contract/handoff.ts';
import type { Handoff } from '../store/ports.ts';
import type { RelayContext } from './context.ts';
import { onAbort } from './on-abort.ts';

/** Whether a stream or a blocking call has nothing more to wait for: closed, or it needs input. */
export function isSettled(handoff: Handoff): boolean {
  return TERMINAL_STATES.has(handoff.state) || handoff.state === 'input_required';
}

/**
 * Waits until a handoff is settled. Returns at once when nobody is there who could settle it, or when the recipient's
 * rules hold it; and in any case after the relay's own limit, when the caller leaves, or when the relay stops. One timer
 * a waiter, no polling.
 * @returns whether it waited, so that the handoff may have changed
 */
export async function settled(context: RelayContext, handoff: Handoff, caller: AbortSignal): Promise<boolean> {
  const isHopeless = handoff.receipts.recipient.held || !context.presence.isConnected(handoff.recipient);
  if (isSettled(handoff) || isHopeless) return false;
  const leave = context.presence.enter(handoff.sender);
  const limit = new AbortController();
  const stop = (): void => limit.abort();
  const timer = setTimeout(stop, context.blockMs);
  const forget = [caller, context.stopping].map((signal) => onAbort(signal, stop));
  try {
    for await (const step of context.hub.follow(handoff, limit.signal)) {
      if (isSettled(step.handoff) || step.handoff.receipts.recipient.held) break;
    }
    return true;
  } finally {
    // also frees what the cursor still waits for
    stop();
    clearTimeout(timer);
    for (const forgetOne of forget) forgetOne();
    leave();
  }
}
