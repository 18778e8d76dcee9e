import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../relay/contract/json.ts';
import { createAdminToken } from '../../../relay/identity/admin-token.ts';
import { A2aClient, message } from '../../support/a2a-client.ts';
import { RawConnection, type RawAnswer } from '../../support/raw-connection.ts';
import { relayForTest, type TestRelay } from '../../support/relay.ts';

/** A request whose key was good when its head came, and is revoked before its body does. */

const adminToken = createAdminToken(randomBytes);

async function acme() {
  const relay = await relayForTest({ adminToken, webhookAllow: ['127.0.0.1'] });
  const admin = new A2aClient({ url: relay.url, apiKey: adminToken });
  const [alice, frank] = [await relay.agent('alice'), await relay.agent('frank')];
  const sent = await frank.call('SendMessage', message('m'), { at: '/a/alice' });
  if (!('task' in sent)) throw new Error('a message, where a task was expected');
  return { relay, admin, alice, frank, taskId: sent.task.id };
}

/** Sends the head of a request, and waits until it was read: the relay then asks for the body. */
async function begin(
  { port }: TestRelay,
  { apiKey }: A2aClient,
  [method, path]: readonly [string, string],
  body: JsonObject,
): Promise<() => Promise<RawAnswer | undefined>> {
  const connection = await RawConnection.open(port);
  const text = JSON.stringify(body);
  connection.write(
    [
      `${method} ${path} HTTP/1.1`,
      `Host: 127.0.0.1:${port}`,
      `Authorization: Bearer ${apiKey}`,
      'A2A-Version: 1.0',
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(text)}`,
      'Expect: 100-continue',
      '\r\n',
    ].join('\r\n'),
  );
  expect((await connection.answer())?.status).toBe(100);
  return async () => {
    connection.write(text);
    const answer = await connection.answer();
    connection.destroy();
    return answer;
  };
}

const rpc = (method: string, params: JsonObject): JsonObject => ({ jsonrpc: '2.0', id: 1, method, params });

/** What a request would do, by its name. */
const REQUESTS: Readonly<Record<string, (taskId: string) => readonly [readonly [string, string], JsonObject]>> = {
  'send a message': () => [['POST', '/a/frank'], rpc('SendMessage', message('late'))],
  'send one by the other binding': () => [['POST', '/a/frank/message:send'], message('late')],
  'open a stream': () => [['POST', '/a/frank'], rpc('SendStreamingMessage', message('late'))],
  'answer a handoff': (id) => [['POST', '/a2a'], rpc('tasks/update', { task_id: id, transition: 'accept' })],
  'set a webhook': (taskId) => [
    ['POST', '/a2a'],
    rpc('CreateTaskPushNotificationConfig', { taskId, url: 'http://127.0.0.1:9/' }),
  ],
  'read a handoff': (id) => [['POST', '/a2a'], rpc('GetTask', { id })],
  'take work': () => [['POST', '/v1/leases'], { worker: 'w', wait_s: 0 }],
  'note a receipt': (id) => [['POST', '/v1/receipts'], { items: [{ task_id: id, version: 1, state: 'seen' }] }],
  'change a card': () => [['PUT', '/v1/agents/me/card'], { role: 'admin' }],
};

describe('an agent that is removed while its request is under way', () => {
  test.each(Object.keys(REQUESTS))('does not %s', async (name) => {
    const { relay, admin, alice, frank, taskId } = await acme();
    const [target, body] = REQUESTS[name]?.(taskId) ?? [['', ''], {}];
    const finish = await begin(relay, alice, target, body);
    await admin.http('DELETE', '/admin/agents/alice');
    const before = relay.rows();
    const answer = await finish();
    expect(answer?.body).toContain('"UNAUTHENTICATED"');
    expect(answer?.status).toBe(401);
    expect(relay.rows()).toEqual(before);
    expect((await frank.call('GetTask', { id: taskId })).status.state).not.toBe('TASK_STATE_WORKING');
  });

  test('is not let in again by its old key once it was restored', async () => {
    const { relay, admin, alice } = await acme();
    const finish = await begin(relay, alice, ['PUT', '/v1/agents/me/card'], { role: 'admin' });
    await admin.http('DELETE', '/admin/agents/alice');
    const restored = await admin.http('POST', '/admin/agents', {
      headers: { 'content-type': 'application/json' },
      body: '{"handle":"alice","restore":true}',
    });
    expect(await finish()).toMatchObject({ status: 401, body: expect.stringContaining('UNAUTHENTICATED') });
    const { api_key: apiKey } = JSON.parse(restored.body) as { api_key: string };
    const again = await new A2aClient({ url: relay.url, apiKey }).rpc('ListTasks', {});
    expect(again.status).toBe(200);
  });
});
