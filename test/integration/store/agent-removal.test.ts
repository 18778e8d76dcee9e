import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createEngine } from '../../../relay/handoffs/engine.ts';
import { openDatabase } from '../../../relay/store/sqlite/database.ts';
import { MIGRATIONS } from '../../../relay/store/sqlite/migrations/index.ts';
import { removals } from '../../../relay/store/sqlite/migrations/005-removals.ts';
import { openSqliteStore } from '../../../relay/store/sqlite/store.ts';
import { keyHash, newAgent, storeForTest } from '../../support/stores.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { create, step } from '../../support/threads.ts';

const KEY = { hash: keyHash(77), scopes: ['send', 'receive'] as const };
const names = (agents: readonly { readonly name: string }[]) => agents.map(({ name }) => name);

async function acme() {
  const { store } = await storeForTest(() => 5_000);
  const { directory } = store;
  const alice = await directory.agentByName('alice');
  const frank = await directory.agentByName('frank');
  if (alice === undefined || frank === undefined) throw new Error('who is here?');
  const found = async () => names(await directory.searchAgents({ viewer: frank.id, text: 'alice', limit: 10 }));
  return { store, directory, alice, frank, found };
}

describe('removing an agent', () => {
  test('takes all of its keys, and says which; and leaves the agent to be named', async () => {
    const { directory, alice } = await acme();
    const before = await directory.keyByHash(keyHash(0));
    const removed = await directory.removeAgent(alice.id);
    expect(removed?.keyIds).toEqual([before?.id]);
    expect(removed?.agent).toMatchObject({ id: alice.id, name: 'alice', removedAt: 5_000 });
    expect(removed?.agent.updatedAt).toBeGreaterThan(alice.updatedAt);
    expect(await directory.keyByHash(keyHash(0))).toBeUndefined();
    expect(await directory.agentById(alice.id)).toEqual(removed?.agent);
    expect(await directory.keyByHash(keyHash(1))).toMatchObject({ agent: { name: 'frank' } });
  });

  test('takes it out of the directory', async () => {
    const { directory, alice, found } = await acme();
    expect(await found()).toEqual(['alice']);
    await directory.removeAgent(alice.id);
    expect(await found()).toEqual([]);
  });

  test('keeps its name from all others', async () => {
    const { directory, alice } = await acme();
    await directory.removeAgent(alice.id);
    await expect(directory.createAgent(newAgent('alice'), KEY)).rejects.toMatchObject({
      reason: 'HANDLE_TAKEN',
      metadata: { cause: 'REMOVED' },
    });
    await expect(directory.createAgent(newAgent('frank'), KEY)).rejects.not.toHaveProperty('metadata.cause');
  });

  test('of nobody changes nothing', async () => {
    const { directory } = await acme();
    expect(await directory.removeAgent(999)).toBeUndefined();
    expect(await directory.restoreAgent(999, KEY)).toBeUndefined();
    expect(await directory.keyByHash(KEY.hash)).toBeUndefined();
  });
});

describe('restoring an agent', () => {
  test('gives it back as it was, with the new key alone', async () => {
    const { directory, alice, found } = await acme();
    await directory.removeAgent(alice.id);
    const restored = await directory.restoreAgent(alice.id, KEY);
    expect(restored).toEqual({ ...alice, updatedAt: expect.any(Number) });
    expect(await directory.keyByHash(KEY.hash)).toMatchObject({ agent: restored, scopes: ['send', 'receive'] });
    expect(await directory.keyByHash(keyHash(0))).toBeUndefined();
    expect(await found()).toEqual(['alice']);
  });

  test('lists nobody who was not listed', async () => {
    const { directory, alice, found } = await acme();
    const { displayName, description, skills, repos } = alice;
    await directory.updateAgent(alice.id, () => ({
      displayName,
      description,
      skills,
      repos,
      listed: false,
      contacts: 'ask',
    }));
    await directory.removeAgent(alice.id);
    await directory.restoreAgent(alice.id, KEY);
    expect(await found()).toEqual([]);
  });
});

test('the list of agents has all of them, in pages', async () => {
  const { directory, alice } = await acme();
  await directory.removeAgent(alice.id);
  const first = await directory.listAgents('', 2);
  expect(names(first)).toEqual(['alice', 'ext-bot']);
  expect(first.map(({ removedAt }) => removedAt)).toEqual([5_000, undefined]);
  expect(names(await directory.listAgents('ext-bot', 2))).toEqual(['frank']);
  expect(await directory.listAgents('frank', 2)).toEqual([]);
});

describe('what is open and was for who is removed', () => {
  test('is found, and nothing else: so many at most, and what was asked to be written before', async () => {
    const { store, directory, alice, frank } = await acme();
    const { log } = store;
    const engine = createEngine({ asksConsent: false, log, clock: () => 5_000 });
    const send = (id: string, sender: number, recipient: number) =>
      engine.create({ id, contextId: 'c', sender, recipient }, create());
    await send('to-alice', frank.id, alice.id);
    await send('from-alice', alice.id, frank.id);
    await send('declined', frank.id, alice.id);
    await engine.act('declined', alice.id, () => [step('decline')]);
    expect(await log.abandoned(10)).toEqual([]);
    await directory.removeAgent(alice.id);
    const last = send('last', frank.id, alice.id);
    expect((await log.abandoned(10)).toSorted()).toEqual(['last', 'to-alice']);
    await last;
    expect(await log.abandoned(1)).toHaveLength(1);
    await directory.restoreAgent(alice.id, KEY);
    expect(await log.abandoned(10)).toEqual([]);
  });
});

test('a store from before there were removals has everybody, and counts what is open', async () => {
  const dataDir = tempDir();
  const before = MIGRATIONS.slice(0, MIGRATIONS.indexOf(removals));
  const file = join(dataDir, 'relay.db');
  const db = openDatabase({ file, backups: join(dataDir, 'backups'), clock: Date.now, migrations: before });
  db.exec(
    `INSERT INTO agent (uid, name, kind, replies, display_name, description, skills, repos, listed, created_at, updated_at)
     VALUES ('u', 'mia', 'desk', 'append', 'Mia', 'Mia takes handoffs here.', '[]', '[]', 1, 1, 1)`,
  );
  db.close();
  const store = openSqliteStore({ dataDir, clock: () => 5_000 });
  onTestFinished(() => store.close());
  const mia = await store.directory.agentByName('mia');
  expect(mia).toMatchObject({ name: 'mia' });
  expect(mia).not.toHaveProperty('removedAt');
  expect((await store.directory.removeAgent(mia?.id ?? 0))?.agent.removedAt).toBe(5_000);
  expect(await store.log.countOpen()).toEqual({});
});
