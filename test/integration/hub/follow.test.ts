import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { createEngine } from '../../../relay/handoffs/engine.ts';
import { replay } from '../../../relay/handoffs/evolve.ts';
import { createHub } from '../../../relay/hub/hub.ts';
import type { Step } from '../../../relay/hub/tail.ts';
import type { AgentId, FeedEntry, Handoff, TaskLog } from '../../../relay/store/ports.ts';
import { history, play, type Burst } from '../../support/histories.ts';
import { PATIENCE_MS, runs } from '../../support/long.ts';
import { storeFactory, storeForTest, type TestStore } from '../../support/stores.ts';
import { ALICE, create, PARTIES, says } from '../../support/threads.ts';

/** Cursors: from wherever they begin, however slowly they read, each event comes once, in order. */

const ALL = -1;

/** Somebody who begins to read at some moment, from some place, at some pace. */
interface Plan {
  /** After which of the bursts. */
  readonly since: number;
  readonly pick: number;
  readonly from: number;
  /** Turns of the event loop between two reads. */
  readonly pause: number;
  /** Leaves after so many events; undefined: at the end. */
  readonly leaveAfter: number | undefined;
}

const plan: fc.Arbitrary<Plan> = fc.record({
  since: fc.nat(12),
  pick: fc.nat(9),
  from: fc.nat(30),
  pause: fc.nat(4),
  leaveAfter: fc.option(fc.integer({ min: 1, max: 10 }), { nil: undefined }),
});
const plans = fc.array(plan, { minLength: 1, maxLength: 8 });
/** Turns of the event loop that the store takes to answer a reader: what it says may be old by then. */
const lag = fc.nat(3);
/** Small ones, so that readers fall off their end and read the store; and one that holds everything. */
const tailSize = fc.constantFrom(1, 2, 5, 10_000);

let withStore: (use: (store: TestStore) => Promise<void>) => Promise<void>;
beforeEach(async () => {
  withStore = await storeFactory(Date.now);
});

test(
  'every reader of a thread gets each event exactly once, in order, with the snapshot that it makes',
  () =>
    fc.assert(
      fc.asyncProperty(history, plans, tailSize, lag, (bursts, readersOf, size, turns) =>
        withStore(async ({ store: { log } }) => {
          const hub = createHub({ log: lagging(log, turns), tail: { events: size, characters: Infinity } });
          const readers: Reader<Step>[] = [];
          await playWith(log, bursts, readersOf, async ({ pick, from, pause, leaveAfter }, tasks) => {
            const task = tasks[pick % tasks.length];
            const now = task && (await log.readTask(task.id, 0, ALL));
            if (now === undefined) throw new Error('a history without a handoff');
            const version = 1 + (from % now.handoff.version);
            const start = replay(now.handoff, now.events.slice(0, version));
            readers.push(
              read((signal) => hub.follow(start, signal), {
                pause,
                leaveAfter,
                newest: async () => ((await log.readHandoff(start.id))?.version ?? 0) - version,
                expected: async () => {
                  const whole = await log.readTask(start.id, 0, ALL);
                  return (whole?.events ?? [])
                    .slice(version)
                    .map((event) => ({ event, handoff: replay(start, (whole?.events ?? []).slice(0, event.version)) }));
                },
              }),
            );
          });
          await expectAllRead(readers);
          expect(hub.waiting).toBe(0);
        }),
      ),
      { numRuns: runs(25) },
    ),
  PATIENCE_MS,
);

test(
  'every reader of a feed gets each row exactly once, in order',
  () =>
    fc.assert(
      fc.asyncProperty(history, plans, lag, (bursts, readersOf, turns) =>
        withStore(async ({ store: { log } }) => {
          const hub = createHub({ log: lagging(log, turns) });
          const readers: Reader<FeedEntry>[] = [];
          await playWith(log, bursts, readersOf, async ({ pick, from, pause, leaveAfter }) => {
            const agent: AgentId = 1 + (pick % 3);
            const { head } = await log.readFeed(agent, 0, 0);
            const after = from % (head + 1);
            readers.push(
              read((signal) => hub.followFeed(agent, after, signal), {
                pause,
                leaveAfter,
                newest: async () => (await log.readFeed(agent, 0, 0)).head - after,
                expected: async () => (await log.readFeed(agent, after, ALL)).entries,
              }),
            );
          });
          await expectAllRead(readers);
          expect(hub.waiting).toBe(0);
        }),
      ),
      { numRuns: runs(25) },
    ),
  PATIENCE_MS,
);

describe('a reader', () => {
  async function thread(events: number, size: number) {
    const { store } = await storeForTest();
    const { log } = store;
    const engine = createEngine({ asksConsent: false, log, clock: Date.now });
    const hub = createHub({ log, tail: { events: size, characters: Infinity } });
    const { handoff: first } = await engine.create(PARTIES, create());
    const write = (text: string) => engine.act(PARTIES.id, ALICE, () => [says('sender', text)]);
    await Promise.all(Array.from({ length: events }, (_none, index) => write(`${index}`)));
    return { hub, first, write };
  }

  test('of a thread that is longer than a page gets all of it', async () => {
    const { hub, first } = await thread(700, 10);
    const leave = new AbortController();
    const versions: number[] = [];
    for await (const { event } of hub.follow(first, leave.signal)) {
      versions.push(event.version);
      if (event.version === 701) leave.abort();
    }
    expect(versions).toEqual(Array.from({ length: 700 }, (_none, index) => index + 2));
    expect(hub.waiting).toBe(0);
  });

  test('that stops in the middle leaves nothing behind, even if its signal never aborts', async () => {
    const { hub, first } = await thread(700, 10);
    for await (const { event } of hub.follow(first, new AbortController().signal)) if (event.version === 300) break;
    for await (const { seq } of hub.followFeed(ALICE, 0, new AbortController().signal)) if (seq === 300) break;
    expect(hub.waiting).toBe(0);
  });

  test('that waits ends when its signal aborts', async () => {
    const { hub, first } = await thread(0, 10);
    const leave = new AbortController();
    const [task, feed] = [hub.follow(first, leave.signal).next(), hub.followFeed(ALICE, 1, leave.signal).next()];
    expect(hub.waiting).toBe(2);
    leave.abort();
    expect([await task, await feed]).toEqual([
      { done: true, value: undefined },
      { done: true, value: undefined },
    ]);
    expect(hub.waiting).toBe(0);
  });

  test('whose signal has aborted gets nothing', async () => {
    const { hub, first } = await thread(3, 10);
    expect(await hub.follow(first, AbortSignal.abort()).next()).toEqual({ done: true, value: undefined });
    expect(await hub.followFeed(ALICE, 0, AbortSignal.abort()).next()).toEqual({ done: true, value: undefined });
    expect(hub.waiting).toBe(0);
  });

  test('that is slow holds up neither writers nor other readers', async () => {
    const { hub, first, write } = await thread(0, 4);
    const leave = new AbortController();
    const slow = hub.follow(first, leave.signal);
    const [begun] = [slow.next(), await write('1')];
    await begun;
    const fast = hub.follow(first, leave.signal);
    for (let version = 3; version <= 30; version++) await write(`${version}`);
    for (let version = 2; version <= 30; version++) expect((await fast.next()).value?.event.version).toBe(version);
    for (let version = 3; version <= 30; version++) expect((await slow.next()).value?.event.version).toBe(version);
    leave.abort();
    expect(hub.waiting).toBe(0);
  });
});

describe('one event by its number', () => {
  test.each([
    ['from memory', 10_000],
    ['from the store', 1],
  ])('comes %s', async (_from, size) => {
    const { store } = await storeForTest();
    const engine = createEngine({ asksConsent: false, log: store.log, clock: Date.now });
    const hub = createHub({ log: store.log, tail: { events: size, characters: Infinity } });
    await engine.create(PARTIES, create());
    for (const text of ['a', 'b', 'c']) await engine.act(PARTIES.id, ALICE, () => [says('sender', text)]);
    for (const version of [1, 2, 3, 4]) {
      const step = await hub.step(PARTIES.id, version);
      expect(step?.event.version).toBe(version);
      expect(step?.handoff.version).toBeGreaterThanOrEqual(version);
    }
    expect(await hub.step(PARTIES.id, 5)).toBeUndefined();
    expect(await hub.step('nobody', 1)).toBeUndefined();
  });
});

test('a hub that was closed hears of nothing more', async () => {
  const { store } = await storeForTest();
  const engine = createEngine({ asksConsent: false, log: store.log, clock: Date.now });
  const hub = createHub({ log: store.log });
  const { handoff } = await engine.create(PARTIES, create());
  const leave = new AbortController();
  const next = hub.follow(handoff, leave.signal).next();
  hub.close();
  await engine.act(PARTIES.id, ALICE, () => [says('sender', 'and?')]);
  leave.abort();
  expect((await next).done).toBe(true);
});

interface Reader<T> {
  readonly got: readonly T[];
  readonly leftAfter: number | undefined;
  /** Ends once everything that there is has been read. */
  finish(): Promise<void>;
  expected(): Promise<readonly T[]>;
}

/** Reads along, and counts what comes after it has left as well. */
function read<T>(
  open: (signal: AbortSignal) => AsyncGenerator<T, void, void>,
  options: {
    readonly pause: number;
    readonly leaveAfter: number | undefined;
    readonly newest: () => Promise<number>;
    readonly expected: () => Promise<readonly T[]>;
  },
): Reader<T> {
  const { pause, leaveAfter, newest, expected } = options;
  const leave = new AbortController();
  const got: T[] = [];
  let target = Number.POSITIVE_INFINITY;
  const reading = (async () => {
    for await (const one of open(leave.signal)) {
      got.push(one);
      if (got.length === leaveAfter || got.length >= target) leave.abort();
      for (let turns = 0; turns < pause; turns++) await turn();
    }
  })();
  return {
    got,
    leftAfter: leaveAfter,
    expected,
    async finish() {
      target = await newest();
      if (got.length >= target) leave.abort();
      await reading;
    },
  };
}

async function expectAllRead<T>(readers: readonly Reader<T>[]): Promise<void> {
  await Promise.all(readers.map((reader) => reader.finish()));
  for (const { got, leftAfter, expected } of readers) expect(got).toStrictEqual((await expected()).slice(0, leftAfter));
}

/** The same log, as a database at the other end of a wire would be. */
function lagging(log: TaskLog, turns: number): TaskLog {
  const later = async <T>(answer: T): Promise<T> => {
    for (let left = turns; left > 0; left--) await turn();
    return answer;
  };
  return {
    ...log,
    readTask: async (...query) => later(await log.readTask(...query)),
    readFeed: async (...query) => later(await log.readFeed(...query)),
  };
}

/** Plays a history, and lets readers begin where their plans say. */
async function playWith(
  log: TaskLog,
  bursts: readonly Burst[],
  readers: readonly Plan[],
  begin: (plan: Plan, tasks: readonly Handoff[]) => Promise<void>,
): Promise<void> {
  const engine = createEngine({ asksConsent: false, log, clock: Date.now });
  const tasks: Handoff[] = [];
  for (const [index, burst] of bursts.entries()) {
    const playing = play(engine, tasks, burst);
    // some begin in the turn in which others write
    if (index > 0) for (const one of readers) if (one.since % bursts.length === index) await begin(one, tasks);
    await playing;
  }
}
