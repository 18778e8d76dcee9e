import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { NewAgent } from '../../../relay/store/ports.ts';
import { openDatabase } from '../../../relay/store/sqlite/database.ts';
import { createDirectory } from '../../../relay/store/sqlite/directory.ts';
import { MIGRATIONS } from '../../../relay/store/sqlite/migrations/index.ts';
import { keyHash, logForTest, newAgent } from '../../support/stores.ts';
import { tempDir } from '../../support/temp-dir.ts';

/** The directory's search, beside agents 1 to 3: alice, frank and ext-bot, of whom only the names are known. */
async function searchable(...agents: (Partial<NewAgent> & { readonly name: string })[]) {
  const { db } = await logForTest();
  let now = 5_000;
  const directory = createDirectory(db, () => now++);
  for (const [index, agent] of agents.entries()) {
    await directory.createAgent(
      { ...newAgent(agent.name), ...agent },
      { hash: keyHash(100 + index), scopes: ['send'] },
    );
  }
  const find = async (query: Partial<Parameters<typeof directory.searchAgents>[0]> = {}) =>
    (await directory.searchAgents({ viewer: 1, limit: 100, ...query })).map(({ name }) => name);
  return { db, directory, find };
}

describe('the directory', () => {
  test('finds agents by words, by skill and by repository, and by all of them at once', async () => {
    const { find } = await searchable(
      { name: 'mia', displayName: 'Mia Möller', skills: ['Tailwind CSS', 'react'], repos: ['apps/web/'] },
      { name: 'priya', role: 'backend', skills: ['postgres'], repos: ['apps/api/'] },
    );
    expect(await find({ text: 'MÖLLER' })).toEqual(['mia']);
    expect(await find({ text: 'takes handoffs' })).toEqual(['alice', 'ext-bot', 'frank', 'mia', 'priya']);
    expect(await find({ skill: 'tailwind' })).toEqual(['mia']);
    expect(await find({ repo: 'apps/api/src/main.ts' })).toEqual(['priya']);
    expect(await find({ repo: 'apps' })).toEqual(['mia', 'priya']);
    expect(await find({ text: 'mia', skill: 'react', repo: 'apps/web' })).toEqual(['mia']);
    expect(await find({ text: 'mia', skill: 'react', repo: 'apps/api' })).toEqual([]);
    for (const nothing of [{ text: '%' }, { text: '_' }, { skill: "' OR 1" }, { skill: '' }, { repo: '' }]) {
      expect([nothing, await find(nothing)]).toEqual([nothing, []]);
    }
  });

  test('shows nobody who is not listed, but to themselves', async () => {
    const { find } = await searchable({ name: 'mia', listed: false, skills: ['rust'] });
    expect(await find({ skill: 'rust' })).toEqual([]);
    expect(await find({ skill: 'rust', viewer: 4 })).toEqual(['mia']);
    expect(await find({ viewer: 4 })).toContain('mia');
  });

  test('shows nobody who was removed, and shows them again once they are back', async () => {
    const { find, directory } = await searchable({ name: 'mia', skills: ['rust'] });
    await directory.removeAgent(4);
    expect(await find({ skill: 'rust' })).toEqual([]);
    await directory.restoreAgent(4, { hash: keyHash(200), scopes: ['send'] });
    expect(await find({ skill: 'rust' })).toEqual(['mia']);
  });

  test('pages by name: nobody is missing or there twice, whoever comes in between', async () => {
    const { find, directory } = await searchable({ name: 'b' }, { name: 'd' });
    const first = await find({ limit: 2 });
    expect(first).toEqual(['alice', 'b']);
    await directory.createAgent(newAgent('a'), { hash: keyHash(150), scopes: ['send'] });
    await directory.createAgent(newAgent('c'), { hash: keyHash(151), scopes: ['send'] });
    expect(await find({ limit: 100, after: first.at(-1) ?? '' })).toEqual(['c', 'd', 'ext-bot', 'frank']);
  });
});

describe('an agent that changes', () => {
  const change = {
    displayName: 'M',
    description: 'New.',
    skills: ['go'],
    repos: ['x/'],
    listed: true,
    contacts: 'ask',
  } as const;

  test('is found by what it says now, and by nothing that it said before', async () => {
    const { find, directory } = await searchable({ name: 'mia', role: 'ops', skills: ['rust'], repos: ['apps/'] });
    const before = await directory.agentByName('mia');
    const profile = { skills: [{ id: 'go', name: 'go', description: 'Gophers.', tags: ['backend'] }] };
    const after = await directory.updateAgent(4, () => ({ ...change, profile }));
    expect(after).toEqual({
      ...newAgent('mia'),
      ...change,
      profile,
      id: 4,
      createdAt: before?.createdAt,
      updatedAt: expect.any(Number),
    });
    expect(after?.updatedAt).toBeGreaterThan(before?.updatedAt ?? 0);
    expect(await directory.agentById(4)).toEqual(after);
    for (const query of [{ skill: 'backend' }, { skill: 'go' }, { repo: 'x' }, { text: 'gophers' }]) {
      expect([query, await find(query)]).toEqual([query, ['mia']]);
    }
    for (const query of [{ skill: 'rust' }, { repo: 'apps' }, { text: 'ops' }]) {
      expect([query, await find(query)]).toEqual([query, []]);
    }
  });

  test('is newer each time, whatever the clock says', async () => {
    const { db } = await logForTest();
    const directory = createDirectory(db, () => 7);
    const times = [];
    for (let i = 0; i < 3; i++) times.push((await directory.updateAgent(1, () => change))?.updatedAt ?? 0);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(new Set(times).size).toBe(3);
  });

  test('stays as it was when its change is refused', async () => {
    const { directory, find } = await searchable({ name: 'mia', skills: ['rust'] });
    const before = await directory.agentByName('mia');
    const refused = directory.updateAgent(4, () => {
      throw new Error('no');
    });
    await expect(refused).rejects.toThrow('no');
    expect(await directory.agentByName('mia')).toEqual(before);
    expect(await find({ skill: 'rust' })).toEqual(['mia']);
  });

  test('that is not there is not changed', async () => {
    const { directory } = await searchable();
    expect(await directory.updateAgent(99, () => change)).toBeUndefined();
  });
});

test('agents of a store from before there was a search are found', async () => {
  const dir = tempDir();
  const options = { file: join(dir, 'relay.db'), backups: join(dir, 'backups'), clock: Date.now };
  openDatabase({ ...options, migrations: MIGRATIONS.slice(0, 1) }).close();
  const old = new Sqlite(options.file);
  old
    .prepare(
      `INSERT INTO agent (uid, name, kind, replies, display_name, description, role, skills, repos, listed, created_at, updated_at)
       VALUES ('u', 'mia', 'desk', 'append', 'Mia', 'Größe.', 'ops', '["Tailwind CSS"]', '["apps/web/"]', 1, 1, 2)`,
    )
    .run();
  old.close();
  const db = openDatabase(options);
  onTestFinished(() => void db.close());
  const directory = createDirectory(db, Date.now);
  const mia = await directory.agentByName('mia');
  expect(mia).toMatchObject({ name: 'mia', skills: ['Tailwind CSS'], updatedAt: 2 });
  for (const query of [{ skill: 'tailwind' }, { repo: 'apps/web/x.ts' }, { text: 'GRÖßE' }]) {
    expect(await directory.searchAgents({ viewer: 9, limit: 10, ...query })).toEqual([mia]);
  }
});
