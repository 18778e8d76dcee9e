import { retryDelay, type BackOff } from '../contract/back-off.ts';
import { TERMINAL_STATES, type Author } from '../contract/handoff.ts';
import { RelayError } from '../contract/reasons.ts';
import type { Decision, Handoff, Lease } from '../store/ports.ts';
import { carryOut } from './carry-out.ts';
import type { Command } from './command.ts';

/**
 * What becomes of the lease that a worker has of a handoff (docs/explanation/state-machine.md, Workers). Pure: the
 * handoff and its lease go in as they are inside the transaction, what is to be written comes out.
 */

export interface LeasePolicy extends BackOff {
  /** A failure so long after the first attempt is the last one, milliseconds. */
  readonly maxAgeMs: number;
}

/** When something happens, milliseconds since the epoch. */
export interface Moment {
  /** By the relay's clock, for the thread. */
  readonly at: number;
  /** By the steady one (relay/operations/steady-clock.ts), for the lease. */
  readonly now: number;
}

/** A worker that asks for work. */
export interface WorkRequest {
  /** Its own name. */
  readonly worker: string;
  readonly author: Author;
  readonly leaseMs: number;
  /** How many attempts there are before the relay gives up. */
  readonly attempts: number;
}

/**
 * Leases a handoff. A worker that has it already gets it again: its last answer was lost. STATE_CHANGED when it is not, or
 * no longer, to be had.
 */
export function grant(handoff: Handoff, lease: Lease | undefined, request: WorkRequest, { at, now }: Moment): Decision {
  const { worker, author, leaseMs, attempts } = request;
  const by = { actor: 'recipient', author, sessionId: worker } as const;
  const dueAt = now + leaseMs;
  if (lease?.state === 'running' && lease.worker === worker) {
    return { handoff, events: [], lease: { ...lease, dueAt } };
  }
  if (handoff.state === 'pending' && !handoff.receipts.recipient.held) {
    const accept: Command = { type: 'transition', ...by, transition: 'accept' };
    const first: Lease = { worker, state: 'running', dueAt, number: 1, failures: 0, attempts, since: now };
    return { ...carryOut(handoff, [accept], at), lease: first };
  }
  if (handoff.state === 'accepted' && lease?.state === 'waiting' && lease.dueAt <= now) {
    // who goes on with its own work takes nothing over, but has seen what was said in between
    const again: Command =
      lease.worker === worker
        ? { type: 'receipt', actor: 'recipient', author, state: 'acked', upTo: handoff.lastVersion }
        : { type: 'transition', ...by, transition: 'take_over' };
    const next: Lease = { ...lease, worker, state: 'running', dueAt, number: lease.number + 1, attempts };
    return { ...carryOut(handoff, [again], at), lease: next };
  }
  throw new RelayError('STATE_CHANGED', 'Another worker was quicker, or there is nothing to lease any more.');
}

/** Gives a worker more time. LEASE_LOST unless it has the lease. */
export function renew(handoff: Handoff, lease: Lease | undefined, worker: string, dueAt: number): Decision {
  return { handoff, events: [], lease: { ...runningOf(handoff, lease, worker), dueAt } };
}

/** Takes a lease back of which nothing came, by nobody's fault: the attempt does not count. LEASE_LOST as `renew`. */
export function putBack(handoff: Handoff, lease: Lease | undefined, worker: string, now: number): Decision {
  return { handoff, events: [], lease: { ...runningOf(handoff, lease, worker), state: 'waiting', dueAt: now } };
}

/** The next attempt after a failed one comes later, or not at all: then the relay gives up. LEASE_LOST as `renew`. */
export function failAttempt(
  handoff: Handoff,
  lease: Lease | undefined,
  attempt: { readonly worker: string; readonly reason: string },
  policy: LeasePolicy,
  chance: Moment & { readonly random: number },
): Decision {
  return failed(handoff, runningOf(handoff, lease, attempt.worker), attempt.reason, policy, chance);
}

/** A lease that has run out is a failed attempt: what ends its worker each time must not do so for ever. */
export function lapse(
  handoff: Handoff,
  lease: Lease | undefined,
  policy: LeasePolicy,
  chance: Moment & { readonly random: number },
): Decision {
  // renewed or released since it was looked at
  if (lease?.state !== 'running' || lease.dueAt > chance.now) return { handoff, events: [] };
  return failed(handoff, lease, 'The worker stopped without an answer.', policy, chance);
}

/** What waits, and began too long ago, is not waited for any longer: perhaps no worker of this agent ever comes back. */
export function expire(
  handoff: Handoff,
  lease: Lease | undefined,
  { maxAgeMs }: Pick<LeasePolicy, 'maxAgeMs'>,
  moment: Moment,
): Decision {
  // leased again, or asked and answered, since it was looked at
  const isOver = handoff.state === 'accepted' && lease?.state === 'waiting' && moment.now - lease.since >= maxAgeMs;
  return isOver
    ? giveUp(handoff, 'Its worker has left it, and for too long no other one went on with it.', moment)
    : { handoff, events: [] };
}

/** The recipient was removed from the relay: nobody will ever take it up or end it. Changes nothing where it has ended. */
export function abandon(handoff: Handoff, moment: Moment): Decision {
  if (TERMINAL_STATES.has(handoff.state)) return { handoff, events: [] };
  return giveUp(handoff, 'Its recipient was removed from the relay.', moment);
}

/**
 * What a step of a handoff means for its lease. Who ends it or takes it over ends the lease. A question ends the
 * attempt, and all that failed before: it rests, and once it is answered, work begins anew.
 * @param now by the steady clock
 */
export function afterStep(before: Handoff, lease: Lease | undefined, decision: Decision, now: number): Decision {
  if (lease === undefined) return decision;
  const { handoff } = decision;
  if (TERMINAL_STATES.has(handoff.state) || handoff.sessionId !== lease.worker) return { ...decision, lease: 'over' };
  if (handoff.state === before.state) return decision;
  if (handoff.state === 'input_required') {
    return { ...decision, lease: { ...lease, state: 'waiting', dueAt: 0, failures: 0, since: now } };
  }
  return before.state === 'input_required' ? { ...decision, lease: { ...lease, dueAt: now, since: now } } : decision;
}

function failed(
  handoff: Handoff,
  lease: Lease,
  reason: string,
  policy: LeasePolicy,
  { random, ...moment }: Moment & { readonly random: number },
): Decision {
  const { now } = moment;
  const failures = lease.failures + 1;
  if (failures >= lease.attempts || now - lease.since >= policy.maxAgeMs) {
    return giveUp(handoff, `Given up after ${failures} ${failures === 1 ? 'attempt' : 'attempts'}. ${reason}`, moment);
  }
  const dueAt = now + retryDelay(lease.failures, random, policy);
  return { handoff, events: [], lease: { ...lease, state: 'waiting', dueAt, failures } };
}

function giveUp(handoff: Handoff, reason: string, { at }: Moment): Decision {
  const command: Command = { type: 'transition', transition: 'give_up', actor: 'relay', author: 'a2a', reason };
  return { ...carryOut(handoff, [command], at), lease: 'over' };
}

function runningOf(handoff: Handoff, lease: Lease | undefined, worker: string): Lease {
  if (lease?.state === 'running' && lease.worker === worker) return lease;
  throw new RelayError(
    'LEASE_LOST',
    'This worker does not have the handoff, or no longer: its lease ran out, or the handoff moved on. Stop the work on it.',
    { metadata: { state: handoff.state } },
  );
}
