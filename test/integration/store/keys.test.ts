import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../../relay/store/sqlite/database.ts';
import { keysAndInvites } from '../../../relay/store/sqlite/migrations/008-keys-and-invites.ts';
import { MIGRATIONS } from '../../../relay/store/sqlite/migrations/index.ts';
import { openSqliteStore } from '../../../relay/store/sqlite/store.ts';
import { keyHash, newAgent, storeForTest } from '../../support/stores.ts';
import { tempDir } from '../../support/temp-dir.ts';

/** A store whose clock the test moves; alice is agent 1, with key 1. */
async function acme() {
  let now = 1_000;
  const { store } = await storeForTest(() => now);
  return { ...store, at: (time: number) => void (now = time) };
}
const alice = 1;
const frank = 2;
const scopes = ['receive'] as const;

test('a key that is over or revoked is in no list, and makes none', async () => {
  const { keys, at } = await acme();
  expect(await keys.rotate(1, keyHash(101), 2_000, 9)).toEqual({ endsAt: 2_000 });
  expect((await keys.list(alice)).map(({ endsAt }) => endsAt)).toEqual([2_000, undefined]);
  at(2_000);
  const [successor, ...others] = await keys.list(alice);
  expect([successor?.scopes, others]).toEqual([['send', 'receive'], []]);
  for (const made of [keys.add(1, { hash: keyHash(102), scopes }, 9), keys.rotate(1, keyHash(101), 3_000, 9)]) {
    expect(await made).toBe('gone');
  }
  expect(await keys.revoke(alice, 1)).toBe(false);
});

test('a rotation is repeated by the same successor alone, for as long as that is good', async () => {
  const { keys } = await acme();
  await keys.rotate(1, keyHash(101), 2_000, 9);
  expect(await keys.rotate(1, keyHash(101), 9_000, 9)).toEqual({ endsAt: 2_000 });
  expect(await keys.rotate(1, keyHash(102), 9_000, 9)).toBe('rotated');
  const [, successor] = await keys.list(alice);
  await keys.revoke(alice, successor?.id ?? 0);
  expect(await keys.rotate(1, keyHash(101), 9_000, 9)).toBe('rotated');
});

test('a hash is stored once, whoever’s it is, and an agent has as many keys as it may', async () => {
  const { keys } = await acme();
  expect(await keys.add(1, { hash: keyHash(1), scopes }, 9)).toBe('taken');
  expect(await keys.add(1, { hash: keyHash(101), scopes }, 1)).toBe('full');
  expect(await keys.add(99, { hash: keyHash(101), scopes }, 9)).toBe('gone');
  expect(await keys.add(1, { hash: keyHash(101), scopes }, 2)).toEqual({ id: expect.any(Number) });
  expect(await keys.rotate(1, keyHash(102), 2_000, 2)).toBe('full');
  expect(await keys.list(frank)).toHaveLength(1);
});

test('an agent revokes its own keys and no other’s', async () => {
  const { keys, directory } = await acme();
  expect(await keys.revoke(frank, 1)).toBe(false);
  expect(await keys.revoke(alice, 1)).toBe(true);
  expect(await keys.revoke(alice, 1)).toBe(false);
  expect(await directory.keyByHash(keyHash(0))).toBeUndefined();
  expect(await directory.keyByHash(keyHash(1))).toMatchObject({ agent: { name: 'frank' } });
});

test('all keys of an agent are replaced by one that may do what any of them could', async () => {
  const { keys, directory } = await acme();
  await keys.add(1, { hash: keyHash(101), scopes: ['admin'] }, 9);
  const replaced = await keys.replaceAll(alice, { hash: keyHash(102), scopes: ['receive', 'contacts'] });
  expect(replaced).toMatchObject({ agent: { name: 'alice' }, keyIds: [1, expect.any(Number)], webhooks: [] });
  expect(await keys.list(alice)).toMatchObject([{ scopes: ['send', 'receive', 'contacts', 'admin'] }]);
  expect(await directory.keyByHash(keyHash(0))).toBeUndefined();
  await directory.removeAgent(alice);
  expect(await keys.replaceAll(alice, { hash: keyHash(103), scopes })).toBeUndefined();
  expect(await keys.replaceAll(99, { hash: keyHash(103), scopes })).toBeUndefined();
});

test('a store from before there were invites has all keys as they were, and takes invites', async () => {
  const dataDir = tempDir();
  const before = MIGRATIONS.slice(0, MIGRATIONS.indexOf(keysAndInvites));
  const file = join(dataDir, 'relay.db');
  const db = openDatabase({ file, backups: join(dataDir, 'backups'), clock: Date.now, migrations: before });
  db.exec(
    `INSERT INTO agent (uid, name, kind, replies, display_name, description, role, skills, repos, listed, created_at, updated_at)
     VALUES ('u', 'mia', 'desk', 'append', 'Mia', 'Mia takes handoffs here.', 'designer', '[]', '[]', 1, 1, 1)`,
  );
  db.prepare(`INSERT INTO api_key (agent, hash, scopes, created_at, last_used_at) VALUES (1, ?, '["send"]', 1, 2)`).run(
    keyHash(7),
  );
  db.close();
  const store = openSqliteStore({ dataDir, clock: () => 5_000 });
  onTestFinished(() => store.close());
  const key = await store.directory.keyByHash(keyHash(7));
  expect(key).toMatchObject({ id: 1, scopes: ['send'], agent: { name: 'mia', role: 'designer' } });
  expect(key).not.toHaveProperty('endsAt');
  expect(key?.agent).not.toHaveProperty('hasGivenRole');
  expect(await store.keys.list(1)).toEqual([{ id: 1, scopes: ['send'], createdAt: 1, lastUsedAt: 2 }]);
  await store.invites.add({ id: 'i', name: 'priya', hash: keyHash(8), expiresAt: 6_000 });
  const redeemed = await store.invites.redeem(keyHash(8), { hash: keyHash(9), scopes }, ({ name }) => newAgent(name));
  expect(redeemed).toMatchObject({ agent: { name: 'priya' } });
});
