import { TERMINAL_STATES } from '../contract/handoff.ts';
import type { Handoff } from '../store/ports.ts';
import type { RelayContext } from './context.ts';

/** Whether a stream or a blocking call has nothing more to wait for: closed, or it needs input. */
export function isSettled(handoff: Handoff): boolean {
  return TERMINAL_STATES.has(handoff.state) || handoff.state === 'input_required';
}

/**
 * Waits until a handoff is settled. Returns at once when nobody is there who could settle it, or when the recipient's
 * rules hold it; and in any case after the relay's own limit, or when the caller leaves. One timer a waiter, no polling.
 * @returns whether it waited, so that the handoff may have changed
 */
export async function settled(context: RelayContext, handoff: Handoff, caller: AbortSignal): Promise<boolean> {
  const isHopeless = handoff.receipts.recipient.held || !context.presence.isConnected(handoff.recipient);
  if (isSettled(handoff) || isHopeless) return false;
  const leave = context.presence.enter(handoff.sender);
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), context.blockMs);
  const stop = (): void => limit.abort();
  caller.addEventListener('abort', stop);
  if (caller.aborted) stop();
  try {
    for await (const step of context.hub.follow(handoff, limit.signal)) {
      if (isSettled(step.handoff) || step.handoff.receipts.recipient.held) break;
    }
    return true;
  } finally {
    // also frees what the cursor still waits for
    limit.abort();
    clearTimeout(timer);
    caller.removeEventListener('abort', stop);
    leave();
  }
}
