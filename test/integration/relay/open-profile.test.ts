import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAdminToken } from '../../../relay/identity/admin-token.ts';
import { A2aClient, message, reasonOf } from '../../support/a2a-client.ts';
import { relayForTest, startRelay, type TestRelay } from '../../support/relay.ts';

const at = '/a/alice';
const anonymous = { headers: { authorization: undefined } };

describe('a relay with the open profile', () => {
  let relay: TestRelay;
  let alice: A2aClient;
  let guest: A2aClient;
  beforeAll(async () => {
    relay = await startRelay({ openProfile: true });
    alice = await relay.agent('alice');
    guest = new A2aClient({ url: relay.url, apiKey: '' });
  });
  afterAll(() => relay.close());

  test('lets whoever shows no key speak for the guest, and who shows one for its owner', async () => {
    await guest.call('SendMessage', message('m1'), { at, ...anonymous });
    const [task] = (await alice.call('ListTasks', {})).tasks;
    const page = await alice.http('GET', `/v1/tasks/${task?.id}/events`);
    expect(JSON.parse(page.body).handoff).toMatchObject({ sender: 'guest@acme', recipient: 'alice@acme' });
    expect((await guest.call('ListTasks', {}, anonymous)).tasks.map(({ id }) => id)).toEqual([task?.id]);
    const wrong = await guest.rpc('ListTasks', {}, { headers: { authorization: 'Bearer ar_wrong' } });
    expect(wrong.status).toBe(401);
  });

  test('makes a new task each time the same message comes', async () => {
    const first = await guest.call('SendMessage', message('again'), { at, ...anonymous });
    const second = await guest.call('SendMessage', message('again'), { at, ...anonymous });
    if (!('task' in first && 'task' in second)) throw new Error('messages, where tasks were expected');
    expect(second.task.id).not.toBe(first.task.id);
  });

  test('serves a method of 1.0 that comes without a version', async () => {
    const answer = await guest.rpc(
      'ListTasks',
      {},
      { headers: { authorization: undefined, 'a2a-version': undefined } },
    );
    expect(JSON.parse(answer.body)).toHaveProperty('result.tasks');
  });

  test('registers anybody', async () => {
    const answer = await guest.http('POST', '/v1/register', {
      headers: { authorization: undefined, 'content-type': 'application/json' },
      body: '{"handle":"ext-bot","kind":"agent"}',
    });
    expect(JSON.parse(answer.body)).toMatchObject({ handle: 'ext-bot@acme', api_key: expect.stringMatching(/^ar_/) });
  });

  test('answers no web page: there is no key that would keep one out', async () => {
    for (const [method, path] of [
      ['POST', '/a2a'],
      ['GET', '/a/alice'],
      ['OPTIONS', '/a2a'],
      ['POST', '/v1/register'],
      ['GET', '/metrics'],
    ] as const) {
      for (const origin of ['https://elsewhere.example', 'null', relay.url]) {
        const answer = await alice.http(method, path, { headers: { origin } });
        expect([path, answer.status]).toEqual([path, 403]);
        expect(answer.body).toContain('ORIGIN_NOT_ALLOWED');
      }
    }
  });

  test('keeps its guest: the admin cannot remove whom everybody is', async () => {
    const adminToken = createAdminToken(randomBytes);
    const own = await relayForTest({ openProfile: true, adminToken });
    const admin = new A2aClient({ url: own.url, apiKey: adminToken });
    const answer = await admin.http('DELETE', '/admin/agents/guest');
    expect([answer.status, answer.body]).toEqual([400, expect.stringContaining('UNSUPPORTED_OPERATION')]);
    expect((await admin.rpc('ListTasks', {}, anonymous)).status).toBe(200);
    await own.agent('alice');
    expect((await admin.http('DELETE', '/admin/agents/alice')).status).toBe(204);
  });

  test('allows webhooks on this machine beside those that were named', async () => {
    const own = await relayForTest({ openProfile: true, webhookAllow: ['10.0.0.0/8'] });
    const client = await own.agent('alice');
    await own.agent('frank');
    for (const url of ['http://localhost:9/', 'http://127.0.0.1:9/', 'http://10.1.2.3:9/']) {
      const params = {
        ...message(url),
        configuration: { returnImmediately: true, taskPushNotificationConfig: { url } },
      };
      expect(await client.call('SendMessage', params, { at: '/a/frank' })).toHaveProperty('task');
    }
  });

  test('knows the guest again after a start', async () => {
    await guest.call('SendMessage', message('before'), { at, ...anonymous });
    const before = await guest.call('ListTasks', {}, anonymous);
    await relay.relay.close();
    const again = await startRelay({ openProfile: true, dataDir: relay.dataDir });
    const later = new A2aClient({ url: again.url, apiKey: '' });
    expect((await later.call('ListTasks', {}, anonymous)).totalSize).toBe(before.totalSize);
    await again.close();
  });
});

test('an ordinary relay has no guest', async () => {
  const relay = await startRelay();
  const alice = await relay.agent('alice');
  expect((await alice.rpc('ListTasks', {}, anonymous)).status).toBe(401);
  expect(reasonOf(await alice.fail('SendMessage', message('m'), { at: '/a/guest' }))).toBe('RECIPIENT_NOT_FOUND');
  await relay.close();
});
