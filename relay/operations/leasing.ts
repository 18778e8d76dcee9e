import type { LeasePolicy } from '../handoffs/lease.ts';
import { createAttendance, type Attendance } from '../hub/attendance.ts';
import type { Leases } from '../store/ports.ts';
import type { RelayContext } from './context.ts';
import { createLeaseKeeper, type LeaseKeeper } from './lease-keeper.ts';

/** How a relay deals with workers. All in milliseconds. */
export interface LeaseTiming extends LeasePolicy {
  /**
   * So long after the relay's start, and after it stood still, no lease runs out: while the relay was away, no worker could
   * renew.
   */
  readonly graceMs: number;
  /** So long after its last call a worker counts as connected. */
  readonly lingerMs: number;
}

export const DEFAULT_LEASE_TIMING: LeaseTiming = {
  firstRetryMs: 5_000,
  lastRetryMs: 300_000,
  maxAgeMs: 24 * 3_600_000,
  graceMs: 15_000,
  lingerMs: 2_000,
};

/** What the operations of workers stand on, beside the rest. */
export interface Leasing {
  readonly leases: Leases;
  readonly keeper: Pick<LeaseKeeper, 'listen' | 'changed'>;
  readonly attendance: Pick<Attendance, 'enter'>;
  readonly policy: LeasePolicy;
  /** By which leases are counted (relay/operations/steady-clock.ts), milliseconds since the epoch. */
  readonly steady: () => number;
  /** In [0, 1). */
  readonly random: () => number;
}

export interface LeasingOptions {
  readonly leases: Leases;
  readonly timing: Partial<LeaseTiming> | undefined;
  /** The engine's. */
  readonly steady: () => number;
  /** In [0, 1). */
  readonly random: () => number;
  /** A look at the leases went wrong. It is tried again. */
  readonly onFault: (error: unknown) => void;
}

/** Puts together what workers need, and starts to look after their leases. */
export function startLeasing(
  { log, engine, presence }: Pick<RelayContext, 'log' | 'engine' | 'presence'>,
  { leases, timing, steady, random, onFault }: LeasingOptions,
): Leasing & { close(): Promise<void> } {
  const policy = { ...DEFAULT_LEASE_TIMING, ...timing };
  const attendance = createAttendance(presence, policy.lingerMs);
  const { graceMs } = policy;
  const keeper = createLeaseKeeper({ log, leases, engine, attendance, policy, graceMs, steady, random, onFault });
  return {
    leases,
    keeper,
    attendance,
    policy,
    steady,
    random,
    async close() {
      await keeper.close();
      attendance.close();
    },
  };
}
