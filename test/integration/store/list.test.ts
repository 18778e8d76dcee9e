import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { handoffStateSchema, TERMINAL_STATES, type HandoffState } from '../../../relay/contract/handoff.ts';
import { createEngine, type Engine } from '../../../relay/handoffs/engine.ts';
import type { AgentId, Handoff, ListQuery, TaskLog } from '../../../relay/store/ports.ts';
import { createDirectory } from '../../../relay/store/sqlite/directory.ts';
import { createTaskLog } from '../../../relay/store/sqlite/task-log.ts';
import { IS_LONG, PATIENCE_MS, runs } from '../../support/long.ts';
import { because } from '../../support/skip.ts';
import { logForTest, openTestStore, storeFactory, storeForTest } from '../../support/stores.ts';
import { ALICE, create, FRANK, says, step } from '../../support/threads.ts';
import type { Command } from '../../../relay/handoffs/command.ts';

const EXT_BOT = 3;
const STATES = handoffStateSchema.options;
const WAYS: Readonly<Record<HandoffState, readonly Command[]>> = {
  pending: [],
  accepted: [step('accept')],
  input_required: [step('ask')],
  completed: [step('accept'), step('complete')],
  failed: [step('accept'), step('fail')],
  declined: [step('decline')],
  cancelled: [step('cancel')],
};
const PAIRS: readonly (readonly [AgentId, AgentId])[] = [
  [ALICE, FRANK],
  [FRANK, ALICE],
  [ALICE, EXT_BOT],
  [EXT_BOT, FRANK],
];

/** Makes a handoff and brings it into a state. */
async function make(engine: Engine, id: string, [sender, recipient]: readonly [AgentId, AgentId], state: HandoffState) {
  await engine.create({ id, contextId: `context-${id.length % 3}`, sender, recipient }, create());
  const caller = state === 'cancelled' ? sender : recipient;
  return (await engine.act(id, caller, () => WAYS[state])).handoff;
}

/** What a list has to be, read off the handoffs themselves. */
function expected(all: readonly Handoff[], query: ListQuery): readonly Handoff[] {
  const { viewer, role, other, contextId, states, statusSince, after } = query;
  const matching = all.filter((one) => {
    const isSender = one.sender === viewer;
    const isRecipient = one.recipient === viewer;
    const otherSide = isSender ? one.recipient : one.sender;
    return (
      (role === undefined ? isSender || isRecipient : role === 'sender' ? isSender : isRecipient) &&
      (other === undefined || otherSide === other) &&
      (contextId === undefined || one.contextId === contextId) &&
      (states === undefined || states.includes(one.state)) &&
      (statusSince === undefined || one.statusAt >= statusSince)
    );
  });
  const newest = matching.toSorted((a, b) => b.statusAt - a.statusAt || (a.id < b.id ? 1 : -1));
  if (after === undefined) return newest;
  return newest.filter(
    ({ statusAt, id }) => statusAt < after.statusAt || (statusAt === after.statusAt && id < after.taskId),
  );
}

/** All pages, each beginning where the last one ended. `between` runs between two of them. */
async function walk(
  log: TaskLog,
  query: Omit<ListQuery, 'after' | 'countTotal'>,
  between: () => Promise<unknown> = () => Promise.resolve(),
): Promise<readonly Handoff[]> {
  const all: Handoff[] = [];
  let after: ListQuery['after'];
  for (;;) {
    const { handoffs } = await log.list({ ...query, countTotal: false, ...(after && { after }) });
    all.push(...handoffs);
    const last = handoffs.at(-1);
    if (last === undefined) return all;
    after = { statusAt: last.statusAt, taskId: last.id };
    await between();
  }
}

describe('a list', () => {
  let log: TaskLog;
  let all: readonly Handoff[];
  let close: () => Promise<void>;

  beforeAll(async () => {
    let now = 0;
    const opened = await openTestStore(() => now);
    const engine = createEngine({ asksConsent: false, log: opened.store.log, clock: () => now });
    log = opened.store.log;
    close = opened.close;
    const made: Handoff[] = [];
    // many at the same moment, so that only the id tells them apart
    for (let index = 0; index < 84; index++) {
      now = 10 * Math.floor(index / 6);
      const state = STATES[index % STATES.length] ?? 'pending';
      const pair = PAIRS[Math.floor(index / 3) % PAIRS.length] ?? [ALICE, FRANK];
      made.push(await make(engine, `task-${(index * 37) % 84}`, pair, state));
    }
    all = made;
  });
  afterAll(() => close());

  test('is what its filters say, in order, with its total, for whatever query', async () => {
    const query: fc.Arbitrary<ListQuery> = fc
      .record({
        viewer: fc.constantFrom(ALICE, FRANK, EXT_BOT, 99),
        role: fc.option(fc.constantFrom('sender', 'recipient'), { nil: undefined }),
        other: fc.option(fc.constantFrom(ALICE, FRANK, EXT_BOT), { nil: undefined }),
        contextId: fc.option(fc.constantFrom('context-0', 'context-1', 'no'), { nil: undefined }),
        states: fc.option(fc.subarray(STATES), { nil: undefined }),
        statusSince: fc.option(fc.nat(150), { nil: undefined }),
        limit: fc.integer({ min: 1, max: 100 }),
        after: fc.option(fc.record({ statusAt: fc.nat(150), taskId: fc.constantFrom('', 'task-3', 'task-5', 'zzz') }), {
          nil: undefined,
        }),
        countTotal: fc.boolean(),
      })
      .map(
        (given) =>
          Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as unknown as ListQuery,
      );
    await fc.assert(
      fc.asyncProperty(query, async (one) => {
        const { after: _after, ...whole } = one;
        expect(await log.list(one)).toEqual({
          handoffs: expected(all, one).slice(0, one.limit),
          total: one.countTotal ? expected(all, whole).length : 0,
        });
      }),
      { numRuns: runs(300) },
    );
  });

  test.each([1, 2, 5, 6, 7, 100])('in pages of %i has each row once', async (limit) => {
    expect(await walk(log, { viewer: ALICE, limit })).toEqual(
      expected(all, { viewer: ALICE, limit, countTotal: false }),
    );
  });

  test('of no state is empty', async () => {
    expect(await log.list({ viewer: ALICE, states: [], limit: 5, countTotal: true })).toEqual({
      handoffs: [],
      total: 0,
    });
  });
});

test(
  'pages never repeat or skip what nobody touches, whatever others do between two of them',
  async () => {
    const withStore = await storeFactory(Date.now);
    const changes = fc.array(
      fc.array(fc.tuple(fc.constantFrom('new', 'answer', 'accept', 'cancel'), fc.nat(23)), { maxLength: 4 }),
      { minLength: 1, maxLength: 8 },
    );
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 4 }), changes, (limit, pages) =>
        withStore(async ({ store: { log } }) => {
          let now = 100;
          const engine = createEngine({ asksConsent: false, log, clock: () => now });
          for (let moment = 0; moment < 4; moment++) {
            now++;
            const ids = Array.from({ length: 6 }, (_none, index) => `task-${(moment * 6 + index * 7) % 24}`);
            await Promise.all(
              ids.map((id, index) => make(engine, id, index % 2 === 0 ? [ALICE, FRANK] : [FRANK, ALICE], 'pending')),
            );
          }
          const touched = new Set<string>();
          let page = 0;
          const walked = await walk(log, { viewer: ALICE, limit }, async () => {
            now++;
            for (const [what, pick] of pages[page++] ?? []) {
              const id = what === 'new' ? `new-${page}-${touched.size}` : `task-${pick}`;
              touched.add(id);
              await Promise.allSettled([change(engine, what, id)]);
            }
          });
          const { handoffs } = await log.list({ viewer: ALICE, limit: 999, countTotal: false });
          const untouched = (rows: readonly Handoff[]): readonly string[] =>
            rows.map(({ id }) => id).filter((id) => !touched.has(id));
          expect(untouched(walked)).toEqual(untouched(handoffs));
        }),
      ),
      { numRuns: runs(10) },
    );
  },
  PATIENCE_MS,
);

describe('how it is found', () => {
  test('no statement walks a whole table', async () => {
    const { db } = await logForTest();
    const statements = new Set<string>();
    const prepare = db.prepare.bind(db);
    db.prepare = ((sql: string) => {
      statements.add(sql);
      return prepare(sql);
    }) as typeof db.prepare;
    const log = createTaskLog(db, 'epoch');
    createDirectory(db, Date.now);
    await everyList(log);

    const plans = [...statements]
      .filter((sql) => /^\s*(SELECT|UPDATE|DELETE)/.test(sql))
      .map((sql) => ({ sql, steps: planOf(prepare, sql) }));
    expect(plans.length).toBeGreaterThan(20);
    const scans = plans.flatMap(({ steps }) =>
      steps.filter((one) => one.startsWith('SCAN') && one !== 'SCAN CONSTANT ROW'),
    );
    expect(scans.toSorted()).toEqual([
      // read once, at start
      'SCAN agent',
      // read once, at start, and kept small
      'SCAN idempotency_new',
      // only when an agent is removed
      'SCAN push_config',
      // an index of what is open, counted for whoever watches the relay
      'SCAN task USING COVERING INDEX task_open',
    ]);
    for (const { sql, steps } of plans.filter(({ sql: text }) => /^SELECT.*closed = \?/.test(text))) {
      const side = sql.includes('WHERE sender') ? 'sender' : 'recipient';
      expect(steps[0]).toContain(`task_by_${side} (${side}=? AND closed=?`);
      // rows of one moment are sorted by id; all others come as they lie in the index
      expect(steps.slice(1).filter((one) => one !== 'USE TEMP B-TREE FOR LAST TERM OF ORDER BY')).toEqual([]);
    }
  });

  test.runIf(IS_LONG)(
    'what is open is found as fast beside 100,000 closed ones as beside none',
    { ...because('it takes long: npm run test:long'), timeout: PATIENCE_MS },
    async () => {
      let now = 0;
      const { store } = await storeForTest();
      const engine = createEngine({ asksConsent: false, log: store.log, clock: () => now++ });
      const bulk = async (count: number, prefix: string, state: HandoffState): Promise<void> => {
        for (let from = 0; from < count; from += 1_000) {
          const ids = Array.from({ length: 1_000 }, (_none, index) => `${prefix}-${from + index}`);
          await Promise.all(ids.map((id) => make(engine, id, [ALICE, FRANK], state)));
        }
      };
      const openStates = STATES.filter((state) => !TERMINAL_STATES.has(state));
      const median = async (): Promise<number> => {
        const times: number[] = [];
        for (let round = 0; round < 51; round++) {
          const start = performance.now();
          await store.log.list({ viewer: FRANK, role: 'recipient', states: openStates, limit: 20, countTotal: false });
          times.push(performance.now() - start);
        }
        return times.toSorted((a, b) => a - b)[25] ?? 0;
      };
      await bulk(10_000, 'open', 'pending');
      const before = await median();
      await bulk(100_000, 'closed', 'declined');
      const after = await median();
      process.stdout.write(
        `list of 10,000 open: ${before.toFixed(2)} ms; beside 100,000 closed: ${after.toFixed(2)} ms\n`,
      );
      expect(after).toBeLessThan(before * 2 + 1);
    },
  );
});

function change(engine: Engine, what: string, id: string): Promise<unknown> {
  switch (what) {
    case 'new':
      return make(engine, id, [ALICE, FRANK], 'pending');
    case 'accept':
      return engine.act(id, FRANK, () => [step('accept')]);
    case 'cancel':
      return engine.act(id, ALICE, () => [step('cancel')]);
    default:
      return engine.act(id, ALICE, () => [says('sender', 'and?')]);
  }
}

/** One of each form that a query can have. */
async function everyList(log: TaskLog): Promise<void> {
  const forms: readonly Partial<ListQuery>[] = [
    {},
    { role: 'sender' },
    { role: 'recipient' },
    { other: FRANK },
    { contextId: 'context-1' },
    { states: ['pending'] },
    { states: ['completed', 'failed'] },
    { statusSince: 5 },
  ];
  for (const form of forms) {
    for (const after of [{}, { after: { statusAt: 5, taskId: 'task-1' } }]) {
      await log.list({ viewer: ALICE, limit: 10, countTotal: true, ...form, ...after });
    }
  }
}

function planOf(prepare: (sql: string) => { all(...values: null[]): unknown[] }, sql: string): readonly string[] {
  const values = Array.from({ length: sql.split('?').length - 1 }, () => null);
  return (prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...values) as { readonly detail: string }[]).map(
    ({ detail }) => detail,
  );
}
