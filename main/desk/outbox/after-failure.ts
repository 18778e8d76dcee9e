import { retryDelay, type BackOff } from '../../../relay/contract/back-off.ts';
import { RelayError, type Reason } from '../../../relay/contract/reasons.ts';
import type { OutboxMark, OutboxRow } from '../store/outbox-store.ts';
import { ConnectionError, describeTrouble } from '../trouble.ts';

/** It may go better another time: the relay, or the way to it, is what stands in the way. */
const PASSING: ReadonlySet<Reason> = new Set([
  'UNAUTHENTICATED',
  'RATE_LIMITED',
  'REQUEST_TIMEOUT',
  'INTERNAL',
  'STORAGE_FAILED',
  'SHUTTING_DOWN',
  'RELAY_UNREACHABLE',
]);

/**
 * What becomes of a row that could not be sent. It goes back to whoever wrote it where no other time is better, and where the
 * relay gives a reason that we do not know. Pure; throws what is a fault of ours.
 * @param now milliseconds since the epoch
 * @param random in [0, 1)
 */
export function afterFailure(
  row: Pick<OutboxRow, 'peer' | 'attempts'>,
  error: unknown,
  { now, random, timing }: { readonly now: number; readonly random: number; readonly timing: BackOff },
): OutboxMark {
  const attempts = row.attempts + 1;
  const again = { attempts, next_at: now + retryDelay(row.attempts, random, timing) };
  if (error instanceof ConnectionError) {
    const reason = `The relay cannot be reached (${describeTrouble(error.trouble)}). It is sent when it is back.`;
    return { state: 'waiting_relay', reason, ...again };
  }
  if (!(error instanceof RelayError)) throw error;
  const { reason: name, message: reason } = error;
  if (name === 'CONTACT_REQUESTED') return { state: 'waiting_contact', reason: asked(row.peer), attempts };
  if (name === 'LOOP_STOPPED') return { state: 'needs_human', reason, attempts };
  const isPassing = PASSING.has(name) && error.metadata['relay_reason'] === undefined;
  return isPassing ? { state: 'waiting_relay', reason, ...again } : { state: 'returned', reason, attempts };
}

/** Why something waits for a contact. */
export function asked(peer: string): string {
  return `${peer} does not know you yet, and was asked. It is sent as soon as they accept.`;
}
