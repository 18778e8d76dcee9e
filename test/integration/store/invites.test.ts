import { describe, expect, test } from 'vitest';
import type { Invite } from '../../../relay/store/key-ports.ts';
import type { NewAgent } from '../../../relay/store/ports.ts';
import { keyHash, newAgent, storeForTest } from '../../support/stores.ts';

const code = keyHash(200);
const key = (seed: number) => ({ hash: keyHash(seed), scopes: ['send', 'receive'] as const });
const make = ({ name, role }: Invite): NewAgent => ({
  ...newAgent(name),
  ...(role === undefined ? {} : { role, hasGivenRole: true }),
});

/** A store with an invite of frank's for mia, which expires at 2,000; the clock stands at 1,000. */
async function acme() {
  let now = 1_000;
  const { store } = await storeForTest(() => now);
  const { invites, directory } = store;
  const frank = await directory.agentByName('frank');
  if (frank === undefined) throw new Error('who is here?');
  await invites.add({ id: 'a', name: 'mia', role: 'reviewer', hash: code, expiresAt: 2_000, createdBy: frank.id });
  return { store, invites, directory, frank, at: (time: number) => void (now = time) };
}

type Acme = Awaited<ReturnType<typeof acme>>;

/** How an invite ends, and what it is then. */
const ENDS: readonly (readonly [string, (store: Acme) => unknown])[] = [
  ['used', ({ invites }) => invites.redeem(code, key(101), make)],
  ['expired', ({ at }) => at(2_000)],
  ['withdrawn', ({ invites }) => invites.withdraw('a')],
  ['withdrawn', ({ invites }) => invites.add({ id: 'b', name: 'mia', hash: keyHash(201), expiresAt: 9_000 })],
  ['withdrawn', ({ directory, frank }) => directory.removeAgent(frank.id)],
];

describe('an invite', () => {
  test('makes the agent that it says, and is then used', async () => {
    const { invites, directory, frank } = await acme();
    const redeemed = await invites.redeem(code, key(101), make);
    const mia = await directory.agentByName('mia');
    expect(redeemed).toEqual({ agent: mia, inviter: frank });
    expect(mia).toMatchObject({ role: 'reviewer', hasGivenRole: true });
    expect(await invites.list('', 9)).toEqual([
      {
        id: 'a',
        name: 'mia',
        role: 'reviewer',
        createdBy: frank,
        createdAt: 1_000,
        expiresAt: 2_000,
        redeemedAt: 1_000,
      },
    ]);
  });

  test('keeps the role that it gave through every change of the agent', async () => {
    const { invites, directory } = await acme();
    await invites.redeem(code, key(101), make);
    const mia = await directory.agentByName('mia');
    const changed = await directory.updateAgent(mia?.id ?? 0, (agent) => ({ ...agent, displayName: 'Mia' }));
    expect(changed).toEqual(await directory.agentByName('mia'));
    expect(changed).toMatchObject({ displayName: 'Mia', role: 'reviewer', hasGivenRole: true });
  });

  test.each(ENDS)('that is %s makes no agent', async (state, end) => {
    const acmes = await acme();
    await end(acmes);
    const before = await acmes.directory.listAgents('', 99);
    expect(await acmes.invites.redeem(code, key(102), make)).toBe(state);
    expect(await acmes.directory.listAgents('', 99)).toEqual(before);
  });

  test('is withdrawn while it is open, and once', async () => {
    const { invites, at } = await acme();
    await invites.add({ id: 'b', name: 'priya', hash: keyHash(201), expiresAt: 3_000 });
    expect([await invites.withdraw('a'), await invites.withdraw('a'), await invites.withdraw('c')]).toEqual([
      true,
      false,
      false,
    ]);
    at(3_000);
    expect(await invites.withdraw('b')).toBe(false);
  });

  test('is used up together with the agent that it makes, or not at all', async () => {
    const { invites, directory } = await acme();
    const fails = () => {
      throw new Error('cut');
    };
    await expect(invites.redeem(code, key(101), fails)).rejects.toThrow('cut');
    await expect(invites.redeem(code, key(101), () => newAgent('alice'))).rejects.toMatchObject({
      reason: 'HANDLE_TAKEN',
    });
    expect(await invites.redeem(code, key(1), make)).toBe('key_taken');
    expect(await directory.keyByHash(keyHash(101))).toBeUndefined();
    expect(await invites.redeem(code, key(101), make)).toMatchObject({ agent: { name: 'mia' } });
  });

  test('answers its own agent once more, until the key that it came with has ended', async () => {
    const { store, invites, at } = await acme();
    const first = await invites.redeem(code, key(101), make);
    at(50_000);
    expect(await invites.redeem(code, key(101), make)).toEqual(first);
    const mine = await store.directory.keyByHash(keyHash(101));
    await store.keys.rotate(mine?.id ?? 0, keyHash(102), 60_000, 9);
    expect(await invites.redeem(code, key(102), make)).toEqual(first);
    at(60_000);
    expect(await invites.redeem(code, key(101), make)).toBe('used');
  });

  test('is nobody’s with another code', async () => {
    const { invites } = await acme();
    expect(await invites.redeem(keyHash(201), key(101), make)).toBe('unknown');
  });
});
