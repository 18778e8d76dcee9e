import { describe, expect, test } from 'vitest';
import { createDirectory } from '../../../relay/store/sqlite/directory.ts';
import { keyHash, logForTest, newAgent } from '../../support/stores.ts';

async function directoryForTest() {
  const { db } = await logForTest();
  return { db, directory: createDirectory(db, () => 5_000) };
}

const KEY = { hash: keyHash(77), scopes: ['send', 'receive'] as const };

describe('an agent', () => {
  test('is found by name, by number and by key, as it was made', async () => {
    const { directory } = await directoryForTest();
    const made = await directory.createAgent(
      { ...newAgent('mia'), role: 'api', skills: ['sql'], repos: ['shop'] },
      KEY,
    );
    expect(made).toEqual({
      ...newAgent('mia'),
      id: 4,
      role: 'api',
      skills: ['sql'],
      repos: ['shop'],
      createdAt: 5_000,
      updatedAt: 5_000,
    });
    expect(await directory.agentByName('mia')).toEqual(made);
    expect(await directory.agentById(made.id)).toEqual(made);
    expect(await directory.keyByHash(KEY.hash)).toMatchObject({ agent: made, scopes: KEY.scopes });
  });

  test('that nobody made is not found', async () => {
    const { directory } = await directoryForTest();
    expect(await directory.agentByName('mia')).toBeUndefined();
    expect(await directory.agentByName("mia' OR ''='")).toBeUndefined();
    expect(await directory.agentById(99)).toBeUndefined();
    expect(await directory.keyByHash(KEY.hash)).toBeUndefined();
  });

  test('of a name that is taken is not made, nor its key', async () => {
    const { directory } = await directoryForTest();
    await expect(directory.createAgent({ ...newAgent('alice'), uid: 'another' }, KEY)).rejects.toMatchObject({
      reason: 'HANDLE_TAKEN',
      metadata: { handle: 'alice' },
    });
    expect(await directory.keyByHash(KEY.hash)).toBeUndefined();
  });

  test('with a key that is taken is not made either', async () => {
    const { directory } = await directoryForTest();
    await expect(directory.createAgent(newAgent('mia'), { ...KEY, hash: keyHash(0) })).rejects.toMatchObject({
      code: 'SQLITE_CONSTRAINT_UNIQUE',
    });
    expect(await directory.agentByName('mia')).toBeUndefined();
  });
});

describe('a key', () => {
  test('that was revoked opens nothing', async () => {
    const { directory, db } = await directoryForTest();
    await directory.createAgent(newAgent('mia'), KEY);
    db.prepare('UPDATE api_key SET revoked_at = 1 WHERE hash = ?').run(KEY.hash);
    expect(await directory.keyByHash(KEY.hash)).toBeUndefined();
  });

  test('is noted as used', async () => {
    const { directory, db } = await directoryForTest();
    await directory.createAgent(newAgent('mia'), KEY);
    const key = await directory.keyByHash(KEY.hash);
    await directory.touchKey(key?.id ?? 0, 9_000);
    expect(db.prepare('SELECT last_used_at FROM api_key WHERE hash = ?').pluck().get(KEY.hash)).toBe(9_000);
  });
});

test('a disk that fails is a rejection, never an exception in the middle of a request', async () => {
  const { directory, db } = await directoryForTest();
  db.close();
  const calls: (() => Promise<unknown>)[] = [
    () => directory.createAgent(newAgent('mia'), KEY),
    () => directory.agentByName('mia'),
    () => directory.agentById(1),
    () => directory.keyByHash(KEY.hash),
    () => directory.touchKey(1, 1),
  ];
  for (const call of calls) await expect(call()).rejects.toThrow('not open');
});
