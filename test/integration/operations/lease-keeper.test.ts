import { expect, onTestFinished, test } from 'vitest';
import { createEngine } from '../../../relay/handoffs/engine.ts';
import { grant } from '../../../relay/handoffs/lease.ts';
import { createAttendance } from '../../../relay/hub/attendance.ts';
import { createPresence } from '../../../relay/hub/presence.ts';
import { createLeaseKeeper, type LeaseKeeperOptions } from '../../../relay/operations/lease-keeper.ts';
import { storeForTest } from '../../support/stores.ts';
import { create, FRANK, PARTIES, step } from '../../support/threads.ts';

const POLICY = { firstRetryMs: 20, lastRetryMs: 40, maxAgeMs: 60_000 };

async function setUp(more: Partial<LeaseKeeperOptions> = {}) {
  const { store } = await storeForTest();
  const { log, leases } = store;
  const engine = createEngine({ log, clock: Date.now });
  const presence = createPresence();
  const attendance = createAttendance(presence, 0);
  const faults: unknown[] = [];
  await engine.create(PARTIES, create());
  const lease = (leaseMs: number) =>
    engine.actOnLease(PARTIES.id, FRANK, (handoff, before, now) =>
      grant(handoff, before, { worker: 'w1', author: 'cli', leaseMs, attempts: 2 }, now),
    );
  const keeper = (): ReturnType<typeof createLeaseKeeper> => {
    const made = createLeaseKeeper({
      log,
      leases,
      engine,
      attendance,
      policy: POLICY,
      graceMs: 0,
      clock: Date.now,
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
  await engine.actOnLease(PARTIES.id, 'relay', (handoff, stored) => {
    lease = stored;
    return { handoff, events: [] };
  });
  return { lease };
}
