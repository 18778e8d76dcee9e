import { randomBytes } from 'node:crypto';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createKey, hashKey } from '../../../relay/identity/keys.ts';
import { createRegistry } from '../../../relay/identity/registry.ts';
import { openSqliteStore } from '../../../relay/store/sqlite/store.ts';
import { tempDir } from '../../support/temp-dir.ts';

function acme() {
  const store = openSqliteStore({ dataDir: tempDir(), clock: () => 1_000 });
  onTestFinished(() => store.close());
  const { directory, keys } = store;
  const open = () => createRegistry({ directory, keys, random: randomBytes, relayName: 'acme' });
  return { directory, keys, open, ...open() };
}

describe('registering an agent', () => {
  test('gives a key that opens the directory, which itself keeps only its hash', async () => {
    const { register, directory } = acme();
    const { agent, apiKey } = await register({ handle: 'alice' });
    expect((await directory.keyByHash(hashKey(apiKey)))?.agent).toEqual(agent);
  });

  test.each(['alice', 'ALICE', 'alice@acme', 'Alice@ACME'])('takes %s as alice of this relay', async (handle) => {
    const { register, resolve } = acme();
    const { agent } = await register({ handle });
    expect(agent.name).toBe('alice');
    expect(await resolve('alice@acme')).toEqual(agent);
  });

  test.each([
    '',
    '@acme',
    'alice@',
    'alice@other',
    'al ice',
    'alice/bob',
    'tasks:1',
    'älice',
    '-alice',
    'a'.repeat(65),
  ])('refuses "%s" as no handle of this relay', async (handle) => {
    const { register } = acme();
    await expect(register({ handle })).rejects.toMatchObject({
      reason: 'INVALID_PARAMS',
      violations: [{ field: 'handle' }],
    });
  });

  test.each(['guide', 'Admin', 'relay@acme'])('refuses %s, which is the relay itself', async (handle) => {
    const { register, resolve } = acme();
    await expect(register({ handle })).rejects.toMatchObject({ reason: 'HANDLE_TAKEN' });
    expect(await resolve(handle)).toBeUndefined();
  });

  test('refuses a name that is in use, whatever its letter case, and leaves its owner alone', async () => {
    const { register, resolve } = acme();
    const { agent } = await register({ handle: 'alice' });
    await expect(register({ handle: 'ALICE', displayName: 'Mallory' })).rejects.toMatchObject({
      reason: 'HANDLE_TAKEN',
    });
    expect(await resolve('alice')).toEqual(agent);
  });

  test('gives a name to exactly one of two that want it at the same time', async () => {
    const { register } = acme();
    const outcomes = await Promise.allSettled([register({ handle: 'alice' }), register({ handle: 'alice' })]);
    expect(outcomes.map((outcome) => outcome.status).toSorted()).toEqual(['fulfilled', 'rejected']);
  });

  test('fills in what was left out', async () => {
    const { register } = acme();
    const { agent } = await register({ handle: 'alice' });
    expect(agent).toMatchObject({
      kind: 'desk',
      replies: 'append',
      displayName: 'alice',
      description: 'alice takes handoffs here.',
      skills: [],
      repos: [],
      listed: true,
    });
    expect(agent).not.toHaveProperty('role');
  });

  test('keeps what was given', async () => {
    const { register } = acme();
    const described = {
      kind: 'a2a' as const,
      displayName: 'Ext Bot',
      description: 'Reviews contracts.',
      role: 'reviewer',
      skills: ['contracts'],
      repos: ['acme/shop'],
      listed: false,
    };
    const { agent } = await register({ handle: 'ext-bot', ...described });
    expect(agent).toMatchObject(described);
  });

  test('lets an agent that is no desk finish a task by answering it', async () => {
    const { register } = acme();
    expect((await register({ handle: 'ext-bot', kind: 'a2a' })).agent.replies).toBe('complete');
    expect((await register({ handle: 'mia', kind: 'desk' })).agent.replies).toBe('append');
  });

  test('never gives two agents the same uid or key', async () => {
    const { register } = acme();
    const all = await Promise.all(['alice', 'frank', 'mia'].map((handle) => register({ handle })));
    expect(new Set(all.map(({ agent }) => agent.uid)).size).toBe(3);
    expect(new Set(all.map(({ apiKey }) => apiKey)).size).toBe(3);
  });
});

describe('an agent that brings its own key', () => {
  test('is registered with it', async () => {
    const { register, directory } = acme();
    const apiKey = createKey(randomBytes);
    expect((await register({ handle: 'alice', apiKey })).apiKey).toBe(apiKey);
    expect((await directory.keyByHash(hashKey(apiKey)))?.agent.name).toBe('alice');
  });

  test('is the same agent when it comes again with the same name and key', async () => {
    const { register, open } = acme();
    const apiKey = createKey(randomBytes);
    const first = await register({ handle: 'alice', apiKey });
    // after a crash: another process, which remembers nothing
    expect(await open().register({ handle: 'alice@acme', apiKey, displayName: 'Alice' })).toEqual(first);
  });

  test('is the same agent when it comes twice at the same time', async () => {
    const { register } = acme();
    const apiKey = createKey(randomBytes);
    const [one, other] = await Promise.all([
      register({ handle: 'alice', apiKey }),
      register({ handle: 'alice', apiKey }),
    ]);
    expect(one).toEqual(other);
  });

  test('gets nobody else by knowing their name', async () => {
    const { register } = acme();
    await register({ handle: 'alice' });
    await expect(register({ handle: 'alice', apiKey: createKey(randomBytes) })).rejects.toMatchObject({
      reason: 'HANDLE_TAKEN',
    });
  });

  test('cannot use one key for two names', async () => {
    const { register, resolve } = acme();
    const apiKey = createKey(randomBytes);
    await register({ handle: 'alice', apiKey });
    await expect(register({ handle: 'frank', apiKey })).rejects.toMatchObject({
      reason: 'INVALID_PARAMS',
      violations: [{ field: 'api_key' }],
    });
    expect(await resolve('frank')).toBeUndefined();
  });

  test.each(['', 'hunter2', `ar_${'A'.repeat(42)}`])('is refused with a key that is none: "%s"', async (apiKey) => {
    const { register, resolve } = acme();
    await expect(register({ handle: 'alice', apiKey })).rejects.toMatchObject({
      reason: 'INVALID_PARAMS',
      violations: [{ field: 'api_key' }],
    });
    expect(await resolve('alice')).toBeUndefined();
  });
});

describe('resolving a handle', () => {
  test('finds an agent by its name, alone or with this relay, in any letter case', async () => {
    const { register, open } = acme();
    const { agent } = await register({ handle: 'alice' });
    for (const handle of ['alice', 'alice@acme', 'ALICE@Acme']) expect(await open().resolve(handle)).toEqual(agent);
  });

  test.each(['frank', 'alice@other', 'alice%40acme', 'alice@acme@acme', '', 'alice/', '../alice', '__proto__'])(
    'finds nobody for "%s"',
    async (handle) => {
      const { register, resolve } = acme();
      await register({ handle: 'alice' });
      expect(await resolve(handle)).toBeUndefined();
    },
  );

  test('finds an agent that was looked for before it came', async () => {
    const { register, resolve } = acme();
    expect(await resolve('alice')).toBeUndefined();
    const { agent } = await register({ handle: 'alice' });
    expect(await resolve('alice')).toEqual(agent);
  });

  test('asks the store once for an agent', async () => {
    const { register, directory, keys } = acme();
    await register({ handle: 'alice' });
    let asked = 0;
    const counted = {
      ...directory,
      agentByName: (name: string) => {
        asked++;
        return directory.agentByName(name);
      },
    };
    const { resolve } = createRegistry({ directory: counted, keys, random: randomBytes, relayName: 'acme' });
    for (let i = 0; i < 10; i++) await resolve('alice');
    expect(asked).toBe(1);
  });
});
