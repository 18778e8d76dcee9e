import { randomBytes } from 'node:crypto';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createAuthenticator } from '../../../relay/identity/authenticate.ts';
import { createKeyEnds } from '../../../relay/identity/key-ends.ts';
import { createKey } from '../../../relay/identity/keys.ts';
import { createRegistry } from '../../../relay/identity/registry.ts';
import type { Directory } from '../../../relay/store/ports.ts';
import { openSqliteStore } from '../../../relay/store/sqlite/store.ts';
import { tempDir } from '../../support/temp-dir.ts';

/** A relay's directory in a real store, with one agent; `calls` counts what reaches the store. */
async function relayWithAlice() {
  const store = openSqliteStore({ dataDir: tempDir(), clock: () => 1_000 });
  onTestFinished(() => store.close());
  const calls = { keyByHash: 0, touched: [] as { keyId: number; at: number }[] };
  const directory: Directory = {
    ...store.directory,
    keyByHash: (hash) => {
      calls.keyByHash++;
      return store.directory.keyByHash(hash);
    },
    touchKey: (keyId, at) => {
      calls.touched.push({ keyId, at });
      return store.directory.touchKey(keyId, at);
    },
  };
  const registry = createRegistry({ directory, keys: store.keys, random: randomBytes, relayName: 'acme' });
  const { agent, apiKey } = await registry.register({ handle: 'alice' });
  calls.keyByHash = 0;
  let now = 0;
  const ends = createKeyEnds(() => now);
  onTestFinished(() => ends.close());
  const authenticator = createAuthenticator({ directory, ends, clock: () => now });
  return { ...authenticator, store, ends, agent, apiKey, calls, directory, at: (time: number) => (now = time) };
}

describe('a request with the key of an agent', () => {
  test('speaks for that agent, with all that an agent may do', async () => {
    const { authenticate, agent, apiKey } = await relayWithAlice();
    const principal = await authenticate(`Bearer ${apiKey}`);
    expect(principal.agent).toEqual(agent);
    expect(principal.scopes).toEqual(['send', 'receive', 'contacts']);
  });

  test.each([
    ['in any letter case of the scheme', (key: string) => `bEARER ${key}`],
    ['with more than one space', (key: string) => `Bearer   ${key}  `],
  ])('is accepted %s', async (_, header) => {
    const { authenticate, agent, apiKey } = await relayWithAlice();
    expect((await authenticate(header(apiKey))).agent.id).toBe(agent.id);
  });

  test('asks the store once, however often it comes', async () => {
    const { authenticate, apiKey, calls } = await relayWithAlice();
    for (let i = 0; i < 100; i++) await authenticate(`Bearer ${apiKey}`);
    expect(calls.keyByHash).toBe(1);
  });

  test('has its use noted at most once a minute', async () => {
    const { authenticate, apiKey, calls, at } = await relayWithAlice();
    for (const time of [0, 1, 59_999, 60_000, 60_001, 119_999, 120_000]) {
      at(time);
      await authenticate(`Bearer ${apiKey}`);
    }
    expect(calls.touched.map((touch) => touch.at)).toEqual([0, 60_000, 120_000]);
  });

  test('is served although its use could not be noted', async () => {
    const { directory, ends, apiKey, agent } = await relayWithAlice();
    const fullDisk = { ...directory, touchKey: () => Promise.reject(new Error('disk full')) };
    const { authenticate } = createAuthenticator({ directory: fullDisk, ends, clock: () => 0 });
    expect((await authenticate(`Bearer ${apiKey}`)).agent.id).toBe(agent.id);
  });
});

describe('a well-formed key that nobody has', () => {
  test('is refused with its cause, and not repeated', async () => {
    const { authenticate } = await relayWithAlice();
    const key = createKey(randomBytes);
    const refusal: unknown = await authenticate(`Bearer ${key}`).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ reason: 'UNAUTHENTICATED', metadata: { cause: 'UNKNOWN_KEY' } });
    expect(JSON.stringify(refusal) + String(refusal)).not.toContain(key);
  });

  test('is not remembered, so that inventing keys pushes no real one out', async () => {
    const { authenticate, apiKey, calls } = await relayWithAlice();
    await authenticate(`Bearer ${apiKey}`);
    const invented = Array.from({ length: 10_001 }, () => authenticate(`Bearer ${createKey(randomBytes)}`));
    const outcomes = await Promise.allSettled(invented);
    expect(outcomes.every((outcome) => outcome.status === 'rejected')).toBe(true);
    const asked = calls.keyByHash;
    await authenticate(`Bearer ${apiKey}`);
    expect(calls.keyByHash).toBe(asked);
  });
});

describe('a key that has ended', () => {
  const REFUSED = expect.objectContaining({ reason: 'UNAUTHENTICATED', metadata: { cause: 'UNKNOWN_KEY' } });

  test('lets nobody in any more, although it is remembered', async () => {
    const { authenticate, ends, apiKey } = await relayWithAlice();
    const { keyId } = await authenticate(`Bearer ${apiKey}`);
    ends.note(keyId + 1);
    await authenticate(`Bearer ${apiKey}`);
    ends.note(keyId);
    await expect(authenticate(`Bearer ${apiKey}`)).rejects.toEqual(REFUSED);
  });

  test('confirms nobody any more who was let in with it', async () => {
    const { authenticate, confirm, ends, apiKey } = await relayWithAlice();
    const principal = await authenticate(`Bearer ${apiKey}`);
    confirm(principal);
    ends.note(principal.keyId);
    expect(() => confirm(principal)).toThrow(REFUSED);
  });

  test('lets nobody in whose look-up was under way', async () => {
    const { authenticate, ends, apiKey } = await relayWithAlice();
    const underWay = authenticate(`Bearer ${apiKey}`);
    ends.note(1);
    await expect(underWay).rejects.toEqual(REFUSED);
    await expect(authenticate(`Bearer ${apiKey}`)).rejects.toEqual(REFUSED);
  });

  test('is good to its last millisecond, and not after, whoever rotated it, and in another process too', async () => {
    const { authenticate, confirm, directory, store, at, apiKey } = await relayWithAlice();
    const principal = await authenticate(`Bearer ${apiKey}`);
    await store.keys.rotate(principal.keyId, new Uint8Array(32), 5_000, 9);
    // what this process remembers of the key says nothing of its end; another one reads it
    let now = 4_999;
    const ends = createKeyEnds(() => now);
    onTestFinished(() => ends.close());
    const other = createAuthenticator({ directory, ends, clock: () => now });
    const again = await other.authenticate(`Bearer ${apiKey}`);
    now = 5_000;
    await expect(other.authenticate(`Bearer ${apiKey}`)).rejects.toEqual(REFUSED);
    expect(() => other.confirm(again)).toThrow(REFUSED);
    at(4_000);
    confirm(principal);
  });
});

test('an agent that has changed is read again with its key, and no other one is', async () => {
  const { authenticate, refresh, apiKey, calls } = await relayWithAlice();
  const { agent } = await authenticate(`Bearer ${apiKey}`);
  refresh({ ...agent, id: agent.id + 1 });
  await authenticate(`Bearer ${apiKey}`);
  expect(calls.keyByHash).toBe(1);
  refresh(agent);
  await authenticate(`Bearer ${apiKey}`);
  expect(calls.keyByHash).toBe(2);
});
