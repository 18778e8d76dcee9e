import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAdminToken } from '../../../relay/identity/admin-token.ts';
import { createKey } from '../../../relay/identity/keys.ts';
import { A2aClient, message, reasonOf, type HttpAnswer } from '../../support/a2a-client.ts';
import { openInbox } from '../../support/inbox.ts';
import { isStored } from '../../support/presence.ts';
import { relayForTest, startRelay, type TestRelay } from '../../support/relay.ts';
import { startWebhook } from '../../support/webhook.ts';

const at = '/a/alice';
const adminToken = createAdminToken(randomBytes);

/** A client with the admin token, or another one. */
const admin = ({ url }: TestRelay, token = adminToken) => new A2aClient({ url, apiKey: token });

function add(relay: TestRelay, body: object): Promise<HttpAnswer> {
  return admin(relay).http('POST', '/admin/agents', {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

const remove = (relay: TestRelay, handle: string) => admin(relay).http('DELETE', `/admin/agents/${handle}`);

/** The client of an agent that the admin has made. */
async function added(relay: TestRelay, body: { handle: string; restore?: true }): Promise<A2aClient> {
  const answer = await add(relay, body);
  expect(answer.status).toBe(200);
  const { handle, api_key: apiKey } = JSON.parse(answer.body) as { handle: string; api_key: string };
  return new A2aClient({ url: relay.url, apiKey, handle });
}

async function acme(options: Parameters<typeof relayForTest>[0] = {}) {
  const relay = await relayForTest({ adminToken, ...options });
  return { relay, alice: await relay.agent('alice'), frank: await relay.agent('frank') };
}

describe('the admin', () => {
  let relay: TestRelay;
  beforeAll(async () => {
    relay = await startRelay({ adminToken, registration: 'closed' });
  });
  afterAll(() => relay.close());

  test('registers agents whatever the relay’s mode is, with all that is said of them', async () => {
    const answer = await add(relay, {
      handle: 'ext-bot',
      name: 'Review bot',
      kind: 'agent',
      description: 'Reviews contracts.',
      role: 'reviewer',
      skills: ['contracts'],
      repos: ['acme/shop'],
      listed: false,
      colour: 'red',
    });
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.body)).toEqual({
      handle: 'ext-bot@acme',
      endpoint: `${relay.url}/a/ext-bot`,
      card_url: `${relay.url}/a/ext-bot/agent-card.json`,
      api_key: expect.stringMatching(/^ar_/),
    });
    const bot = { authorization: `Bearer ${JSON.parse(answer.body).api_key}` };
    const card = await admin(relay).http('GET', '/a/ext-bot', { headers: bot });
    expect(JSON.parse(card.body)).toMatchObject({ name: 'Review bot', description: 'Reviews contracts.' });
  });

  test.each([{}, { handle: '' }, { handle: 'a b' }, { handle: 'mia@other' }, { handle: 'mia', kind: 'human' }, []])(
    'is told what is wrong with %j',
    async (body) => {
      const answer = await add(relay, body);
      expect(answer.status).toBe(400);
      expect(answer.body).toContain('INVALID_PARAMS');
    },
  );

  test('sees all agents in pages, by name', async () => {
    for (const handle of ['mia', 'priya']) await add(relay, { handle });
    const list = async (query: string) => JSON.parse((await admin(relay).http('GET', `/admin/agents${query}`)).body);
    const first = await list('?limit=2');
    expect(first.agents.map(({ handle }: { handle: string }) => handle)).toEqual(['ext-bot@acme', 'mia@acme']);
    expect(first.next).toBe('mia');
    const second = await list('?limit=2&after=mia');
    expect(second).toEqual({
      agents: [
        { handle: 'priya@acme', kind: 'desk', name: 'priya', listed: true, created_at: expect.stringMatching(/Z$/) },
      ],
      next: '',
    });
    expect(JSON.stringify([first, second])).not.toContain('ar_');
  });

  test.each(['?limit=0', '?limit=1001', '?limit=x', '?after=A%20B'])(
    'is told what is wrong with the query %s',
    async (query) => {
      expect((await admin(relay).http('GET', `/admin/agents${query}`)).status).toBe(400);
    },
  );

  test('is nobody else: no key, no agent’s key, no other token', async () => {
    const mallory = await relay.agent('mallory');
    const before = relay.rows();
    for (const [token, cause] of [
      [undefined, 'NO_HEADER'],
      [`Bearer ${createKey(randomBytes)}`, 'UNKNOWN_KEY'],
      [`Bearer ${createAdminToken(randomBytes)}`, 'UNKNOWN_KEY'],
      [`Basic ${adminToken}`, 'NOT_BEARER'],
    ] as const) {
      for (const [method, path] of [
        ['POST', '/admin/agents'],
        ['GET', '/admin/agents'],
        ['DELETE', '/admin/agents/mallory'],
      ] as const) {
        const answer = await mallory.http(method, path, { headers: { authorization: token } });
        expect([method, answer.status]).toEqual([method, 401]);
        expect(JSON.parse(answer.body).error.details).toMatchObject([{ metadata: { cause } }]);
        expect(answer.body).not.toContain(adminToken);
      }
    }
    expect(relay.rows()).toEqual(before);
    expect((await admin(relay).http('GET', '/a2a/tasks', { headers: { 'a2a-version': '1.0' } })).status).toBe(401);
  });

  test('is asked by no page of another origin', async () => {
    const page = { origin: 'https://elsewhere.example' };
    for (const [method, path] of [
      ['GET', '/admin/agents'],
      ['OPTIONS', '/admin/agents'],
      ['OPTIONS', '/admin/agents/mia'],
      ['OPTIONS', '/metrics'],
    ] as const) {
      const { headers } = await admin(relay).http(method, path, { headers: page });
      expect([path, headers['access-control-allow-origin']]).toEqual([path, undefined]);
    }
  });

  test('is no agent, unless its key has the scope for it', async () => {
    const mallory = await relay.agent('mallory-2');
    const { apiKey } = await relay.relay.own({ handle: 'owner', apiKey: createKey(randomBytes) });
    for (const [method, path] of [
      ['POST', '/admin/agents'],
      ['GET', '/admin/agents'],
      ['DELETE', '/admin/agents/mallory-2'],
    ] as const) {
      const answer = await mallory.http(method, path);
      expect([method, answer.status]).toEqual([method, 403]);
      expect(JSON.parse(answer.body).error.details).toMatchObject([
        { reason: 'SCOPE_REQUIRED', metadata: { scope: 'admin' } },
      ]);
    }
    expect((await admin(relay, apiKey).http('GET', '/admin/agents')).status).toBe(200);
    expect((await admin(relay, apiKey).http('DELETE', '/admin/agents/mallory-2')).status).toBe(204);
  });

  test('is a key alone on a relay without an admin token', async () => {
    const embedded = await relayForTest();
    expect((await admin(embedded).http('GET', '/admin/agents')).status).toBe(401);
    expect((await remove(embedded, 'alice')).status).toBe(401);
    const { apiKey } = await embedded.relay.own({ handle: 'owner', apiKey: createKey(randomBytes) });
    expect((await admin(embedded, apiKey).http('GET', '/admin/agents')).status).toBe(200);
  });
});

describe('an agent that is removed', () => {
  test('has no key any more, and nobody finds it', async () => {
    const { relay, alice, frank } = await acme();
    expect(await remove(relay, 'alice%40acme')).toMatchObject({ status: 204, body: '' });
    expect((await alice.rpc('ListTasks', {})).status).toBe(401);
    expect((await frank.http('GET', at)).status).toBe(404);
    expect(reasonOf(await frank.fail('SendMessage', message('m'), { at }))).toBe('RECIPIENT_NOT_FOUND');
    const directory = await frank.http('GET', '/v1/directory?q=alice');
    expect([directory.status, directory.body.includes('alice@acme')]).toEqual([200, false]);
  });

  test('is cut off from what it has open', async () => {
    const { relay, alice, frank } = await acme({ blockMs: 3_600_000 });
    const inbox = await openInbox(alice);
    const bystander = await openInbox(frank);
    const stream = await alice.stream('SendStreamingMessage', message('s'), { at: '/a/frank' });
    await stream.next();
    const waiting = alice.call('SendMessage', message('w'), { at: '/a/frank' });
    await isStored(frank, 'w');
    const began = performance.now();
    await remove(relay, 'alice');
    await Promise.all([inbox.sse.rest(), stream.rest()]);
    expect(await waiting).toHaveProperty('task.status.state', 'TASK_STATE_SUBMITTED');
    expect(performance.now() - began).toBeLessThan(1000);
    expect(inbox.sse.response.complete).toBe(true);
    expect(bystander.sse.hasEnded).toBe(false);
    bystander.destroy();
  });

  test('hears nothing any more by its webhooks, while others do', async () => {
    const { relay, alice, frank } = await acme({ webhookAllow: ['127.0.0.1'] });
    const hooks = { alice: await startWebhook(), frank: await startWebhook() };
    const sent = await frank.call('SendMessage', message('m'), { at });
    if (!('task' in sent)) throw new Error('a message, where a task was expected');
    const taskId = sent.task.id;
    for (const [client, { url }] of [
      [alice, hooks.alice],
      [frank, hooks.frank],
    ] as const) {
      const made = await client.rpc('CreateTaskPushNotificationConfig', { taskId, url });
      expect(JSON.parse(made.body)).toHaveProperty('result.id');
    }
    await remove(relay, 'alice');
    // frank's is told after alice's would have been: they are told of the same commit in the order in which they were set
    await hooks.frank.seen(1);
    expect(hooks.alice.pushed).toEqual([]);
  });

  test('leaves its threads to the other side, under its name', async () => {
    const { relay, alice, frank } = await acme();
    const sent = await frank.call('SendMessage', message('m'), { at });
    if (!('task' in sent)) throw new Error('a message, where a task was expected');
    await alice.extension('tasks/update', { task_id: sent.task.id, transition: 'accept' });
    await remove(relay, 'alice');
    const page = await frank.http('GET', `/v1/tasks/${sent.task.id}/events`);
    expect(JSON.parse(page.body).handoff).toMatchObject({ recipient: 'alice@acme', state: 'failed' });
    expect((await frank.call('GetTask', { id: sent.task.id })).history).toHaveLength(1);
  });

  test('keeps its name: nobody else gets it, not even from the admin', async () => {
    const { relay } = await acme({ registration: 'open' });
    await remove(relay, 'alice');
    const answers = [
      await add(relay, { handle: 'alice' }),
      await admin(relay).http('POST', '/v1/register', {
        headers: { 'content-type': 'application/json' },
        body: '{"handle":"Alice@acme"}',
      }),
    ];
    for (const answer of answers) {
      expect(answer.status).toBe(409);
      expect(JSON.parse(answer.body).error).toMatchObject({
        message: expect.stringContaining('restore'),
        details: [{ reason: 'HANDLE_TAKEN', metadata: { handle: 'alice', cause: 'REMOVED' } }],
      });
    }
    await expect(relay.relay.register({ handle: 'alice' })).rejects.toMatchObject({ reason: 'HANDLE_TAKEN' });
  });

  test('is in the admin’s list, and removing it once more changes nothing', async () => {
    const { relay } = await acme();
    await remove(relay, 'alice');
    const list = () => admin(relay).http('GET', '/admin/agents');
    const before = JSON.parse((await list()).body);
    expect(before.agents).toMatchObject([
      { handle: 'alice@acme', removed_at: expect.any(String) },
      { handle: 'frank@acme' },
    ]);
    expect(before.agents[1]).not.toHaveProperty('removed_at');
    expect((await remove(relay, 'alice')).status).toBe(204);
    expect(JSON.parse((await list()).body)).toEqual(before);
  });

  test.each(['nobody', 'alice@other', '%2e%2e', 'guide'])('is not %s', async (handle) => {
    const { relay, alice } = await acme();
    expect((await remove(relay, handle)).status).toBe(404);
    expect((await alice.rpc('ListTasks', {})).status).toBe(200);
  });

  test('stays removed when the relay starts again', async () => {
    const { relay, alice } = await acme();
    await remove(relay, 'alice');
    await relay.relay.close();
    const again = await relayForTest({ adminToken, dataDir: relay.dataDir });
    const late = new A2aClient({ url: again.url, apiKey: alice.apiKey });
    expect((await late.rpc('ListTasks', {})).status).toBe(401);
    expect((await late.http('GET', at)).status).toBe(404);
    expect((await add(again, { handle: 'alice' })).status).toBe(409);
  });
});

describe('an agent that is restored', () => {
  test('is the same one, with its threads, under a new key alone', async () => {
    const { relay, alice, frank } = await acme();
    const sent = await frank.call('SendMessage', message('m'), { at });
    if (!('task' in sent)) throw new Error('a message, where a task was expected');
    await remove(relay, 'alice');
    const back = await added(relay, { handle: 'alice', restore: true });
    expect((await alice.rpc('ListTasks', {})).status).toBe(401);
    expect((await back.call('ListTasks', {})).tasks.map(({ id }) => id)).toEqual([sent.task.id]);
    await expect(frank.call('SendMessage', message('n'), { at })).resolves.toHaveProperty('task');
    const inbox = await openInbox(back);
    expect((await inbox.next('resync')).event).toBe('resync');
    inbox.destroy();
    const directory = await frank.http('GET', '/v1/directory?q=alice');
    expect(directory.body).toContain('alice@acme');
  });

  test('was removed before, or there is nothing to restore', async () => {
    const { relay, alice } = await acme();
    expect((await add(relay, { handle: 'alice', restore: true })).status).toBe(409);
    expect((await add(relay, { handle: 'nobody', restore: true })).status).toBe(404);
    expect((await alice.rpc('ListTasks', {})).status).toBe(200);
  });

  test('can be removed again', async () => {
    const { relay } = await acme();
    await remove(relay, 'alice');
    const back = await added(relay, { handle: 'alice', restore: true });
    const inbox = await openInbox(back);
    await remove(relay, 'alice');
    await inbox.sse.rest();
    expect((await back.rpc('ListTasks', {})).status).toBe(401);
  });
});

describe('registering by oneself', () => {
  test.each([
    ['invite', /invite/],
    ['closed', /no registrations/],
  ] as const)('is refused by a relay in the mode %s, which says why', async (registration, why) => {
    const relay = await relayForTest({ registration });
    const answer = await new A2aClient({ url: relay.url, apiKey: '' }).http('POST', '/v1/register', {
      headers: { authorization: undefined, 'content-type': 'application/json' },
      body: '{"handle":"mia"}',
    });
    expect(JSON.parse(answer.body).error).toMatchObject({
      code: 403,
      message: expect.stringMatching(why),
      details: [{ reason: 'REGISTRATION_CLOSED', metadata: { registration } }],
    });
  });
});
