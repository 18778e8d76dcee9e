import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { keepLease } from '../../../main/worker/keep-lease.ts';
import { ConnectionError } from '../../../main/desk/trouble.ts';
import { RelayError } from '../../../relay/contract/reasons.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const away = (): Promise<void> => Promise.reject(new ConnectionError({ kind: 'refused' }));

/** A lease of 3 s, and how often it was renewed. */
function kept(renew: (count: number) => Promise<void>) {
  let count = 0;
  const lease = keepLease({ renew: () => renew(++count), leaseMs: 3_000, random: () => 0 });
  return { ...lease, renewals: () => count };
}

describe('a lease that is kept', () => {
  test('is renewed at each third of its time', async () => {
    const { renewals, lost, end } = kept(async () => undefined);
    await vi.advanceTimersByTimeAsync(10_500);
    expect([renewals(), lost.aborted]).toEqual([10, false]);
    end();
  });

  test('is not renewed after the end, and leaves no timer', async () => {
    const { renewals, lost, end } = kept(async () => undefined);
    await vi.advanceTimersByTimeAsync(1_500);
    end();
    await vi.advanceTimersByTimeAsync(60_000);
    expect([renewals(), lost.aborted, vi.getTimerCount()]).toEqual([1, false, 0]);
  });

  test('outlives a relay that is away for less than its time', async () => {
    const { lost, end } = kept((count) => (count > 1 && count < 4 ? away() : Promise.resolve()));
    await vi.advanceTimersByTimeAsync(9_000);
    expect(lost.aborted).toBe(false);
    end();
  });
});

describe('a lease is lost', () => {
  test('when the relay says so', async () => {
    const { lost } = kept(() => Promise.reject(new RelayError('LEASE_LOST', 'Somebody else has it.')));
    await vi.advanceTimersByTimeAsync(1_000);
    expect([lost.aborted, lost.reason, vi.getTimerCount()]).toEqual([true, 'Somebody else has it.', 0]);
  });

  test('when its time is over without word of the relay, counted from the last request that was served', async () => {
    const { lost } = kept((count) => (count === 1 ? Promise.resolve() : away()));
    await vi.advanceTimersByTimeAsync(3_999);
    expect(lost.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect([lost.aborted, lost.reason]).toEqual([true, expect.stringContaining('could not be reached')]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('when a request hangs for that long', async () => {
    const { lost } = kept(() => new Promise(() => undefined));
    await vi.advanceTimersByTimeAsync(3_000);
    expect(lost.aborted).toBe(true);
  });
});
