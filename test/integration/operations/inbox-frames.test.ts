import { randomBytes } from 'node:crypto';
import { onTestFinished, describe, expect, test } from 'vitest';
import { createEngine } from '../../../relay/handoffs/engine.ts';
import { createHub } from '../../../relay/hub/hub.ts';
import { createPresence } from '../../../relay/hub/presence.ts';
import { createRegistry } from '../../../relay/identity/registry.ts';
import { createKeyEnds } from '../../../relay/identity/key-ends.ts';
import { createWebhookGuard } from '../../../relay/notify/webhook-guard.ts';
import { createPairContextIds } from '../../../relay/operations/context-id.ts';
import type { RelayContext } from '../../../relay/operations/context.ts';
import { inboxFrames, type InboxFrame } from '../../../relay/operations/inbox.ts';
import { createPeers } from '../../../relay/operations/peers.ts';
import { send } from '../../../relay/operations/send-message.ts';
import { openSqliteStore } from '../../../relay/store/sqlite/store.ts';
import { cardBookForTest } from '../../support/cards.ts';
import { tempDir } from '../../support/temp-dir.ts';

/** Frank sends to alice, whose reader takes one frame after the other, and may leave between any two of them. */
async function setUp() {
  let now = Date.UTC(2026, 0, 1);
  const clock = (): number => now++;
  const store = openSqliteStore({ dataDir: tempDir(), clock });
  const { log, directory } = store;
  const hub = createHub({ log });
  onTestFinished(async () => {
    hub.close();
    await store.close();
  });
  const registry = createRegistry({ directory, keys: store.keys, random: randomBytes, relayName: 'acme' });
  const { agent: alice } = await registry.register({ handle: 'alice', contacts: 'auto' });
  const { agent: frank } = await registry.register({ handle: 'frank' });
  let ids = 0;
  const context: RelayContext = {
    relay: { id: 'relay-id', name: 'acme' },
    log,
    engine: createEngine({ log, clock }),
    hub,
    presence: createPresence(),
    directory,
    cards: cardBookForTest(),
    resolve: registry.resolve,
    contacts: store.contacts,
    webhooks: {
      guard: createWebhookGuard({ resolve: () => Promise.resolve([]), allow: [] }),
      store: store.push,
      push: { follow: () => undefined, forget: () => undefined },
    },
    clock,
    newId: () => `task-${++ids}`,
    pairContextId: createPairContextIds('relay-id'),
    confirm: () => undefined,
    keyEnds: createKeyEnds(clock),
    removals: new Set(),
    noteWaiting: () => () => undefined,
    blockMs: 0,
    stopping: new AbortController().signal,
    idempotency: true,
  };
  const leaving = new AbortController();
  const reader = inboxFrames(
    context,
    { principal: { agent: alice, keyId: 1, scopes: ['receive'] }, signal: leaving.signal },
    undefined,
    createPeers(context.presence),
  );
  const sendOne = async (messageId: string): Promise<string> => {
    const sent = await send(
      context,
      {
        principal: { agent: frank, keyId: 2, scopes: ['send', 'contacts'] },
        endpoint: alice,
        signal: new AbortController().signal,
      },
      {
        op: 'send',
        message: { messageId, role: 'ROLE_USER', parts: [{ text: 'x' }] },
        meta: {},
        returnImmediately: true,
      },
    );
    if ('answer' in sent) throw new Error('no handoff');
    return sent.committed.handoff.id;
  };
  const offered = async (taskId: string) => (await log.readHandoff(taskId))?.receipts.recipient.offered;
  /** The next frame that is about a handoff, or the list of them. */
  const next = async (): Promise<InboxFrame | undefined> => {
    for (;;) {
      const { value, done } = await reader.next();
      if (done === true) return undefined;
      if (value.event === 'handoff' || value.event === 'resync') return value;
    }
  };
  return { context, leaving, next, sendOne, offered };
}

describe('a frame', () => {
  test('is noted as offered once the reader comes back for the next one', async () => {
    const { next, sendOne, offered, context } = await setUp();
    expect(await next()).toMatchObject({ event: 'resync' });
    const taskId = await sendOne('m1');
    expect(await next()).toMatchObject({ event: 'handoff', data: { task_id: taskId, version: 1 } });
    // it is in the reader's hands, and nobody knows yet whether it leaves them
    await sendOne('m2');
    expect(await offered(taskId)).toBe(0);
    const noted = Promise.withResolvers<void>();
    context.log.onCommit(() => noted.resolve());
    await next();
    await noted.promise;
    expect(await offered(taskId)).toBe(1);
  });

  test('that the reader took with it when it left was not offered', async () => {
    const { next, sendOne, offered, leaving } = await setUp();
    await next();
    const taskId = await sendOne('m1');
    expect(await next()).toMatchObject({ event: 'handoff', data: { task_id: taskId } });
    leaving.abort();
    expect(await next()).toBeUndefined();
    // whatever was begun is committed before this
    await sendOne('m2');
    expect(await offered(taskId)).toBe(0);
  });
});
