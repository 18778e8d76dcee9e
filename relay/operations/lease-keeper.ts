import { MAX_LEASE_S } from '../contract/lease.ts';
import { RelayError } from '../contract/reasons.ts';
import type { Engine } from '../handoffs/engine.ts';
import { expire, lapse, type LeasePolicy } from '../handoffs/lease.ts';
import type { Attendance } from '../hub/attendance.ts';
import { createWaiters, type Listener } from '../hub/waiters.ts';
import type { AgentId, Leases, TaskLog } from '../store/ports.ts';

export interface LeaseKeeperOptions {
  readonly log: TaskLog;
  readonly leases: Leases;
  readonly engine: Engine;
  readonly attendance: Pick<Attendance, 'enter'>;
  readonly policy: LeasePolicy;
  /**
   * So long after the start, and after the process stood still, nothing is given up: while the relay was away, no worker
   * could renew. Milliseconds.
   */
  readonly graceMs: number;
  /** The engine's steady clock, milliseconds since the epoch. */
  readonly steady: () => number;
  /** In [0, 1). */
  readonly random: () => number;
  /** Something else than the store being closed went wrong. It is tried again. */
  readonly onFault: (error: unknown) => void;
}

/** Looks after the leases of all workers: one timer for whatever is due next, however many there are. */
export interface LeaseKeeper {
  /** Rung when there may be something to lease for an agent. */
  listen(agent: AgentId): Listener;
  /** A lease of this agent was granted, renewed or given back. */
  changed(agent: AgentId): void;
  /** Resolves when nothing is under way any more. */
  close(): Promise<void>;
}

/** Before what went wrong is tried again, milliseconds. */
const FAULT_MS = 1000;
/** A look that comes so much later than it was set for shows that the process stood still: the machine slept. */
const LATE_MS = 2_000;
/** There is a look so often whatever happens: an answer makes old work begin anew, and tells nobody here. */
const LONGEST_MS = 3_600_000;

export function createLeaseKeeper(options: LeaseKeeperOptions): LeaseKeeper {
  const { log, leases, engine, attendance, policy, graceMs, steady, random } = options;
  const waiting = createWaiters<AgentId>();
  /** Agents of which a worker is at work: they are there, though nothing of theirs is connected. */
  const busy = new Map<AgentId, () => void>();
  /** When the next grace is over. */
  let startsAt = steady() + graceMs;
  /** Up to when those who waited have been told. */
  let toldUpTo = steady();
  /** When the next look is to be. */
  let expectedAt = Infinity;
  let isBounded = false;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  let isNews = false;
  let looking: Promise<void> | undefined;

  const unsubscribe = log.onCommit((commits) => {
    for (const { handoff, events } of commits) {
      waiting.wake(handoff.recipient);
      // it may have been what a worker was at
      if (busy.has(handoff.recipient) && events.some(({ kind }) => kind === 'status')) look();
    }
  });

  /** One look at a time; what changes meanwhile is looked at afterwards. */
  function look(): void {
    isNews = true;
    looking ??= lookWhileNews();
  }

  async function lookWhileNews(): Promise<void> {
    while (isNews && !isClosed) {
      isNews = false;
      clearTimeout(timer);
      const delay = await lookOnce().catch((error: unknown) => {
        if (!isShuttingDown(error)) options.onFault(error);
        return FAULT_MS;
      });
      if (isClosed) break;
      timer = setTimeout(look, delay);
      expectedAt = steady() + delay;
    }
    // in the turn of the last check, so that no news comes between
    looking = undefined;
  }

  /** Does what is due. Returns in how many milliseconds something will be. */
  async function lookOnce(): Promise<number> {
    const now = steady();
    if (now - expectedAt > LATE_MS) startsAt = now + graceMs;
    expectedAt = Infinity;
    await bound(now);
    for (const { taskId, agent, state } of await leases.due(toldUpTo, now)) {
      if (state === 'running') {
        if (now < startsAt) continue;
        await engine.actOnLease(taskId, 'relay', (handoff, lease, moment) =>
          lapse(handoff, lease, policy, { ...moment, random: random() }),
        );
      }
      waiting.wake(agent);
    }
    toldUpTo = now;
    if (now >= startsAt) {
      for (const taskId of await leases.waitingSince(now - policy.maxAgeMs)) {
        await engine.actOnLease(taskId, 'relay', (handoff, lease, moment) => expire(handoff, lease, policy, moment));
      }
    }
    await meetBusy();
    const { runsOut, waited, since } = await leases.nextDue(now);
    const next = Math.min(waited, Math.max(startsAt, Math.min(runsOut, since + policy.maxAgeMs)));
    return Math.min(Math.max(next - now, 0), LONGEST_MS);
  }

  /** The clock may have been put back while the relay was away: what it wrote then must not be waited for. */
  async function bound(now: number): Promise<void> {
    if (isBounded) return;
    await leases.bound(now, { runningMs: MAX_LEASE_S * 1000, waitingMs: policy.lastRetryMs });
    isBounded = true;
  }

  async function meetBusy(): Promise<void> {
    const now = new Set(await leases.busy());
    for (const [agent, leave] of busy) {
      if (now.has(agent)) continue;
      busy.delete(agent);
      leave();
    }
    for (const agent of now) if (!busy.has(agent)) busy.set(agent, attendance.enter(agent));
  }

  look();
  return {
    listen: waiting.listen,
    changed(agent) {
      waiting.wake(agent);
      look();
    },
    async close() {
      isClosed = true;
      unsubscribe();
      clearTimeout(timer);
      await looking;
    },
  };
}

function isShuttingDown(error: unknown): boolean {
  return error instanceof RelayError && error.reason === 'SHUTTING_DOWN';
}
