import { expect, onTestFinished, test } from 'vitest';
import { createEngine } from '../../../relay/handoffs/engine.ts';
import { grant } from '../../../relay/handoffs/lease.ts';
import { createAttendance } from '../../../relay/hub/attendance.ts';
import { createPresence } from '../../../relay/hub/presence.ts';
import { createLeaseKeeper, type LeaseKeeperOptions } from '../../../relay/operations/lease-keeper.ts';
import type { Lease } from '../../../relay/store/ports.ts';
import { storeForTest } from '../../support/stores.ts';
import { create, FRANK, PARTIES, step } from '../../support/threads.ts';

const POLICY = { firstRetryMs: 20, lastRetryMs: 40, maxAgeMs: 60_000 };

async function setUp(more: Partial<LeaseKeeperOptions> = {}, steady: () => number = Date.now) {
  const { store } = await storeForTest();
  const { log, leases } = store;
  const engine = createEngine({ asksConsent: false, log, clock: Date.now, steady });
  const presence = createPresence();
  const attendance = createAttendance(presence, 0);
  const faults: unknown[] = [];
  await engine.create(PARTIES, create());
  const lease = (leaseMs: number) =>
    engine.actOnLease(PARTIES.id, FRANK, (handoff, before, moment) =>
      grant(handoff, before, { worker: 'w1', author: 'cli', leaseMs, attempts: 2 }, moment),
    );
  const keeper = (): ReturnType<typeof createLeaseKeeper> => {
    const made = createLeaseKeeper({
      log,
      leases,
      engine,
      attendance,
      policy: POLICY,
      graceMs: 0,
      steady,
      random: () => 0,
      onFault: (error) => faults.push(error),
      ...more,
    });
    onTestFinished(() => made.close());
    return made;
  };
  return { engine, leases, presence, faults, lease, keeper };
}

test('rings for who waits, each time that there may be work', async () => {
  const { engine, lease, keeper } = await setUp();
  const keeps = keeper();
  const news = keeps.listen(FRANK);
  await lease(30);
  // accepted; run out; its wait is over
  for (let ring = 0; ring < 3; ring++) {
    if (ring === 1) keeps.changed(FRANK);
    await news.next();
  }
  await expect
    .poll(async () => {
      const { lease: now } = await readLease(engine);
      return [now?.state, now?.failures];
    })
    .toEqual(['waiting', 1]);
  news.close();
});

test('has a worker count as connected for as long as it is at work', async () => {
  const { engine, presence, lease, keeper } = await setUp();
  const keeps = keeper();
  await lease(60_000);
  keeps.changed(FRANK);
  await expect.poll(() => presence.isConnected(FRANK)).toBe(true);
  await engine.act(PARTIES.id, FRANK, () => [step('complete', { sessionId: 'w1' })]);
  await expect.poll(() => presence.isConnected(FRANK)).toBe(false);
});

test('finds at its start what ran out while nobody looked', async () => {
  const { engine, lease, keeper } = await setUp();
  await lease(-1);
  keeper();
  await expect.poll(async () => (await readLease(engine)).lease?.failures).toBe(1);
});

test('tries again what went wrong, and says so', async () => {
  const { store } = await storeForTest();
  let looks = 0;
  const { faults, keeper } = await setUp({
    leases: {
      ...store.leases,
      due: (after, now) => {
        looks += 1;
        if (looks === 1) throw new Error('no disk');
        return store.leases.due(after, now);
      },
    },
  });
  keeper();
  await expect.poll(() => looks, { timeout: 5_000 }).toBeGreaterThan(1);
  expect(faults).toEqual([new Error('no disk')]);
});

test('gives up what waits when nobody has gone on with it for too long', async () => {
  const { engine, lease, keeper } = await setUp({ policy: { ...POLICY, maxAgeMs: 150 } });
  await lease(-1);
  const keeps = keeper();
  await expect.poll(async () => (await readLease(engine)).lease?.state).toBe('waiting');
  await expect.poll(async () => (await readLease(engine)).handoff.state).toBe('failed');
  expect((await readLease(engine)).handoff.reason).toContain('no other one went on');
  await keeps.close();
});

test('rings for what has waited also while nothing runs out', async () => {
  const { engine, lease, keeper } = await setUp({ graceMs: 60_000 });
  await lease(60_000);
  await engine.actOnLease(PARTIES.id, FRANK, (handoff, held, { now }) => ({
    handoff,
    events: [],
    ...(held && { lease: { ...held, state: 'waiting', dueAt: now + 50 } }),
  }));
  const keeps = keeper();
  const news = keeps.listen(FRANK);
  await news.next();
  const { lease: held } = await readLease(engine);
  expect(held?.dueAt).toBeLessThanOrEqual(Date.now());
  news.close();
});

test('counts from the end of a standstill: while nothing runs here, no worker can renew', async () => {
  let asleep = 0;
  const { engine, presence, lease, keeper } = await setUp(
    { graceMs: 100, policy: { ...POLICY, maxAgeMs: Infinity } },
    () => Date.now() + asleep,
  );
  const keeps = keeper();
  await lease(30_000);
  keeps.changed(FRANK);
  // it has looked, and knows when it will look next
  await expect.poll(() => presence.isConnected(FRANK)).toBe(true);
  asleep = 3_600_000;
  const wokenAt = performance.now();
  keeps.changed(FRANK);
  await expect.poll(async () => (await readLease(engine)).lease?.state, { interval: 5 }).toBe('waiting');
  expect(performance.now() - wokenAt).toBeGreaterThanOrEqual(95);
});

test('does not wait for times that lie further ahead than any lease, which another clock has left', async () => {
  const { engine, leases, lease, keeper } = await setUp();
  const put = (change: Partial<Lease>) =>
    engine.actOnLease(PARTIES.id, FRANK, (handoff, held, { now }) => ({
      handoff,
      events: [],
      ...(held && { lease: { ...held, since: now + 86_400_000, dueAt: now + 86_400_000, ...change } }),
    }));
  const ahead = async () => {
    const { runsOut, waited, since } = await leases.nextDue(0);
    return [runsOut, waited, since].map((time) => time - Date.now());
  };
  await lease(60_000);
  await put({ state: 'running' });
  const first = keeper();
  await expect.poll(async () => (await ahead())[0]).toBeLessThanOrEqual(3_600_000);
  expect((await readLease(engine)).lease?.since).toBeLessThanOrEqual(Date.now());
  await first.close();

  await put({ state: 'waiting' });
  keeper();
  await expect.poll(async () => (await ahead())[1]).toBeLessThanOrEqual(POLICY.lastRetryMs);
  expect((await ahead())[2]).toBeLessThanOrEqual(0);
});

test('does nothing after the end', async () => {
  const { engine, lease, keeper } = await setUp();
  const keeps = keeper();
  await lease(-1);
  await keeps.close();
  keeps.changed(FRANK);
  await keeps.close();
  expect((await readLease(engine)).lease?.failures).toBe(0);
});

/** The lease as it lies in the store. */
async function readLease(engine: ReturnType<typeof createEngine>) {
  let lease: Parameters<Parameters<typeof engine.actOnLease>[2]>[1];
  const { handoff } = await engine.actOnLease(PARTIES.id, 'relay', (before, stored) => {
    lease = stored;
    return { handoff: before, events: [] };
  });
  return { lease, handoff };
}
