import { describe, expect, test } from 'vitest';
import { createEngine } from '../../../relay/handoffs/engine.ts';
import type { NewPushConfig, PushStore } from '../../../relay/store/ports.ts';
import { storeForTest } from '../../support/stores.ts';
import { ALICE, create, FRANK, PARTIES, step } from '../../support/threads.ts';

const DAY = 86_400_000;
const TASK = PARTIES.id;

async function stored() {
  let now = 10 * DAY;
  const { store } = await storeForTest(() => now);
  const engine = createEngine({ asksConsent: false, log: store.log, clock: () => now });
  await engine.create(PARTIES, create());
  return {
    push: store.push,
    directory: store.directory,
    pass: (ms: number) => (now += ms),
    decline: (id = TASK) => engine.act(id, FRANK, () => [step('decline', { reason: 'no' })]),
    another: (id: string) => engine.create({ ...PARTIES, id }, create()),
  };
}

const CONFIG: NewPushConfig = {
  taskId: TASK,
  agent: ALICE,
  id: 'c',
  url: 'https://hook.example/',
  token: 'whose',
  authentication: { scheme: 'Bearer', credentials: 's3cret' },
  wakeUp: false,
  generation: 'A2A 1.0',
  cursor: 1,
};

async function add(push: PushStore, more: Partial<NewPushConfig> = {}): Promise<number> {
  const added = await push.put({ ...CONFIG, ...more });
  if (added === undefined) throw new Error('nobody is there whose it could be');
  return added.config.pk;
}
const letter = (version: number) => ({ version, error: 'HTTP 500', attempts: 4, diedAt: version });

describe('a webhook', () => {
  test('is kept as it was given', async () => {
    const { push } = await stored();
    const bare = { taskId: TASK, agent: FRANK, id: 'd', url: 'https://d', wakeUp: true, cursor: 1 } as const;
    const pk = await add(push);
    await push.put({ ...bare, generation: 'A2A 0.1', alias: 'mine' });
    expect(await push.list(TASK, ALICE)).toEqual([{ ...CONFIG, pk }]);
    expect(await push.list(TASK, FRANK)).toEqual([
      { ...bare, generation: 'A2A 0.1', alias: 'mine', pk: expect.any(Number) },
    ]);
    expect(await push.list('another', ALICE)).toEqual([]);
  });

  test('given once more is no second one, and waits on for its next attempt', async () => {
    const { push } = await stored();
    const pk = await add(push);
    const failure = { attempts: 2, since: 5, nextAt: 50 };
    await push.noteFailed(pk, failure);
    const again = await push.put({ ...CONFIG, cursor: 9 });
    expect(again).toEqual({ config: { ...CONFIG, pk, failure }, isChanged: false });
  });

  test('with another address goes on where it was, and at once', async () => {
    const { push } = await stored();
    const pk = await add(push);
    await push.noteFailed(pk, { attempts: 2, since: 5, nextAt: 50 });
    const { token: _token, authentication: _authentication, ...bare } = CONFIG;
    const changed = await push.put({ ...bare, url: 'https://other', cursor: 9 });
    expect(changed).toEqual({ config: { ...bare, url: 'https://other', pk }, isChanged: true });
  });

  test('is removed once, with its dead letters, and nobody else’s', async () => {
    const { push } = await stored();
    const [pk, other] = [await add(push), await add(push, { agent: FRANK })];
    await push.bury(pk, letter(2));
    expect(await push.remove(TASK, ALICE, 'd')).toBeUndefined();
    expect(await push.remove(TASK, ALICE, 'c')).toBe(pk);
    expect(await push.remove(TASK, ALICE, 'c')).toBeUndefined();
    expect(await push.deadLetters(ALICE, 10)).toEqual([]);
    expect(await push.list(TASK, FRANK)).toMatchObject([{ pk: other }]);
  });
});

describe('what is left to do', () => {
  test('is of open tasks, due or not, and of closed ones only what is due', async () => {
    const { push, another, decline } = await stored();
    await another('open');
    const [open, closed] = [await add(push, { taskId: 'open' }), await add(push)];
    await decline();
    expect((await push.live()).map(({ config, isDue }) => [config.pk, isDue])).toEqual([
      [open, false],
      [closed, true],
    ]);
    await push.noteDelivered(closed, 2);
    expect((await push.live()).map(({ config }) => config.pk)).toEqual([open]);
  });

  test('remembers a failure until something is delivered', async () => {
    const { push } = await stored();
    const pk = await add(push);
    const failure = { attempts: 1, since: 100, nextAt: 200 };
    await push.noteFailed(pk, failure);
    expect(await push.list(TASK, ALICE)).toEqual([{ ...CONFIG, pk, failure }]);
    await push.noteDelivered(pk, 2);
    expect(await push.list(TASK, ALICE)).toEqual([{ ...CONFIG, pk, cursor: 2 }]);
  });
});

describe('a dead letter', () => {
  test('is seen by its owner, newest first, and passed', async () => {
    const { push } = await stored();
    const pk = await add(push);
    await push.noteFailed(pk, { attempts: 3, since: 1, nextAt: 2 });
    await push.bury(pk, letter(2));
    await push.bury(pk, letter(3));
    const known = { taskId: TASK, configId: 'c', url: CONFIG.url };
    expect(await push.deadLetters(ALICE, 10)).toEqual([
      { ...known, ...letter(3) },
      { ...known, ...letter(2) },
    ]);
    expect(await push.deadLetters(ALICE, 1)).toHaveLength(1);
    expect(await push.deadLetters(FRANK, 10)).toEqual([]);
    expect(await push.list(TASK, ALICE)).toEqual([{ ...CONFIG, pk, cursor: 3 }]);
  });

  test('is revived by going back to before the first one', async () => {
    const { push } = await stored();
    const pk = await add(push);
    await push.bury(pk, letter(3));
    await push.noteDelivered(pk, 4);
    await push.bury(pk, letter(5));
    expect(await push.revive(TASK, FRANK)).toEqual([]);
    expect(await push.revive(TASK, ALICE)).toEqual([{ ...CONFIG, pk, cursor: 2 }]);
    expect(await push.deadLetters(ALICE, 10)).toEqual([]);
    expect(await push.revive(TASK, ALICE)).toEqual([]);
  });
});

test('webhooks of tasks that are long over are forgotten, but not what they still have to do', async () => {
  const { push, pass, decline, another } = await stored();
  for (const id of ['behind', 'dead', 'open']) await another(id);
  const done = await add(push);
  const behind = await add(push, { taskId: 'behind' });
  const dead = await add(push, { taskId: 'dead' });
  const open = await add(push, { taskId: 'open' });
  for (const id of [TASK, 'behind', 'dead']) await decline(id);
  await push.noteDelivered(done, 2);
  await push.bury(dead, letter(2));
  await push.prune(10 * DAY);
  expect(await push.list(TASK, ALICE)).toMatchObject([{ pk: done }]);
  await push.prune(pass(DAY));
  expect(await push.list(TASK, ALICE)).toEqual([]);
  for (const [id, pk] of [
    ['behind', behind],
    ['dead', dead],
    ['open', open],
  ] as const) {
    expect(await push.list(id, ALICE)).toMatchObject([{ pk }]);
  }
});

test('an agent that was removed has no webhooks, also none that comes late', async () => {
  const { push, directory } = await stored();
  await add(push);
  await directory.removeAgent(ALICE);
  expect(await push.put({ ...CONFIG, id: 'late' })).toBeUndefined();
  expect(await push.list(TASK, ALICE)).toEqual([]);
  expect(await push.live()).toEqual([]);
});
