import fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import { RelayError } from '../../../relay/contract/reasons.ts';
import { createEngine } from '../../../relay/handoffs/engine.ts';
import type { AgentId, Commit, Committed, Handoff } from '../../../relay/store/ports.ts';
import { history, play, type Answer } from '../../support/histories.ts';
import { PATIENCE_MS, runs } from '../../support/long.ts';
import { auditStore } from '../../support/store-audit.ts';
import { storeFactory, type TestStore } from '../../support/stores.ts';

/** Whatever agents do, in whatever order and however much of it at once, the store is what its log says. */

const REFUSALS: ReadonlySet<string> = new Set([
  'TASK_NOT_FOUND',
  'TASK_NOT_CANCELABLE',
  'UNSUPPORTED_OPERATION',
  'STATE_CHANGED',
  'INVALID_TRANSITION',
  'TRANSITION_NOT_ALLOWED',
  'HELD_BY_OTHER_SESSION',
  'IDEMPOTENCY_CONFLICT',
]);

let withStore: (use: (store: TestStore) => Promise<void>) => Promise<void>;
beforeEach(async () => {
  withStore = await storeFactory(Date.now);
});

test(
  'a random history leaves a sound store, complete feeds and no trace of what was refused',
  async () => {
    await fc.assert(
      fc.asyncProperty(history, fc.array(fc.integer({ min: -5, max: 5 }), { minLength: 1 }), (bursts, ticks) =>
        withStore(async ({ store, file }) => {
          const { log } = store;
          const commits: Commit[] = [];
          log.onCommit((group) => commits.push(...group));
          // a clock that also goes backwards
          let now = 1_000_000;
          let reads = 0;
          const clock = (): number => (now += ticks[reads++ % ticks.length] ?? 0);
          const engine = createEngine({ asksConsent: false, log, clock });

          const tasks: Handoff[] = [];
          const answers: Answer[] = [];
          for (const burst of bursts) answers.push(...(await play(engine, tasks, burst)));

          expect(auditStore(file)).toEqual([]);
          const refused = answers.flatMap(({ result }) =>
            result.status === 'rejected' ? [reasonOf(result.reason)] : [],
          );
          expect(refused.filter((reason) => !REFUSALS.has(reason))).toEqual([]);
          const done = answers.flatMap(({ result }) => (result.status === 'fulfilled' ? [result.value] : []));
          expectOneCommitEach(done, commits);
          expectKeysKept(answers);
          for (const agent of [1, 2, 3]) {
            expect(await wholeFeed(store, agent)).toEqual(feedOf(agent, commits));
          }
          for (const task of tasks) {
            const newest = commits.findLast(({ handoff }) => handoff.id === task.id)?.handoff;
            expect(await log.readHandoff(task.id)).toStrictEqual(newest);
          }
        }),
      ),
      { numRuns: runs(40) },
    );
  },
  PATIENCE_MS,
);

/** What was answered as written is what was told to listeners, in that order, and nothing else was told. */
function expectOneCommitEach(done: readonly Committed[], commits: readonly Commit[]): void {
  const written = done.filter(({ events }) => events.length > 0);
  expect(commits.map(({ handoff, events }) => ({ handoff, events }))).toStrictEqual(
    written.map(({ handoff, events }) => ({ handoff, events })),
  );
}

/** In the order of the calls: a key that was used is answered again, or is a conflict; one that was refused is free. */
function expectKeysKept(answers: readonly Answer[]): void {
  const used = new Map<string, { readonly digest: string; readonly taskId: string }>();
  const actual: string[] = [];
  const expected: string[] = [];
  for (const { once, result } of answers) {
    const key = once && JSON.stringify(once.key);
    const digest = Buffer.from(once?.digest ?? []).toString('hex');
    const before = key === undefined ? undefined : used.get(key);
    const outcome = outcomeOf(result);
    actual.push(outcome);
    // who is no party to the handoff learns nothing of keys
    if (before === undefined || outcome === 'TASK_NOT_FOUND') expected.push(outcome.replace('again', 'anew'));
    else expected.push(before.digest === digest ? `again ${before.taskId}` : 'IDEMPOTENCY_CONFLICT');
    if (key !== undefined && before === undefined && result.status === 'fulfilled') {
      used.set(key, { digest, taskId: result.value.handoff.id });
    }
  }
  expect(actual).toEqual(expected);
}

function outcomeOf(result: PromiseSettledResult<Committed>): string {
  if (result.status === 'rejected') return reasonOf(result.reason);
  const { handoff, events, replayed } = result.value;
  return `${replayed && events.length === 0 ? 'again' : 'anew'} ${handoff.id}`;
}

/** Read in small pages, as a desk would. */
async function wholeFeed({ log }: TestStore['store'], agent: AgentId): Promise<readonly object[]> {
  const rows: object[] = [];
  const { head } = await log.readFeed(agent, 0, 0);
  for (let after = 0; after < head;) {
    const { entries } = await log.readFeed(agent, after, 7);
    rows.push(...entries);
    after = entries.at(-1)?.seq ?? Number.POSITIVE_INFINITY;
  }
  return rows;
}

function feedOf(agent: AgentId, commits: readonly Commit[]): readonly object[] {
  const rows = commits.flatMap(({ handoff, events, feeds }) => {
    const feed = feeds.find((one) => one.agent === agent);
    return feed === undefined
      ? []
      : events.map(({ version }, index) => ({
          seq: feed.firstSeq + index,
          kind: 'handoff',
          taskId: handoff.id,
          version,
        }));
  });
  expect(rows.map(({ seq }) => seq)).toEqual(rows.map((_row, index) => index + 1));
  return rows;
}

function reasonOf(error: unknown): string {
  return error instanceof RelayError ? error.reason : String(error);
}
