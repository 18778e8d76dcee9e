import { describe, expect, test } from 'vitest';
import { digest } from '../../../relay/handoffs/digest.ts';
import { createEngine, type Engine } from '../../../relay/handoffs/engine.ts';
import { openSqliteStore } from '../../../relay/store/sqlite/store.ts';
import type { AgentId, Once } from '../../../relay/store/ports.ts';
import { auditStore } from '../../support/store-audit.ts';
import { storeForTest } from '../../support/stores.ts';
import { ALICE, artifact, create, FRANK, message, PARTIES, receipt, says, step } from '../../support/threads.ts';

const EXT_BOT = 3;

/** A write by alice to frank, under a key of hers, unless it is said otherwise. */
function under(key: string, said: string, more: Partial<Once['key']> = {}): Once {
  return { key: { caller: ALICE, other: FRANK, kind: 'message', key, ...more }, digest: digest(said) };
}

async function engineForTest() {
  let now = 1_000;
  const { store, file, dir } = await storeForTest(() => now);
  const engine = createEngine({ asksConsent: false, log: store.log, clock: () => now });
  return {
    engine,
    store,
    file,
    dir,
    setClock: (at: number) => {
      now = at;
    },
    versionOf: async (id: string) => (await store.log.readHandoff(id))?.version,
  };
}

function send(engine: Engine, id: string, once: Once) {
  return engine.create({ ...PARTIES, id }, create(), once);
}

function reply(engine: Engine, id: string, caller: AgentId, once?: Once) {
  return engine.act(id, caller, (_handoff, party) => [says(party, 'and?')], once);
}

const CONFLICT = { reason: 'IDEMPOTENCY_CONFLICT', message: expect.stringContaining('take a new id') };

describe('the same message under the same key', () => {
  test('makes one handoff, and is answered with it', async () => {
    const { engine, store, file } = await engineForTest();
    const first = await send(engine, 'task-1', under('m1', 'hello'));
    const again = await send(engine, 'task-2', under('m1', 'hello'));
    expect(first.replayed).toBe(false);
    expect(again).toStrictEqual({ handoff: first.handoff, events: [], replayed: true });
    expect(await store.log.readHandoff('task-2')).toBeUndefined();
    expect(auditStore(file)).toEqual([]);
  });

  test('sent many times at once makes one handoff', async () => {
    const { engine } = await engineForTest();
    const all = await Promise.all(
      Array.from({ length: 20 }, (_none, index) => send(engine, `task-${index}`, under('m1', 'hello'))),
    );
    expect(all.filter(({ replayed }) => !replayed)).toHaveLength(1);
    expect(new Set(all.map(({ handoff }) => handoff.id)).size).toBe(1);
  });

  test('shows the handoff as it stands by now', async () => {
    const { engine } = await engineForTest();
    await send(engine, 'task-1', under('m1', 'hello'));
    await engine.act('task-1', FRANK, () => [step('accept'), step('complete')]);
    const again = await send(engine, 'task-2', under('m1', 'hello'));
    expect(again).toMatchObject({ replayed: true, handoff: { id: 'task-1', state: 'completed', version: 3 } });
  });

  test('on a thread is written once, and answered after the thread closed, too', async () => {
    const { engine, versionOf } = await engineForTest();
    await send(engine, 'task-1', under('m1', 'hello'));
    await reply(engine, 'task-1', ALICE, under('m2', 'and?'));
    await engine.act('task-1', FRANK, () => [step('decline')]);
    expect(await reply(engine, 'task-1', ALICE, under('m2', 'and?'))).toMatchObject({
      replayed: true,
      events: [],
      handoff: { state: 'declined' },
    });
    expect(await versionOf('task-1')).toBe(3);
  });

  test('is still known after the store was closed and opened', async () => {
    const { engine, store, dir } = await engineForTest();
    await send(engine, 'task-1', under('m1', 'hello'));
    await store.close();
    const reopened = openSqliteStore({ dataDir: dir, clock: Date.now });
    const again = createEngine({ asksConsent: false, log: reopened.log, clock: Date.now });
    expect(await send(again, 'task-2', under('m1', 'hello'))).toMatchObject({
      replayed: true,
      handoff: { id: 'task-1' },
    });
    await reopened.close();
  });

  test('of nothing to write keeps its key, too', async () => {
    const { engine } = await engineForTest();
    await send(engine, 'task-1', under('m1', 'hello'));
    await engine.act('task-1', FRANK, () => [step('accept')]);
    const once = under('k1', 'accept', { caller: FRANK, other: ALICE, kind: 'update' });
    const accept = (said: Once) => engine.act('task-1', FRANK, () => [step('accept')], said);
    expect(await accept(once)).toMatchObject({ replayed: false, events: [] });
    expect(await accept(once)).toMatchObject({ replayed: true });
    await expect(accept({ ...once, digest: digest('other') })).rejects.toMatchObject(CONFLICT);
  });
});

describe('another message under the same key', () => {
  test('is a conflict that names the handoff, and changes nothing', async () => {
    const { engine, file, versionOf } = await engineForTest();
    await send(engine, 'task-1', under('m1', 'hello'));
    await expect(send(engine, 'task-2', under('m1', 'goodbye'))).rejects.toMatchObject({
      ...CONFLICT,
      metadata: { taskId: 'task-1' },
    });
    expect(await versionOf('task-1')).toBe(1);
    expect(auditStore(file)).toEqual([]);
  });

  test('in the same moment is a conflict for whichever came second', async () => {
    const { engine } = await engineForTest();
    const [first, second] = await Promise.allSettled([
      send(engine, 'task-1', under('m1', 'hello')),
      send(engine, 'task-2', under('m1', 'goodbye')),
    ]);
    expect(first).toMatchObject({ status: 'fulfilled' });
    expect(second).toMatchObject({ reason: CONFLICT });
  });

  test('is a conflict whether the first began a handoff or went to one', async () => {
    const { engine } = await engineForTest();
    await send(engine, 'task-1', under('m1', 'hello'));
    await expect(reply(engine, 'task-1', ALICE, under('m1', 'and?'))).rejects.toMatchObject(CONFLICT);
    await reply(engine, 'task-1', ALICE, under('m2', 'and?'));
    await expect(send(engine, 'task-2', under('m2', 'hello'))).rejects.toMatchObject(CONFLICT);
  });
});

describe('a key', () => {
  test.each([
    ['caller', { caller: FRANK, other: ALICE }],
    ['other party', { other: EXT_BOT }],
    ['kind of write', { kind: 'update' as const }],
    ['text', { key: 'M1' }],
  ])('of another %s is another key', async (_what, more) => {
    const { engine } = await engineForTest();
    await send(engine, 'task-1', under('m1', 'hello'));
    expect(await send(engine, 'task-2', under('m1', 'other', more))).toMatchObject({ replayed: false });
  });

  test.each(['', 'a\u0000b', '🗝', "'; DROP TABLE task; --", 'k'.repeat(256)])('may be %j', async (key) => {
    const { engine } = await engineForTest();
    await send(engine, 'task-1', under(key, 'hello'));
    expect(await send(engine, 'task-2', under(key, 'hello'))).toMatchObject({ replayed: true });
  });

  test('is not needed: then every call counts', async () => {
    const { engine, versionOf } = await engineForTest();
    await engine.create(PARTIES, create());
    await reply(engine, 'task-1', ALICE);
    await reply(engine, 'task-1', ALICE);
    expect(await versionOf('task-1')).toBe(3);
  });
});

describe('a call that is refused', () => {
  test('keeps no key: the same call may succeed later', async () => {
    const { engine } = await engineForTest();
    await engine.create(PARTIES, create());
    const once = under('k1', 'complete', { caller: FRANK, other: ALICE, kind: 'update' });
    const complete = () => engine.act('task-1', FRANK, () => [step('complete')], once);
    await expect(complete()).rejects.toMatchObject({ reason: 'INVALID_TRANSITION' });
    await engine.act('task-1', FRANK, () => [step('accept')]);
    expect(await complete()).toMatchObject({ replayed: false, handoff: { state: 'completed' } });
  });

  test('keeps no key when another one of the same moment succeeds', async () => {
    const { engine, file } = await engineForTest();
    await engine.create(PARTIES, create());
    const once = under('k1', 'x', { caller: FRANK, other: ALICE, kind: 'update' });
    const results = await Promise.allSettled([
      engine.act('task-1', FRANK, () => [step('complete')], once),
      engine.act('task-1', FRANK, () => [step('accept')], once),
    ]);
    expect(results).toMatchObject([{ status: 'rejected' }, { value: { replayed: false } }]);
    expect(auditStore(file)).toEqual([]);
  });

  test('is written in no part, though some of its commands were legal', async () => {
    const { engine, file, versionOf } = await engineForTest();
    await engine.create(PARTIES, create());
    await expect(
      engine.act('task-1', FRANK, () => [step('accept'), artifact(), step('decline')]),
    ).rejects.toMatchObject({ reason: 'STATE_CHANGED' });
    expect(await versionOf('task-1')).toBe(1);
    expect(auditStore(file)).toEqual([]);
  });
});

describe('who is no party', () => {
  test.each([
    ['to a handoff', 'task-1'],
    ['to one that is not there', 'task-2'],
  ])('%s is told that it is not there', async (_what, id) => {
    const { engine } = await engineForTest();
    await engine.create(PARTIES, create());
    await expect(reply(engine, id, EXT_BOT)).rejects.toMatchObject({
      reason: 'TASK_NOT_FOUND',
      metadata: { taskId: id },
    });
  });

  test('learns nothing from keys either, and uses none up', async () => {
    const { engine } = await engineForTest();
    await engine.create(PARTIES, create());
    const once = under('m1', 'hello', { caller: EXT_BOT, other: FRANK });
    await expect(reply(engine, 'task-1', EXT_BOT, once)).rejects.toMatchObject({ reason: 'TASK_NOT_FOUND' });
    expect(await engine.create({ ...PARTIES, id: 'task-9', sender: EXT_BOT }, create(), once)).toMatchObject({
      replayed: false,
    });
  });
});

describe('what a call sees', () => {
  test('is the handoff as the calls before it in the same moment have made it', async () => {
    const { engine } = await engineForTest();
    await engine.create(PARTIES, create());
    const [accepted, cancelled, asked] = await Promise.allSettled([
      engine.act('task-1', FRANK, () => [step('accept')]),
      engine.act('task-1', ALICE, () => [step('cancel')]),
      engine.act('task-1', FRANK, ({ state }) => [step('ask', { message: message(`it is ${state}`) })]),
    ]);
    expect(accepted).toMatchObject({ value: { handoff: { state: 'accepted', version: 2 } } });
    expect(cancelled).toMatchObject({
      reason: { reason: 'TASK_NOT_CANCELABLE', metadata: { cause: 'ALREADY_ACCEPTED' } },
    });
    expect(asked).toMatchObject({
      value: { handoff: { version: 3 }, events: [{ message: { parts: [{ text: 'it is accepted' }] } }] },
    });
  });

  test('is the party that the caller is', async () => {
    const { engine } = await engineForTest();
    await engine.create(PARTIES, create());
    for (const [caller, expected] of [
      [ALICE, 'sender'],
      [FRANK, 'recipient'],
    ] as const) {
      await engine.act('task-1', caller, (_handoff, party) => {
        expect(party).toBe(expected);
        return [];
      });
    }
  });
});

test('cancelling twice is one cancel', async () => {
  const { engine } = await engineForTest();
  await engine.create(PARTIES, create());
  const cancel = () => engine.act('task-1', ALICE, () => [step('cancel')]);
  const [first, second] = await Promise.all([cancel(), cancel()]);
  expect(first.events).toHaveLength(1);
  expect(second).toStrictEqual({ handoff: first.handoff, events: [], replayed: false });
  expect(await cancel()).toStrictEqual(second);
});

test('receipts that say nothing new write nothing', async () => {
  const { engine, versionOf } = await engineForTest();
  await engine.create(PARTIES, create());
  const ack = () => engine.act('task-1', FRANK, () => [receipt('recipient', 'acked', 1)]);
  await Promise.all([ack(), ack(), ack()]);
  expect(await versionOf('task-1')).toBe(2);
});

test('a clock that goes backwards makes no thread that does', async () => {
  const { engine, store, setClock, file } = await engineForTest();
  await engine.create(PARTIES, create());
  for (const at of [5_000, 10, 0, 4_000, 6_000]) {
    setClock(at);
    await reply(engine, 'task-1', ALICE);
  }
  const read = await store.log.readTask('task-1', 0, -1);
  expect(read?.events.map(({ at }) => at)).toEqual([1_000, 5_000, 5_000, 5_000, 5_000, 6_000]);
  expect(auditStore(file)).toEqual([]);
});
