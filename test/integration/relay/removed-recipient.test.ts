import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { JsonObject } from '../../../relay/contract/json.ts';
import { readableTexts } from '../../../relay/contract/readable-part.ts';
import { createAdminToken } from '../../../relay/identity/admin-token.ts';
import { openSqliteStore } from '../../../relay/store/sqlite/store.ts';
import { A2aClient, message } from '../../support/a2a-client.ts';
import { openInbox } from '../../support/inbox.ts';
import { leased, QUICK_LEASES, refusalOf } from '../../support/leases.ts';
import { RawConnection } from '../../support/raw-connection.ts';
import { relayForTest, type TestRelay } from '../../support/relay.ts';
import { auditStore } from '../../support/store-audit.ts';
import { startWebhook } from '../../support/webhook.ts';

const adminToken = createAdminToken(randomBytes);
const WHY = 'Its recipient was removed from the relay.';

async function acme() {
  const relay = await relayForTest({ adminToken, leases: QUICK_LEASES, webhookAllow: ['127.0.0.1'] });
  const [alice, frank] = [await relay.agent('alice'), await relay.agent('frank')];
  let count = 0;
  return {
    relay,
    alice,
    frank,
    /** A handoff of frank's to alice. */
    async handOver(): Promise<string> {
      return sendTo(frank, 'alice', `m${++count}`);
    },
    update: (task_id: string, params: JsonObject) => alice.extension('tasks/update', { task_id, ...params }),
  };
}

async function sendTo(sender: A2aClient, name: string, id: string): Promise<string> {
  const params = { ...message(id), configuration: { returnImmediately: true } };
  const answer = await sender.call('SendMessage', params, { at: `/a/${name}` });
  if (!('task' in answer)) throw new Error('a message, where a task was expected');
  return answer.task.id;
}

async function remove({ url }: TestRelay, handle = 'alice'): Promise<void> {
  const answer = await new A2aClient({ url, apiKey: adminToken }).http('DELETE', `/admin/agents/${handle}`);
  expect(answer.status).toBe(204);
}

async function restore({ url }: TestRelay): Promise<void> {
  const answer = await new A2aClient({ url, apiKey: adminToken }).http('POST', '/admin/agents', {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ handle: 'alice', restore: true }),
  });
  expect(answer.status).toBe(200);
}

async function statusOf(client: A2aClient, id: string): Promise<readonly [state: string, why: string]> {
  const { status } = await client.call('GetTask', { id });
  return [status.state, readableTexts(status.message?.parts ?? []).join('')];
}

describe('what was for an agent that is removed', () => {
  test('is failed, however far it had come, and its sender reads why', async () => {
    const { relay, frank, handOver, update } = await acme();
    const [pending, accepted, asked, done] = [await handOver(), await handOver(), await handOver(), await handOver()];
    await update(accepted, { transition: 'accept', session_id: 's1' });
    await update(asked, { transition: 'ask', message: 'Which?' });
    await update(done, { transition: 'accept' });
    await update(done, { transition: 'complete', message: 'Done.' });
    await remove(relay);
    for (const id of [pending, accepted, asked]) expect(await statusOf(frank, id)).toEqual(['TASK_STATE_FAILED', WHY]);
    expect(await statusOf(frank, done)).toEqual(['TASK_STATE_COMPLETED', 'Done.']);
    expect(auditStore(join(relay.dataDir, 'relay.db'))).toEqual([]);
  });

  test('is told of as every end is: by the inbox and by webhooks', async () => {
    const { relay, frank, handOver } = await acme();
    const id = await handOver();
    const hook = await startWebhook();
    const made = await frank.rpc('CreateTaskPushNotificationConfig', { taskId: id, url: hook.url });
    expect(JSON.parse(made.body)).toHaveProperty('result.id');
    const inbox = await openInbox(frank);
    onTestFinished(() => inbox.destroy());
    await remove(relay);
    const told = await inbox.handoff(({ handoff }) => handoff.state === 'failed');
    expect(told).toMatchObject({ task_id: id, handoff: { reason: WHY, last_actor: 'relay' } });
    await hook.seen(1);
  });

  test('is no worker’s any more', async () => {
    const { relay, alice, frank, handOver } = await acme();
    const id = await handOver();
    await leased(alice, 'w1');
    await remove(relay);
    expect(relay.rows()['lease']).toBe(0);
    expect(await statusOf(frank, id)).toEqual(['TASK_STATE_FAILED', WHY]);
  });

  test('answers whoever waits for it', async () => {
    const { relay, frank } = await acme();
    const stream = await frank.stream('SendStreamingMessage', message('s'), { at: '/a/alice' });
    await stream.next();
    await remove(relay);
    expect(JSON.stringify(await stream.rest())).toContain(WHY);
  });

  test('is all of it ended, however much it is', async () => {
    const { relay, frank } = await acme();
    await Promise.all(Array.from({ length: 230 }, (_none, n) => sendTo(frank, 'alice', `many-${n}`)));
    await remove(relay);
    const states = (await frank.call('ListTasks', { status: 'TASK_STATE_FAILED', pageSize: 1 })).totalSize;
    expect(states).toBe(230);
  });

  test('is refused where it was on its way, and nothing is left open', async () => {
    const { relay, frank } = await acme();
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SendMessage', params: message('late') });
    const connection = await RawConnection.open(relay.port);
    connection.write(
      [
        'POST /a/alice HTTP/1.1',
        `Host: 127.0.0.1:${relay.port}`,
        `Authorization: Bearer ${frank.apiKey}`,
        'A2A-Version: 1.0',
        'Content-Type: application/json',
        `Content-Length: ${body.length}`,
        'Expect: 100-continue',
        '\r\n',
      ].join('\r\n'),
    );
    expect((await connection.answer())?.status).toBe(100);
    await remove(relay);
    connection.write(body);
    expect((await connection.answer())?.body).toContain('RECIPIENT_NOT_FOUND');
    connection.destroy();
    expect(relay.rows()['task']).toBe(0);
  });

  test('is ended at the next start where the relay did not come to it', async () => {
    const { relay, frank, handOver } = await acme();
    const id = await handOver();
    await relay.relay.close();
    const { dataDir } = relay;
    const store = openSqliteStore({ dataDir, clock: Date.now });
    const alice = await store.directory.agentByName('alice');
    await store.directory.removeAgent(alice?.id ?? 0);
    await store.close();
    const again = await relayForTest({ adminToken, dataDir });
    const late = new A2aClient({ url: again.url, apiKey: frank.apiKey });
    expect(await statusOf(late, id)).toEqual(['TASK_STATE_FAILED', WHY]);
  });
});

test('what an agent that is removed had sent is left to its recipients', async () => {
  const { relay, alice, frank } = await acme();
  const id = await sendTo(alice, 'frank', 'a1');
  await remove(relay);
  await frank.extension('tasks/update', { task_id: id, transition: 'accept' });
  await frank.extension('tasks/update', { task_id: id, transition: 'complete', message: 'Done.' });
  expect(await statusOf(frank, id)).toEqual(['TASK_STATE_COMPLETED', 'Done.']);
});

test('nothing is delivered again to an agent that was removed, until it is back', async () => {
  const { relay, frank, handOver } = await acme();
  const id = await handOver();
  await remove(relay);
  const redeliver = () => frank.http('POST', `/v1/tasks/${id}/redeliver`);
  expect(refusalOf(await redeliver())).toEqual([404, 'RECIPIENT_NOT_FOUND']);
  await restore(relay);
  expect((await redeliver()).status).toBe(200);
});
