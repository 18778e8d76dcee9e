import type { Task } from '../contract/a2a.ts';
import type { Author } from '../contract/handoff.ts';
import type { Released } from '../contract/lease.ts';
import { RelayError } from '../contract/reasons.ts';
import { failAttempt, grant, putBack, renew } from '../handoffs/lease.ts';
import type { Lease } from '../store/ports.ts';
import { authorOf, type Call, type RelayContext } from './context.ts';
import type { Leasing } from './leasing.ts';
import { onAbort } from './on-abort.ts';
import { see, taskOf, withHistory } from './read-task.ts';

export interface LeaseOperation {
  readonly worker: string;
  readonly author?: Author;
  readonly leaseMs: number;
  readonly waitMs: number;
  readonly attempts: number;
}

/** What a worker has been given to do. */
export interface Leased {
  readonly task: Task;
  readonly lease: Lease;
}

/**
 * Leases the next handoff for a worker of the calling agent, as soon as there is one. Waits no longer than it was asked
 * to, nor than its caller or the relay stays: then there is none. No polling, and one timer for the wait.
 */
export async function takeLease(
  context: RelayContext,
  leasing: Leasing,
  call: Call,
  { waitMs, author, ...request }: LeaseOperation,
): Promise<Leased | undefined> {
  const agent = call.principal.agent.id;
  // before the first look, so that nothing falls between the two
  const news = leasing.keeper.listen(agent);
  let isOver = false;
  const stop = (): void => {
    isOver = true;
    news.close();
  };
  const timer = setTimeout(stop, waitMs);
  const forget = [
    leasing.attendance.enter(agent),
    context.keyEnds.on(call.principal.keyId, stop),
    ...[call.signal, context.stopping].map((signal) => onAbort(signal, stop)),
  ];
  try {
    // also where there is no time to wait, one look is taken
    do {
      const taskId = await leasing.leases.next(agent, request.worker, leasing.steady());
      const leased = taskId && (await tryLease(context, leasing, call, taskId, request, authorOf(call, author)));
      if (leased) return leased;
      await news.next();
    } while (!isOver);
    return undefined;
  } finally {
    news.close();
    clearTimeout(timer);
    for (const forgetOne of forget) forgetOne();
  }
}

/** undefined where another worker was quicker: that one's commit is news, too. */
async function tryLease(
  context: RelayContext,
  { keeper }: Leasing,
  call: Call,
  taskId: string,
  request: Omit<LeaseOperation, 'waitMs' | 'author'>,
  author: Author,
): Promise<Leased | undefined> {
  const agent = call.principal.agent.id;
  let lease: Lease | undefined;
  try {
    await context.engine.actOnLease(taskId, agent, (handoff, before, moment) => {
      const decision = grant(handoff, before, { ...request, author }, moment);
      if (decision.lease !== 'over') lease = decision.lease;
      return decision;
    });
  } catch (error) {
    if (error instanceof RelayError && error.reason === 'STATE_CHANGED') return undefined;
    throw error;
  }
  keeper.changed(agent);
  if (lease === undefined) throw new Error('a lease was granted and is not there');
  if (call.signal.aborted) {
    // nobody is there to do it
    await context.engine.actOnLease(taskId, agent, (handoff, held, { now }) =>
      putBack(handoff, held, request.worker, now),
    );
    keeper.changed(agent);
    return undefined;
  }
  const options = withHistory(undefined, true);
  return { task: taskOf(await see(context, call, taskId, options), options), lease };
}

/** Gives a worker more time. LEASE_LOST, TASK_NOT_FOUND. */
export async function renewLease(
  context: RelayContext,
  { keeper }: Leasing,
  call: Call,
  taskId: string,
  { worker, leaseMs }: { readonly worker: string; readonly leaseMs: number },
): Promise<void> {
  const agent = call.principal.agent.id;
  await context.engine.actOnLease(taskId, agent, (handoff, lease, { now }) =>
    renew(handoff, lease, worker, now + leaseMs),
  );
  keeper.changed(agent);
}

export interface ReleaseOperation {
  readonly worker: string;
  readonly outcome: 'failed' | 'stopped';
  readonly reason?: string;
}

/** Ends an attempt without an answer: it is tried again, later or at once, or the relay gives up. LEASE_LOST, TASK_NOT_FOUND. */
export async function releaseLease(
  context: RelayContext,
  { keeper, policy, random }: Leasing,
  call: Call,
  taskId: string,
  { worker, outcome, reason = 'The worker did not say why.' }: ReleaseOperation,
): Promise<Released> {
  const agent = call.principal.agent.id;
  let retryInMs: number | undefined;
  await context.engine.actOnLease(taskId, agent, (handoff, lease, moment) => {
    const { now } = moment;
    const decision =
      outcome === 'stopped'
        ? putBack(handoff, lease, worker, now)
        : failAttempt(handoff, lease, { worker, reason }, policy, { ...moment, random: random() });
    retryInMs = decision.lease === undefined || decision.lease === 'over' ? undefined : decision.lease.dueAt - now;
    return decision;
  });
  keeper.changed(agent);
  return { task_id: taskId, ...(retryInMs === undefined ? {} : { retry_in_ms: retryInMs }) };
}
