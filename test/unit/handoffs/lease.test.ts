import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RelayError } from '../../../relay/contract/reasons.ts';
import { carryOut } from '../../../relay/handoffs/carry-out.ts';
import {
  abandon,
  afterStep,
  expire,
  failAttempt,
  grant,
  lapse,
  putBack,
  renew,
  type LeasePolicy,
  type Moment,
} from '../../../relay/handoffs/lease.ts';
import type { Decision, Handoff, Lease } from '../../../relay/store/ports.ts';
import { handoffIn, message, receipt, says, step, thread } from '../../support/threads.ts';

const NOW = 1_000_000;
const POLICY: LeasePolicy = { firstRetryMs: 100, lastRetryMs: 1_000, maxAgeMs: 60_000 };
const request = (worker: string, attempts = 3) => ({ worker, author: 'cli', leaseMs: 30_000, attempts }) as const;
/** A moment at which the clock of the relay shows another time than the steady one. */
const when = (now: number): Moment => ({ now, at: now - 777_000 });
const chance = (now: number) => ({ ...when(now), random: 0 });

/** A handoff that w1 has leased. */
function running(attempts = 3): { readonly handoff: Handoff; readonly lease: Lease } {
  return leasedIn(grant(handoffIn('pending'), undefined, request('w1', attempts), when(NOW)));
}

function leasedIn({ handoff, lease }: Decision): { readonly handoff: Handoff; readonly lease: Lease } {
  if (lease === undefined || lease === 'over') throw new Error('no lease');
  return { handoff, lease };
}

function reason(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (error instanceof RelayError) return error.reason;
    throw error;
  }
  return 'none';
}

describe('granting', () => {
  test('accepts what is pending, in the name of the worker', () => {
    const { handoff, lease } = running();
    expect(handoff).toMatchObject({ state: 'accepted', sessionId: 'w1' });
    expect(lease).toEqual({
      worker: 'w1',
      state: 'running',
      dueAt: NOW + 30_000,
      number: 1,
      failures: 0,
      attempts: 3,
      since: NOW,
    });
  });

  test('gives a worker what it has again, with its whole time, and writes nothing', () => {
    const { handoff, lease } = running();
    const again = grant(handoff, lease, request('w1'), when(NOW + 10_000));
    expect(again).toEqual({ handoff, events: [], lease: { ...lease, dueAt: NOW + 40_000 } });
  });

  test('takes over what waits, once its time has come', () => {
    const { handoff, lease } = running();
    const waiting: Lease = { ...lease, state: 'waiting', failures: 1, dueAt: NOW + 100 };
    expect(reason(() => grant(handoff, waiting, request('w2'), when(NOW + 99)))).toBe('STATE_CHANGED');
    const taken = grant(handoff, waiting, request('w2'), when(NOW + 100));
    expect(taken.events).toMatchObject([{ kind: 'status', transition: 'take_over', sessionId: 'w2' }]);
    expect(taken.lease).toMatchObject({ worker: 'w2', state: 'running', number: 2, failures: 1, since: NOW });
  });

  test('lets a worker go on with its own, and acknowledges what the sender has said since', () => {
    const { handoff, lease } = running();
    const told = carryOut(handoff, [says('sender', 'hurry')], NOW).handoff;
    const { events, lease: next } = grant(told, { ...lease, state: 'waiting', dueAt: 0 }, request('w1'), when(NOW));
    expect(events).toMatchObject([{ kind: 'receipt', state: 'acked', upTo: told.lastVersion }]);
    expect(next).toMatchObject({ worker: 'w1', number: 2 });
  });

  test.each([
    ['another worker has it', running().handoff, running().lease],
    ['a person or a session has it', handoffIn('accepted'), undefined],
    ['its sender is asked something', handoffIn('input_required'), undefined],
    ['it is closed', handoffIn('completed'), undefined],
    ['its recipient holds it', thread(receipt('recipient', 'held', 1)).handoff, undefined],
  ])('refuses where %s', (_why, handoff, lease) => {
    expect(reason(() => grant(handoff, lease, request('w2'), when(NOW)))).toBe('STATE_CHANGED');
  });
});

describe('only the worker that has the lease', () => {
  const { handoff, lease } = running();
  const waiting: Lease = { ...lease, state: 'waiting' };

  test.each([
    ['renews', (held: Lease | undefined, worker: string) => renew(handoff, held, worker, NOW)],
    ['gives it back', (held: Lease | undefined, worker: string) => putBack(handoff, held, worker, NOW)],
    [
      'fails',
      (held: Lease | undefined, worker: string) =>
        failAttempt(handoff, held, { worker, reason: 'no' }, POLICY, chance(NOW)),
    ],
  ])('%s', (_what, act) => {
    expect(reason(() => act(lease, 'w1'))).toBe('none');
    expect(reason(() => act(lease, 'w2'))).toBe('LEASE_LOST');
    expect(reason(() => act(waiting, 'w1'))).toBe('LEASE_LOST');
    expect(reason(() => act(undefined, 'w1'))).toBe('LEASE_LOST');
  });

  test('renews after its time, as long as nobody has noticed', () => {
    expect(leasedIn(renew(handoff, lease, 'w1', NOW + 90_000)).lease.dueAt).toBe(NOW + 90_000);
  });

  test('gives it back without a mark against it', () => {
    expect(leasedIn(putBack(handoff, lease, 'w1', NOW + 5)).lease).toEqual({
      ...lease,
      state: 'waiting',
      dueAt: NOW + 5,
    });
  });
});

describe('a failed attempt', () => {
  test('waits longer each time, up to a limit', () => {
    let { handoff, lease } = running(9);
    const waits: number[] = [];
    for (let n = 0; n < 6; n++) {
      ({ handoff, lease } = leasedIn(failAttempt(handoff, lease, { worker: 'w1', reason: 'no' }, POLICY, chance(NOW))));
      waits.push(lease.dueAt - NOW);
      ({ handoff, lease } = leasedIn(grant(handoff, lease, request('w1', 9), when(lease.dueAt))));
    }
    expect(waits).toEqual([100, 200, 400, 800, 1_000, 1_000]);
  });

  test('is the last one when they are spent: the relay fails the handoff, and says why', () => {
    const { handoff, lease } = running(1);
    const decision = failAttempt(handoff, lease, { worker: 'w1', reason: 'exit code 2' }, POLICY, chance(NOW));
    expect(decision).toMatchObject({ handoff: { state: 'failed', lastActor: 'relay' }, lease: 'over' });
    expect(decision.handoff.reason).toBe('Given up after 1 attempt. exit code 2');
  });

  test('is the last one when the first is too long ago', () => {
    const { handoff, lease } = running(100);
    const failedAt = (now: number) =>
      failAttempt(handoff, lease, { worker: 'w1', reason: 'no' }, POLICY, chance(now)).handoff.state;
    expect([failedAt(NOW + 59_999), failedAt(NOW + 60_000)]).toEqual(['accepted', 'failed']);
  });

  test('is what a lease comes to that runs out, and not before', () => {
    const { handoff, lease } = running();
    expect(lapse(handoff, lease, POLICY, chance(lease.dueAt - 1))).toEqual({ handoff, events: [] });
    expect(leasedIn(lapse(handoff, lease, POLICY, chance(lease.dueAt))).lease).toMatchObject({
      state: 'waiting',
      failures: 1,
      dueAt: lease.dueAt + 100,
    });
    expect(lapse(handoff, undefined, POLICY, chance(lease.dueAt))).toEqual({ handoff, events: [] });
  });
});

describe('a step of the handoff', () => {
  const after = (...commands: Parameters<typeof carryOut>[1]): Decision['lease'] => {
    const { handoff, lease } = running();
    return afterStep(handoff, { ...lease, failures: 2 }, carryOut(handoff, commands, NOW), NOW + 7).lease;
  };

  test('that closes it ends the lease', () => {
    expect(after(step('complete', { sessionId: 'w1' }))).toBe('over');
    expect(after(step('fail'))).toBe('over');
  });

  test('that moves it to somebody else ends the lease', () => {
    expect(after(step('take_over', { sessionId: 's1' }))).toBe('over');
    expect(after(step('take_over'))).toBe('over');
  });

  test('that asks the sender ends the attempt, and forgets what failed before', () => {
    const asked = after(step('ask', { sessionId: 'w1', message: message('which?') }));
    expect(asked).toMatchObject({ state: 'waiting', dueAt: 0, failures: 0, since: NOW + 7, number: 1 });
  });

  test('that answers it lets work begin anew, however long the answer took', () => {
    const { handoff, lease } = running();
    const asked = carryOut(handoff, [step('ask', { sessionId: 'w1', message: message('which?') })], NOW);
    const rests = leasedIn(afterStep(handoff, lease, asked, NOW));
    const late = NOW + 10 * POLICY.maxAgeMs;
    const answered = carryOut(rests.handoff, [says('sender', 'this one')], NOW);
    const work = leasedIn(afterStep(rests.handoff, rests.lease, answered, late));
    expect(work.lease).toMatchObject({ state: 'waiting', dueAt: late, since: late });
    expect(expire(work.handoff, work.lease, POLICY, when(late)).handoff.state).toBe('accepted');
    // further words are no answer
    const more = carryOut(work.handoff, [says('sender', 'and quickly')], NOW);
    expect(afterStep(work.handoff, work.lease, more, late + 1).lease).toBeUndefined();
  });

  test('that moves nothing leaves it as it is', () => {
    expect(after(says('sender', 'hurry'), says('recipient', 'yes'))).toBeUndefined();
    expect(
      afterStep(handoffIn('accepted'), undefined, { handoff: handoffIn('completed'), events: [] }, NOW).lease,
    ).toBe(undefined);
  });
});

describe('what waits', () => {
  const { handoff, lease } = running();
  const waiting: Lease = { ...lease, state: 'waiting' };
  const old = when(NOW + POLICY.maxAgeMs);

  test('is given up when its first attempt is too long ago, and not before', () => {
    expect(expire(handoff, waiting, POLICY, when(old.now - 1))).toEqual({ handoff, events: [] });
    const decision = expire(handoff, waiting, POLICY, old);
    expect(decision).toMatchObject({ handoff: { state: 'failed', lastActor: 'relay' }, lease: 'over' });
    expect(decision.handoff.reason).toContain('no other one went on');
  });

  test.each([
    ['a worker is at it', handoff, lease],
    ['no worker has had it', handoff, undefined],
    ['its sender is asked something', handoffIn('input_required'), waiting],
    ['it is closed', handoffIn('completed'), undefined],
  ])('is not given up where %s', (_why, one, its) => {
    expect(expire(one, its, POLICY, old)).toEqual({ handoff: one, events: [] });
  });
});

describe('a handoff whose recipient was removed', () => {
  test.each(['pending', 'accepted', 'input_required'] as const)('is failed where it is %s, and says why', (state) => {
    const decision = abandon(handoffIn(state), when(NOW));
    expect(decision).toMatchObject({ handoff: { state: 'failed', lastActor: 'relay' }, lease: 'over' });
    expect(decision.handoff.reason).toBe('Its recipient was removed from the relay.');
  });

  test('stays as it is where it has ended', () => {
    const handoff = handoffIn('completed');
    expect(abandon(handoff, when(NOW))).toEqual({ handoff, events: [] });
  });
});

test('the thread has the time of the relay’s clock, the lease that of the steady one', () => {
  const before = handoffIn('pending');
  const { events, lease } = grant(before, undefined, request('w1'), { at: before.updatedAt + 5, now: NOW });
  expect(events).toMatchObject([{ at: before.updatedAt + 5 }]);
  expect(lease).toMatchObject({ since: NOW, dueAt: NOW + 30_000 });
});

test('however it goes, a handoff is failed once its attempts are spent, and never before', () => {
  const act = fc.constantFrom('fail', 'lapse', 'stop', 'renew');
  fc.assert(
    fc.property(fc.array(act, { maxLength: 30 }), fc.integer({ min: 1, max: 5 }), (acts, attempts) => {
      let { handoff, lease } = running(attempts);
      let failures = 0;
      for (const what of acts) {
        const now = lease.dueAt;
        const decision = {
          fail: () =>
            failAttempt(handoff, lease, { worker: 'w1', reason: 'no' }, { ...POLICY, maxAgeMs: Infinity }, chance(now)),
          lapse: () => lapse(handoff, lease, { ...POLICY, maxAgeMs: Infinity }, chance(now)),
          stop: () => putBack(handoff, lease, 'w1', now),
          renew: () => renew(handoff, lease, 'w1', now + 1),
        }[what]();
        if (what === 'fail' || what === 'lapse') failures += 1;
        expect(decision.handoff.state).toBe(failures < attempts ? 'accepted' : 'failed');
        if (decision.lease === 'over') return;
        ({ handoff, lease } = leasedIn(decision));
        if (lease.state === 'waiting') {
          ({ handoff, lease } = leasedIn(grant(handoff, lease, request('w1', attempts), when(lease.dueAt))));
        }
      }
    }),
  );
});
