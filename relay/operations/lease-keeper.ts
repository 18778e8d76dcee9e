import { RelayError } from '../contract/reasons.ts';
import type { Engine } from '../handoffs/engine.ts';
import { lapse, type LeasePolicy } from '../handoffs/lease.ts';
import type { Attendance } from '../hub/attendance.ts';
import { createWaiters, type Listener } from '../hub/waiters.ts';
import type { AgentId, Leases, TaskLog } from '../store/ports.ts';

export interface LeaseKeeperOptions {
  readonly log: TaskLog;
  readonly leases: Leases;
  readonly engine: Engine;
  readonly attendance: Pick<Attendance, 'enter'>;
  readonly policy: LeasePolicy;
  /** So long after the start no lease runs out: while the relay was away, no worker could renew. Milliseconds. */
  readonly graceMs: number;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
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
/** The longest time that a timer of Node can be set to, milliseconds. */
const MAX_TIMER_MS = 2_147_483_647;

export function createLeaseKeeper(options: LeaseKeeperOptions): LeaseKeeper {
  const { log, leases, engine, attendance, policy, clock, random } = options;
  const waiting = createWaiters<AgentId>();
  /** Agents of which a worker is at work: they are there, though nothing of theirs is connected. */
  const busy = new Map<AgentId, () => void>();
  const startsAt = clock() + options.graceMs;
  /** Up to when those who waited have been told. */
  let toldUpTo = clock();
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
      if (!isClosed) timer = setTimeout(look, Math.min(delay, MAX_TIMER_MS));
    }
    // in the turn of the last check, so that no news comes between
    looking = undefined;
  }

  /** Does what is due. Returns in how many milliseconds something will be. */
  async function lookOnce(): Promise<number> {
    const now = clock();
    for (const { taskId, agent, state } of await leases.due(toldUpTo, now)) {
      if (state === 'running') {
        if (now < startsAt) continue;
        await engine.actOnLease(taskId, 'relay', (handoff, lease, at) =>
          lapse(handoff, lease, policy, { now: at, random: random() }),
        );
      }
      waiting.wake(agent);
    }
    toldUpTo = now;
    await meetBusy();
    const next = (await leases.nextDue(now)) ?? Infinity;
    return Math.max(next < startsAt ? startsAt : next, now) - now;
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
