import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { newKeySchema } from '../../../relay/contract/keys.ts';
import { createAdminToken } from '../../../relay/identity/admin-token.ts';
import { createKey } from '../../../relay/identity/keys.ts';
import { A2aClient, message } from '../../support/a2a-client.ts';
import { openInbox } from '../../support/inbox.ts';
import { keysOf, narrowed, post, reasonIn, revoke, rotated, withKey, works } from '../../support/keys.ts';
import { isStored } from '../../support/presence.ts';
import { relayForTest, startRelay } from '../../support/relay.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { startWebhook } from '../../support/webhook.ts';

const adminToken = createAdminToken(randomBytes);

async function acme(options: Parameters<typeof relayForTest>[0] = {}) {
  const relay = await relayForTest({ adminToken, ...options });
  return { relay, alice: await relay.agent('alice'), frank: await relay.agent('frank') };
}

describe('what is open with a key', () => {
  /** Everything that can be open, with a key of alice's own; and one stream of another key of hers. */
  async function allOpen() {
    const { alice, frank } = await acme({ blockMs: 3_600_000 });
    const key = await narrowed(alice, ['send', 'receive', 'contacts']);
    const leasing = post(key, '/v1/leases', { worker: 'w', wait_s: 20 });
    while (!(await frank.http('GET', '/v1/directory?q=alice')).body.includes('"online":true'));
    const busy = await openInbox(frank);
    const sent = await key.stream('SendStreamingMessage', message('s'), { at: '/a/frank' });
    const first = await sent.next();
    if (first === undefined || !('task' in first)) throw new Error('the task comes first');
    const subscribed = await key.stream('SubscribeToTask', { id: first.task.id });
    await subscribed.next();
    const other = await alice.stream('SubscribeToTask', { id: first.task.id });
    await other.next();
    const inbox = await openInbox(key);
    await inbox.next('resync');
    const waiting = key.call('SendMessage', message('w'), { at: '/a/frank' });
    await isStored(alice, 'w');
    const streams = [sent.sse, subscribed.sse, inbox.sse];
    return {
      key,
      alice,
      /** Resolves when all of it has ended, and asserts that the relay has ended it in good order. */
      async hasEnded(): Promise<void> {
        await Promise.all(streams.map((stream) => stream.rest()));
        expect(streams.map(({ response }) => response.complete)).toEqual([true, true, true]);
        expect(await waiting).toHaveProperty('task.status.state', 'TASK_STATE_SUBMITTED');
        expect((await leasing).status).toBe(204);
        expect([other.sse.hasEnded, busy.sse.hasEnded]).toEqual([false, false]);
        expect(await works(key)).toBe(false);
        other.destroy();
        busy.destroy();
      },
    };
  }

  test('ends within a second of its revocation, and nothing else does', async () => {
    const { key, alice, hasEnded } = await allOpen();
    const began = performance.now();
    expect((await revoke(alice, key.id)).status).toBe(204);
    await hasEnded();
    expect(performance.now() - began).toBeLessThan(1000);
  });

  test('ends with the time that the old key had left when it was rotated, within a second', async () => {
    const { key, hasEnded } = await allOpen();
    const { api_key: apiKey, old_key_ends_at: endsAt } = await rotated(key, { overlap_s: 1 });
    await hasEnded();
    const late = Date.now() - Date.parse(endsAt);
    expect(late).toBeGreaterThanOrEqual(0);
    expect(late).toBeLessThan(1000);
    expect(await works(withKey(key, apiKey))).toBe(true);
  });

  test('ends at once when it is rotated without an overlap', async () => {
    const { key, hasEnded } = await allOpen();
    const began = performance.now();
    await rotated(key, { overlap_s: 0 });
    await hasEnded();
    expect(performance.now() - began).toBeLessThan(1000);
  });

  test('ends by itself also where the key was rotated before the relay started', async () => {
    const dataDir = tempDir();
    const before = await startRelay({ dataDir });
    const alice = await before.agent('alice');
    await rotated(alice, { overlap_s: 1 });
    await before.relay.close();
    const after = await relayForTest({ dataDir });
    const inbox = await openInbox(new A2aClient({ url: after.url, apiKey: alice.apiKey, handle: 'alice@acme' }));
    await inbox.sse.rest();
    expect(inbox.sse.response.complete).toBe(true);
  });
});

describe('a key that was lost or stolen', () => {
  const replace = ({ url }: { readonly url: string }, handle: string, apiKey = adminToken) =>
    new A2aClient({ url, apiKey }).http('POST', `/admin/agents/${handle}/keys`);

  test('is replaced by the admin, with all others of its agent, by one that may do the same', async () => {
    const { relay, alice, frank } = await acme();
    const [worker, inbox] = [await narrowed(alice, ['receive']), await openInbox(alice)];
    const { status, body } = await replace(relay, 'alice%40acme');
    expect(status).toBe(200);
    const { handle, api_key: apiKey } = JSON.parse(body) as { handle: string; api_key: string };
    expect(handle).toBe('alice@acme');
    await inbox.sse.rest();
    expect([await works(alice), await works(worker), await works(frank)]).toEqual([false, false, true]);
    expect(await keysOf(withKey(alice, apiKey))).toMatchObject([
      { scopes: ['send', 'receive', 'contacts'], is_this: true },
    ]);
  });

  test('leaves no webhook that a thief may have set', async () => {
    const { relay, alice, frank } = await acme({ webhookAllow: ['127.0.0.1'] });
    const hooks = { alice: await startWebhook(), frank: await startWebhook() };
    const sent = await frank.call('SendMessage', message('m'), { at: '/a/alice' });
    if (!('task' in sent)) throw new Error('a message, where a task was expected');
    const { id } = sent.task;
    for (const [client, { url }] of [
      [alice, hooks.alice],
      [frank, hooks.frank],
    ] as const) {
      await client.result('CreateTaskPushNotificationConfig', { taskId: id, url });
    }
    const { api_key: apiKey } = newKeySchema
      .pick({ api_key: true })
      .parse(JSON.parse((await replace(relay, 'alice')).body));
    await frank.call('SendMessage', message('m2', { taskId: id }));
    await withKey(alice, apiKey).extension('tasks/update', { task_id: id, transition: 'accept' });
    // frank's is told of what came after alice's would have been told
    await hooks.frank.seen(1);
    expect(hooks.alice.pushed).toEqual([]);
  });

  test('is no reason to make one for an agent that is not there', async () => {
    const { relay } = await acme();
    const admin = new A2aClient({ url: relay.url, apiKey: adminToken });
    for (const handle of ['nobody', 'alice@other', 'guide']) expect((await replace(relay, handle)).status).toBe(404);
    await admin.http('DELETE', '/admin/agents/alice');
    const before = relay.rows();
    const refused = await replace(relay, 'alice');
    expect([refused.status, reasonIn(refused.body)]).toEqual([404, 'RECIPIENT_NOT_FOUND']);
    expect(relay.rows()).toEqual(before);
  });

  test('is replaced by nobody but the admin', async () => {
    const { relay, alice, frank } = await acme();
    expect((await replace(relay, 'alice', frank.apiKey)).status).toBe(403);
    expect((await replace(relay, 'alice', alice.apiKey)).status).toBe(403);
    expect((await replace(relay, 'alice', createKey(randomBytes))).status).toBe(401);
    expect(await works(alice)).toBe(true);
  });
});

describe('the key of whoever runs a relay', () => {
  test('may do everything, and so it may once more after each start', async () => {
    const dataDir = tempDir();
    const apiKey = createKey(randomBytes);
    // as a relay before there was such a key has made it
    const before = await startRelay({ dataDir });
    await before.relay.register({ handle: 'frank', apiKey });
    const old = new A2aClient({ url: before.url, apiKey });
    expect((await old.http('GET', '/admin/agents')).status).toBe(403);
    await before.relay.own({ handle: 'frank', apiKey });
    expect((await old.http('GET', '/admin/agents')).status).toBe(200);
    await before.relay.close();
    const { relay, url } = await relayForTest({ dataDir });
    const owned = await relay.own({ handle: 'frank@acme', apiKey });
    expect(owned).toMatchObject({ handle: 'frank@acme', apiKey });
    const frank = new A2aClient({ url, apiKey });
    expect((await keysOf(frank)).map(({ scopes }) => scopes)).toEqual([['send', 'receive', 'contacts', 'admin']]);
    expect((await post(frank, '/admin/agents', { handle: 'mia' })).status).toBe(200);
    expect((await frank.http('DELETE', '/admin/agents/mia')).status).toBe(204);
  });

  test('keeps what it may do when it is rotated, and when it is replaced', async () => {
    const { relay } = await acme();
    const { apiKey } = await relay.relay.own({ handle: 'mia', apiKey: createKey(randomBytes) });
    const { api_key: next } = await rotated(new A2aClient({ url: relay.url, apiKey }));
    const replaced = await new A2aClient({ url: relay.url, apiKey: next }).http('POST', '/admin/agents/mia/keys');
    const { api_key: last } = newKeySchema.pick({ api_key: true }).parse(JSON.parse(replaced.body));
    const mia = new A2aClient({ url: relay.url, apiKey: last });
    expect((await keysOf(mia)).map(({ scopes }) => scopes)).toEqual([['send', 'receive', 'contacts', 'admin']]);
  });

  test('is not got by the name: its handle and another key are taken for somebody else', async () => {
    const { relay, alice } = await acme();
    await expect(relay.relay.own({ handle: 'alice', apiKey: createKey(randomBytes) })).rejects.toMatchObject({
      reason: 'HANDLE_TAKEN',
    });
    expect((await alice.http('GET', '/admin/agents')).status).toBe(403);
  });
});
