import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { MOST_KEYS } from '../../../relay/identity/key-ring.ts';
import { createKey } from '../../../relay/identity/keys.ts';
import { A2aClient } from '../../support/a2a-client.ts';
import { keysOf, narrowed, post, reasonIn, revoke, rotate, rotated, withKey, works } from '../../support/keys.ts';
import { relayForTest, startRelay } from '../../support/relay.ts';
import { tempDir } from '../../support/temp-dir.ts';

const START = Date.UTC(2026, 0, 1);

/** A relay whose clock stands still until the test moves it. */
async function acme() {
  let now = START;
  const relay = await relayForTest({ clock: () => now });
  const [alice, frank] = [await relay.agent('alice'), await relay.agent('frank')];
  return { relay, alice, frank, pass: (ms: number) => void (now += ms) };
}

describe('rotating a key', () => {
  test('gives a new one with the same scopes, and lets the old one go on for ten minutes', async () => {
    const { alice, pass } = await acme();
    const worker = await narrowed(alice, ['receive']);
    const { api_key: apiKey, old_key_ends_at: endsAt } = await rotated(worker);
    expect(endsAt).toBe(new Date(START + 600_000).toISOString());
    const next = withKey(worker, apiKey);
    expect((await keysOf(next)).find((key) => key.is_this)?.scopes).toEqual(['receive']);
    pass(599_999);
    expect(await works(worker)).toBe(true);
    pass(1);
    expect(await works(next)).toBe(true);
    const refused = await worker.http('GET', '/v1/keys');
    expect(refused.status).toBe(401);
    expect(refused.headers['www-authenticate']).toContain('Bearer');
    expect(refused.body).toContain('UNKNOWN_KEY');
  });

  test('with the caller’s own new key is the same answer however often it is asked, also after a restart', async () => {
    const dataDir = tempDir();
    const apiKey = createKey(randomBytes);
    const before = await startRelay({ dataDir });
    const alice = await before.agent('alice');
    const first = await rotated(alice, { api_key: apiKey });
    expect(first.api_key).toBe(apiKey);
    expect(await rotated(alice, { api_key: apiKey, overlap_s: 0 })).toEqual(first);
    await before.relay.close();
    const after = await relayForTest({ dataDir });
    const again = new A2aClient({ url: after.url, apiKey: alice.apiKey });
    expect(await rotated(again, { api_key: apiKey })).toEqual(first);
    expect(await keysOf(withKey(again, apiKey))).toHaveLength(2);
  });

  test('is done once by those who do it at the same time', async () => {
    const { alice } = await acme();
    const answers = await Promise.all(Array.from({ length: 20 }, () => rotate(alice)));
    const done = answers.filter(({ status }) => status === 200);
    expect(done).toHaveLength(1);
    expect(
      new Set(answers.filter((one) => !done.includes(one)).map(({ status, body }) => `${status} ${reasonIn(body)}`)),
    ).toEqual(new Set(['409 STATE_CHANGED']));
    expect(await keysOf(alice)).toHaveLength(2);
  });

  test('leaves an old key that somebody has found good for no other key', async () => {
    const { alice, relay } = await acme();
    const { api_key: apiKey } = await rotated(alice);
    const before = relay.rows();
    expect(reasonIn((await rotate(alice, { api_key: createKey(randomBytes) })).body)).toBe('STATE_CHANGED');
    expect(reasonIn((await post(alice, '/v1/keys', { scopes: ['send'] })).body)).toBe('STATE_CHANGED');
    expect(relay.rows()).toEqual(before);
    // while it may still be used, and its successor rotated in turn
    expect(await works(alice)).toBe(true);
    await rotated(withKey(alice, apiKey));
  });

  test.each(['stolen', `ar_${'A'.repeat(42)}`, ''])('does not take %j for a key', async (api_key) => {
    const { alice } = await acme();
    expect(reasonIn((await rotate(alice, { api_key })).body)).toBe('INVALID_PARAMS');
    expect(await keysOf(alice)).toHaveLength(1);
  });

  test('does not take a key that is in use, or was, and does not say whose it is', async () => {
    const { alice, frank } = await acme();
    const gone = await narrowed(frank, ['send']);
    await revoke(frank, gone.id);
    const answers = [alice, frank, gone].map(({ apiKey }) => rotate(alice, { api_key: apiKey }));
    for (const { status, body } of await Promise.all(answers)) {
      expect([status, reasonIn(body)]).toEqual([400, 'INVALID_PARAMS']);
      expect(body).not.toContain('frank');
    }
    expect(await keysOf(frank)).toHaveLength(1);
  });

  test.each([{ overlap_s: -1 }, { overlap_s: 86_401 }, { overlap_s: 0.5 }, { overlap_s: '600' }, { api_key: 7 }])(
    'is refused with %j',
    async (body) => {
      const { alice } = await acme();
      expect((await rotate(alice, body)).status).toBe(400);
      expect(await keysOf(alice)).toHaveLength(1);
    },
  );
});

describe('the keys of an agent', () => {
  test('are listed with what became of them, and without the keys', async () => {
    const { alice, pass } = await acme();
    const worker = await narrowed(alice, ['receive', 'send', 'receive']);
    pass(60_000);
    await works(worker);
    const { body } = await worker.http('GET', '/v1/keys');
    expect(body).not.toMatch(/ar_/);
    expect(await keysOf(worker)).toEqual([
      {
        id: expect.any(String),
        scopes: ['send', 'receive', 'contacts'],
        created_at: new Date(START).toISOString(),
        last_used_at: new Date(START).toISOString(),
        is_this: false,
      },
      {
        id: worker.id,
        scopes: ['receive', 'send'],
        created_at: new Date(START).toISOString(),
        last_used_at: new Date(START + 60_000).toISOString(),
        is_this: true,
      },
    ]);
  });

  test('make keys that may do no more than they', async () => {
    const { alice } = await acme();
    const worker = await narrowed(alice, ['receive']);
    for (const scopes of [['send'], ['receive', 'contacts'], ['admin']]) {
      const { status, body } = await post(worker, '/v1/keys', { scopes });
      expect([status, reasonIn(body)]).toEqual([403, 'SCOPE_REQUIRED']);
    }
    expect(reasonIn((await post(alice, '/v1/keys', { scopes: ['admin'] })).body)).toBe('SCOPE_REQUIRED');
    expect(await keysOf(alice)).toHaveLength(2);
    await narrowed(worker, ['receive']);
  });

  test.each([
    {},
    { scopes: [] },
    { scopes: ['owner'] },
    { scopes: 'send' },
    { scopes: ['send', 'receive', 'send', 'send', 'send'] },
  ])('are not made by %j', async (body) => {
    const { alice } = await acme();
    expect((await post(alice, '/v1/keys', body)).status).toBe(400);
  });

  test('are not without number, and those that have ended do not count', async () => {
    const { alice, pass } = await acme();
    for (let count = 1; count < MOST_KEYS; count++) await narrowed(alice, ['send']);
    const full = await post(alice, '/v1/keys', { scopes: ['send'] });
    expect([full.status, reasonIn(full.body)]).toEqual([400, 'INVALID_PARAMS']);
    expect(reasonIn((await rotate(alice)).body)).toBe('INVALID_PARAMS');
    const [, second] = await keysOf(alice);
    await revoke(alice, second?.id ?? '');
    const { api_key: apiKey } = await rotated(alice, { overlap_s: 1 });
    const next = withKey(alice, apiKey);
    expect((await post(next, '/v1/keys', { scopes: ['send'] })).status).toBe(400);
    pass(1_000);
    await narrowed(next, ['send']);
  });

  test('are revoked by those that may do as much, and by no other agent’s', async () => {
    const { alice, frank } = await acme();
    const [worker, sender] = [await narrowed(alice, ['receive']), await narrowed(alice, ['send'])];
    expect(reasonIn((await revoke(worker, sender.id)).body)).toBe('SCOPE_REQUIRED');
    expect((await revoke(frank, sender.id)).status).toBe(404);
    expect((await revoke(frank, 'none')).body).toBe((await revoke(frank, sender.id)).body);
    expect(await works(sender)).toBe(true);
    expect((await revoke(alice, sender.id)).status).toBe(204);
    expect(await works(sender)).toBe(false);
    expect((await revoke(alice, sender.id)).status).toBe(404);
    // itself too
    expect((await revoke(worker, worker.id)).status).toBe(204);
    expect((await keysOf(alice)).map((key) => key.is_this)).toEqual([true]);
  });
});
