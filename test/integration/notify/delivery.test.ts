import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createEngine } from '../../../relay/handoffs/engine.ts';
import { createPush, type Push } from '../../../relay/notify/push.ts';
import type { CallWebhook, WebhookCall, WebhookResult } from '../../../relay/notify/webhook.ts';
import type { NewPushConfig, PushConfig } from '../../../relay/store/ports.ts';
import type { Store } from '../../../relay/store/store.ts';
import { storeFactory, storeForTest } from '../../support/stores.ts';
import { ALICE, artifact, create, FRANK, PARTIES, says, step } from '../../support/threads.ts';

const TASK = PARTIES.id;
const TAKEN: WebhookResult = { ok: true };
const FAILED: WebhookResult = { ok: false, error: 'HTTP 500' };

/** Waits until something is so; every turn of the event loop is a chance for it. */
async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setImmediate(resolve));
}

/** Pushes for a store, to a webhook that is a function. */
function pushing(store: Store, call: CallWebhook, attempts = 1_000_000): Push {
  return createPush({
    log: store.log,
    store: store.push,
    call,
    handlesOf: () => Promise.resolve({ sender: 'alice@acme', recipient: 'frank@acme' }),
    delivered: () => undefined,
    patience: { firstRetryMs: 0, lastRetryMs: 0, attempts, ageMs: 1e12 },
    clock: Date.now,
    random: () => 0,
    userAgent: 'test',
  });
}

const versionOf = ({ headers }: WebhookCall): number => Number(headers['idempotency-key']?.match(/\/(\d+)"$/)?.[1]);
const HOOK: NewPushConfig = {
  taskId: TASK,
  agent: ALICE,
  id: 'c',
  url: 'https://hook.example',
  wakeUp: false,
  generation: 'A2A 1.0',
  cursor: 1,
};
async function add(store: Store, more: Partial<NewPushConfig> = {}): Promise<PushConfig> {
  const added = await store.push.put({ ...HOOK, ...more });
  if (added === undefined) throw new Error('nobody is there whose it could be');
  return added.config;
}

/** Steps of a thread: some of them say something to alice, some do not. */
const STEPS = {
  says: () => says('sender', 'more'),
  artifact: () => artifact({}, { append: true }),
  receipt: () => ({ type: 'receipt', actor: 'sender', author: 'a2a', state: 'acked', upTo: 1 }) as const,
} as const;

describe('a delivery', () => {
  test('gives every event to its webhook once, in order, whatever fails on the way', async () => {
    const withStore = await storeFactory(Date.now);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom('says', 'artifact', 'receipt'), { maxLength: 12 }),
        fc.infiniteStream(fc.boolean()),
        fc.nat(12),
        async (steps, results, late) => {
          await withStore(async ({ store }) => {
            const engine = createEngine({ asksConsent: false, log: store.log, clock: Date.now });
            await engine.create(PARTIES, create());
            const expected: number[] = [];
            const act = async (kind: keyof typeof STEPS): Promise<void> => {
              const actor = kind === 'artifact' ? FRANK : ALICE;
              const { handoff } = await engine.act(TASK, actor, () => [STEPS[kind]()]);
              if (kind === 'artifact') expected.push(handoff.version);
            };
            const { handoff } = await engine.act(TASK, FRANK, () => [step('accept', { sessionId: 's' })]);
            expected.push(handoff.version);
            const taken: number[] = [];
            const push = pushing(store, (call) => {
              const result = results.next().value === true ? TAKEN : FAILED;
              if (result.ok) taken.push(versionOf(call));
              return Promise.resolve(result);
            });
            await add(store);
            await push.start();
            // some come before anybody looks, some while it works
            for (const [index, kind] of steps.entries()) {
              await act(kind);
              if (index === late) await until(() => taken.length > 0);
            }
            await until(() => taken.length === expected.length);
            await push.close();
            expect(taken).toEqual(expected);
          });
        },
      ),
      { numRuns: 25 },
    );
  });

  test('goes on behind what it gave up', async () => {
    const { store } = await storeForTest();
    const engine = createEngine({ asksConsent: false, log: store.log, clock: Date.now });
    await engine.create(PARTIES, create());
    const taken: number[] = [];
    const call: CallWebhook = async (one) => {
      if (versionOf(one) === 2) return FAILED;
      taken.push(versionOf(one));
      return TAKEN;
    };
    const push = pushing(store, call, 3);
    await add(store);
    await push.start();
    await engine.act(TASK, FRANK, () => [step('accept', { sessionId: 's' }), artifact()]);
    await until(() => taken.length === 1);
    await push.close();
    expect(taken).toEqual([3]);
    expect(await store.push.deadLetters(ALICE, 10)).toMatchObject([{ version: 2, attempts: 3, error: 'HTTP 500' }]);
  });

  test('breaks off at a stop, and gives the same event again after a start', async () => {
    const { store } = await storeForTest();
    const engine = createEngine({ asksConsent: false, log: store.log, clock: Date.now });
    await engine.create(PARTIES, create());
    const seen: string[] = [];
    const hanging = pushing(
      store,
      (one, signal) =>
        new Promise((resolve) => {
          seen.push(`begun ${versionOf(one)}`);
          signal.addEventListener('abort', () => resolve({ ok: false, error: 'ABORTED' }));
        }),
    );
    await add(store);
    await hanging.start();
    await engine.act(TASK, FRANK, () => [step('accept', { sessionId: 's' })]);
    await until(() => seen.length === 1);
    await hanging.close();
    const again = pushing(store, async (one) => {
      seen.push(`taken ${versionOf(one)}`);
      return TAKEN;
    });
    await again.start();
    await until(() => seen.length === 2);
    await again.close();
    expect(seen).toEqual(['begun 2', 'taken 2']);
    expect(await store.push.list(TASK, ALICE)).toMatchObject([{ cursor: 2 }]);
  });

  test('comes back when the store could not note what was taken', async () => {
    const { store } = await storeForTest();
    const engine = createEngine({ asksConsent: false, log: store.log, clock: Date.now });
    await engine.create(PARTIES, create());
    let isFull = true;
    const faults: unknown[] = [];
    const noteDelivered: Store['push']['noteDelivered'] = async (pk, cursor) => {
      if (isFull) throw new Error('disk full');
      await store.push.noteDelivered(pk, cursor);
    };
    const push = createPush({
      log: store.log,
      store: { ...store.push, noteDelivered },
      call: async () => TAKEN,
      handlesOf: () => Promise.resolve({ sender: 'a', recipient: 'b' }),
      delivered: () => undefined,
      patience: { firstRetryMs: 0, lastRetryMs: 0, attempts: 9, ageMs: 1e12 },
      clock: Date.now,
      random: () => 0,
      userAgent: 'test',
      logger: { warn: () => undefined, error: (fault: unknown) => void faults.push(fault) },
    });
    const added = await add(store);
    await push.start();
    await engine.act(TASK, FRANK, () => [step('accept', { sessionId: 's' })]);
    await until(() => faults.length === 1);
    isFull = false;
    // as a client that sets it again would have it; by itself it takes five seconds
    push.follow(added);
    await until(async () => (await store.push.list(TASK, ALICE))[0]?.cursor === 2);
    await push.close();
    expect(faults).toHaveLength(1);
  });
});

test('many webhooks share the room, and a slow host takes no more than its part', async () => {
  const { store } = await storeForTest();
  const engine = createEngine({ asksConsent: false, log: store.log, clock: Date.now });
  const tasks = Array.from({ length: 30 }, (_one, index) => `task-${index}`);
  const taken = new Map<string, number[]>();
  let atOnce = 0;
  let most = 0;
  const push = pushing(store, async (one) => {
    atOnce += 1;
    most = Math.max(most, atOnce);
    await new Promise((resolve) => setImmediate(resolve));
    atOnce -= 1;
    const [, id = ''] = /"(.*)\/\d+"/.exec(one.headers['idempotency-key'] ?? '') ?? [];
    taken.set(id, [...(taken.get(id) ?? []), versionOf(one)]);
    return TAKEN;
  });
  await push.start();
  for (const id of tasks) {
    await engine.create({ ...PARTIES, id }, create());
    const added = await add(store, { taskId: id });
    push.follow(added);
  }
  await Promise.all(
    tasks.map((id) => engine.act(id, FRANK, () => [step('accept', { sessionId: 's' }), step('complete')])),
  );
  await until(() => [...taken.values()].filter((versions) => versions.length === 2).length === tasks.length);
  await push.close();
  expect([...taken.values()]).toEqual(tasks.map(() => [2, 3]));
  expect(most).toBe(4);
});

test('an agent whose webhooks hang, on however many hosts, holds up no other one', async () => {
  const { store } = await storeForTest();
  const engine = createEngine({ asksConsent: false, log: store.log, clock: Date.now });
  const taken: string[] = [];
  let hanging = 0;
  const push = pushing(store, (one, signal) => {
    if (one.url.includes('hang')) {
      hanging += 1;
      return new Promise((resolve) => {
        signal.addEventListener('abort', () => resolve({ ok: false, error: 'ABORTED' }));
      });
    }
    taken.push(one.url);
    return Promise.resolve(TAKEN);
  });
  await push.start();
  const tasks = Array.from({ length: 20 }, (_one, index) => `task-${index}`);
  for (const [index, taskId] of tasks.entries()) {
    await engine.create({ ...PARTIES, id: taskId }, create());
    for (const id of ['a', 'b', 'c', 'd']) {
      const url = `https://${id}${index}.hang.example`;
      push.follow(await add(store, { taskId, id, url }));
    }
  }
  push.follow(await add(store, { taskId: 'task-19', agent: FRANK, id: 'mine', url: 'https://other.example' }));
  await Promise.all(tasks.map((id) => engine.act(id, FRANK, () => [step('accept', { sessionId: 's' })])));
  await until(() => hanging > 0 && taken.length === 1);
  expect([hanging, taken]).toEqual([8, ['https://other.example']]);
  await push.close();
});
