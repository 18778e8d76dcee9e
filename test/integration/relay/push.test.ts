import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { EXTENSION_URI } from '../../../relay/contract/handoff.ts';
import type { Json, JsonObject } from '../../../relay/contract/json.ts';
import { assertStreamResponse } from '../../support/a2a-1.0-schema.ts';
import { at, frankAndAlice } from '../../support/frank-and-alice.ts';
import { relayForTest } from '../../support/relay.ts';
import { startWebhook, type Webhook } from '../../support/webhook.ts';

const patience = { firstRetryMs: 5, lastRetryMs: 20, attempts: 4, ageMs: 60_000 };
const { relay, frank, alice, newId, send, update } = await frankAndAlice({ webhookAllow: ['127.0.0.1'], patience });

const message = (text: string, more: JsonObject = {}): JsonObject => ({
  messageId: newId(),
  role: 'ROLE_USER',
  parts: [{ text }],
  ...more,
});
const words = (text: string): JsonObject => ({ messageId: newId(), role: 'ROLE_AGENT', parts: [{ text }] });
/** Sends to alice, who is not there, and has what happens pushed. */
const sendWith = (config: JsonObject) =>
  send({
    message: message('The API answers 500 instead of 429'),
    configuration: { returnImmediately: true, taskPushNotificationConfig: config },
  });
/** The calls of 0.3, at alice's endpoint, by frank. */
const legacy = (method: string, params: JsonObject): Promise<Json> =>
  frank.result(method, params, { at, headers: { 'a2a-version': undefined } });
const bodies = async (hook: Webhook, count: number): Promise<readonly JsonObject[]> =>
  (await hook.seen(count)).map(({ body }) => body);
const stateOf = (body: JsonObject): Json | undefined => {
  const { statusUpdate } = body as { statusUpdate?: { status: { state: string } } };
  return statusUpdate?.status.state;
};

/** Up to which version frank has been offered a task. */
async function offeredTo(taskId: string): Promise<number> {
  const seen = await alice.extension('tasks/list', { filter: { role: 'recipient' } });
  const { tasks } = seen as {
    tasks: { id: string; metadata: Record<string, { receipts: { sender: { offered: number } } }> }[];
  };
  return tasks.find(({ id }) => id === taskId)?.metadata[EXTENSION_URI]?.receipts.sender.offered ?? 0;
}

describe('what is pushed', () => {
  test('is what a stream would have, in order, with what the webhook asked for', async () => {
    const hook = await startWebhook();
    const authentication = { scheme: 'Bearer', credentials: 's3cret' };
    const task = await sendWith({ url: hook.url, token: 'whose', authentication });
    await update(task.id, { transition: 'accept' });
    const artifacts = [{ artifactId: 'fix', parts: [{ text: 'a diff' }] }];
    await update(task.id, { transition: 'complete', message: words('Fixed.'), artifacts });
    const pushed = await hook.seen(3);
    for (const { body } of pushed) assertStreamResponse(body);
    expect(pushed.map(({ body }) => body)).toMatchObject([
      { statusUpdate: { taskId: task.id, status: { state: 'TASK_STATE_WORKING' } } },
      { artifactUpdate: { taskId: task.id, artifact: { artifactId: 'fix' } } },
      { statusUpdate: { status: { state: 'TASK_STATE_COMPLETED', message: { parts: [{ text: 'Fixed.' }] } } } },
    ]);
    expect(pushed[0]?.headers).toMatchObject({
      'content-type': 'application/a2a+json',
      'a2a-version': '1.0',
      authorization: 'Bearer s3cret',
      'x-a2a-notification-token': 'whose',
      'idempotency-key': `"${task.id}/2"`,
    });
  });

  test('holds nothing that its owner said', async () => {
    const hook = await startWebhook();
    const task = await sendWith({ url: hook.url });
    await frank.call('SendMessage', { message: message('One more thing', { taskId: task.id }) }, { at });
    await update(task.id, { transition: 'ask', message: words('Which route?') });
    const [body] = await bodies(hook, 1);
    expect(body).toMatchObject({ statusUpdate: { status: { state: 'TASK_STATE_INPUT_REQUIRED' } } });
    expect(JSON.stringify(hook.pushed)).not.toContain('One more thing');
  });

  test('goes to a recipient that asked for it as well', async () => {
    const hook = await startWebhook();
    const task = await send({ message: message('x'), configuration: { returnImmediately: true } });
    await alice.result('CreateTaskPushNotificationConfig', { taskId: task.id, url: hook.url }, { at });
    await frank.call('SendMessage', { message: message('And this', { taskId: task.id }) }, { at });
    await frank.call('CancelTask', { id: task.id }, { at });
    expect(await bodies(hook, 2)).toMatchObject([
      { statusUpdate: { status: { message: { role: 'ROLE_USER', parts: [{ text: 'And this' }] } } } },
      { statusUpdate: { status: { state: 'TASK_STATE_CANCELED' } } },
    ]);
  });

  test('holds no content where only a wake-up was asked for', async () => {
    const hook = await startWebhook();
    const metadata = { [EXTENSION_URI]: { push: 'wake_up' } };
    const task = await sendWith({ url: hook.url, metadata });
    const artifacts = [{ artifactId: 'fix', parts: [{ text: 'secret diff' }] }];
    await update(task.id, { transition: 'accept' });
    await update(task.id, { transition: 'complete', message: words('secret words'), artifacts });
    const pushed = await bodies(hook, 3);
    for (const body of pushed) assertStreamResponse(body);
    expect(pushed.map(stateOf)).toEqual(['TASK_STATE_WORKING', 'TASK_STATE_WORKING', 'TASK_STATE_COMPLETED']);
    expect(JSON.stringify(pushed)).not.toMatch(/secret|500 instead/);
    expect(pushed[2]).toMatchObject({ statusUpdate: { metadata: { [EXTENSION_URI]: { version: 4 } } } });
    // nothing was handed over
    expect(await offeredTo(task.id)).toBe(0);
  });

  test('counts as offered to its owner', async () => {
    const hook = await startWebhook();
    const task = await sendWith({ url: hook.url });
    await update(task.id, { transition: 'accept' });
    await hook.seen(1);
    await expect.poll(() => offeredTo(task.id)).toBe(2);
  });
});

describe('the generations before 1.0', () => {
  test('0.3 is sent the task as of each change, and nothing of 1.0', async () => {
    const hook = await startWebhook();
    const task = (await legacy('message/send', {
      message: { kind: 'message', messageId: newId(), role: 'user', parts: [{ kind: 'text', text: 'hi' }] },
      configuration: {
        blocking: false,
        pushNotificationConfig: {
          url: hook.url,
          token: 't',
          authentication: { schemes: ['Basic'], credentials: 'eDp5' },
        },
      },
    })) as { id: string };
    await update(task.id, { transition: 'accept' });
    await update(task.id, { transition: 'complete', message: words('done') });
    const pushed = await hook.seen(2);
    expect(pushed.map(({ body }) => body)).toMatchObject([
      { kind: 'task', id: task.id, status: { state: 'working' }, history: [{ kind: 'message', role: 'user' }] },
      {
        kind: 'task',
        id: task.id,
        status: { state: 'completed', message: { parts: [{ kind: 'text', text: 'done' }] } },
      },
    ]);
    expect(pushed[1]?.headers).toMatchObject({
      'content-type': 'application/json',
      'a2a-version': '0.3',
      authorization: 'Basic eDp5',
      'x-a2a-notification-token': 't',
    });
  });

  test('0.1 is sent the task under the client’s own name for it', async () => {
    const hook = await startWebhook();
    const id = newId();
    await legacy('tasks/send', {
      id,
      message: { role: 'user', parts: [{ type: 'text', text: 'hi' }] },
      pushNotification: { url: hook.url },
    });
    const config = await legacy('tasks/pushNotification/get', { id });
    expect(config).toEqual({ id, pushNotificationConfig: { url: hook.url } });
    const task = (await alice.call('ListTasks', { pageSize: 1 }, { at })).tasks[0];
    await update(task?.id ?? '', { transition: 'decline', reason: 'Not mine' });
    const [body] = await bodies(hook, 1);
    expect(body).toMatchObject({
      id,
      status: { state: 'failed', message: { parts: [{ type: 'text', text: 'Not mine' }] } },
    });
  });

  test('a webhook that one generation set is seen by the other', async () => {
    const hook = await startWebhook();
    const task = await sendWith({ url: hook.url, id: 'c1', authentication: { scheme: 'Bearer', credentials: 'x' } });
    const other = { url: `${hook.url}/2`, id: 'c2' };
    await legacy('tasks/pushNotificationConfig/set', { taskId: task.id, pushNotificationConfig: other });
    expect(await legacy('tasks/pushNotificationConfig/list', { id: task.id })).toEqual([
      { taskId: task.id, pushNotificationConfig: { id: 'c1', url: hook.url, authentication: { schemes: ['Bearer'] } } },
      { taskId: task.id, pushNotificationConfig: other },
    ]);
    expect(await frank.result('ListTaskPushNotificationConfigs', { taskId: task.id }, { at })).toEqual({
      configs: [
        { id: 'c1', taskId: task.id, url: hook.url, authentication: { scheme: 'Bearer' } },
        { taskId: task.id, ...other },
      ],
      nextPageToken: '',
    });
    const params = { id: task.id, pushNotificationConfigId: 'c1' };
    expect(await legacy('tasks/pushNotificationConfig/delete', params)).toBeNull();
    expect(await legacy('tasks/pushNotificationConfig/get', { id: task.id })).toMatchObject({
      pushNotificationConfig: { id: 'c2' },
    });
  });
});

describe('a webhook that fails', () => {
  test('is tried again, and later events wait for it', async () => {
    const hook = await startWebhook((_pushed, response, index) => response.writeHead(index < 2 ? 503 : 200).end());
    const task = await sendWith({ url: hook.url });
    await update(task.id, { transition: 'accept' });
    await update(task.id, { transition: 'complete', message: words('done') });
    const keys = (await hook.seen(4)).map(({ headers }) => headers['idempotency-key']);
    expect(keys).toEqual([2, 2, 2, 3].map((version) => `"${task.id}/${version}"`));
  });

  test('for good becomes a dead letter, which can be seen and pushed again', async () => {
    let isUp = false;
    const hook = await startWebhook((_pushed, response) => response.writeHead(isUp ? 200 : 500).end());
    const task = await sendWith({ url: hook.url, id: 'c', token: 'hush' });
    await update(task.id, { transition: 'accept' });
    await hook.seen(patience.attempts);
    const letters = async (): Promise<readonly JsonObject[]> => {
      const { body } = await frank.http('GET', '/v1/dead-letters');
      const { items } = JSON.parse(body) as { items: readonly JsonObject[] };
      return items.filter(({ task_id: id }) => id === task.id);
    };
    await expect.poll(letters).toEqual([
      {
        task_id: task.id,
        config_id: 'c',
        url: hook.url,
        version: 2,
        error: 'HTTP 500',
        attempts: 4,
        died_at: expect.any(Number),
      },
    ]);
    expect(JSON.parse((await alice.http('GET', '/v1/dead-letters')).body)).toEqual({ items: [] });
    isUp = true;
    const { status, body } = await frank.http('POST', `/v1/tasks/${task.id}/redeliver`);
    expect([status, JSON.parse(body)]).toEqual([200, { task_id: task.id, webhooks: 1 }]);
    const [again] = (await bodies(hook, patience.attempts + 1)).slice(-1);
    expect(again && stateOf(again)).toBe('TASK_STATE_WORKING');
    expect(await letters()).toEqual([]);
  });

  test('does not hold up another one of the same task', async () => {
    const bad = await startWebhook((_pushed, response) => response.writeHead(500).end());
    const good = await startWebhook();
    const task = await sendWith({ url: bad.url, id: 'bad' });
    await frank.result('CreateTaskPushNotificationConfig', { taskId: task.id, id: 'good', url: good.url }, { at });
    await update(task.id, { transition: 'decline', reason: 'no' });
    expect((await bodies(good, 1)).map(stateOf)).toEqual(['TASK_STATE_REJECTED']);
  });

  // https://github.com/a2aproject/a2a-js/issues/584
  test('by a redirect is not followed', async () => {
    const inside = await startWebhook();
    const hook = await startWebhook((_pushed, response) => response.writeHead(307, { location: inside.url }).end());
    const task = await sendWith({ url: hook.url });
    await update(task.id, { transition: 'accept' });
    await hook.seen(patience.attempts);
    expect(inside.pushed).toEqual([]);
  });

  test('is left alone once it was deleted', async () => {
    const hook = await startWebhook((_pushed, response) => response.writeHead(500).end());
    const task = await sendWith({ url: hook.url, id: 'c' });
    await update(task.id, { transition: 'accept' });
    await hook.seen(1);
    const params = { taskId: task.id, id: 'c' };
    expect(await frank.result('DeleteTaskPushNotificationConfig', params, { at })).toEqual({});
    expect(await frank.result('DeleteTaskPushNotificationConfig', params, { at })).toEqual({});
    const before = hook.pushed.length;
    const other = await startWebhook();
    await frank.result('CreateTaskPushNotificationConfig', { ...params, url: other.url }, { at });
    await update(task.id, { transition: 'complete', message: words('done') });
    await other.seen(1);
    // one may have been on its way
    expect(hook.pushed.length).toBeLessThanOrEqual(before + 1);
  });
});

describe('a webhook’s settings', () => {
  test('never give a secret back', async () => {
    const hook = await startWebhook();
    const config = {
      url: hook.url,
      id: 'c',
      token: 'hush-1',
      authentication: { scheme: 'Bearer', credentials: 'hush-2' },
    };
    const task = await sendWith(config);
    const created = await frank.result('CreateTaskPushNotificationConfig', { taskId: task.id, ...config }, { at });
    const got = await frank.result('GetTaskPushNotificationConfig', { taskId: task.id, id: 'c' }, { at });
    const all = await frank.result('ListTaskPushNotificationConfigs', { taskId: task.id }, { at });
    const shown = { id: 'c', taskId: task.id, url: hook.url, authentication: { scheme: 'Bearer' } };
    expect([created, got, all]).toEqual([shown, shown, { configs: [shown], nextPageToken: '' }]);
  });

  test('are named by the task where their client gives no name, and paged', async () => {
    const hook = await startWebhook();
    const task = await sendWith({ url: hook.url });
    await frank.result('CreateTaskPushNotificationConfig', { taskId: task.id, id: 'b', url: hook.url }, { at });
    const list = (params: JsonObject) =>
      frank.result('ListTaskPushNotificationConfigs', { taskId: task.id, pageSize: 1, ...params }, { at }) as Promise<{
        configs: { id: string }[];
        nextPageToken: string;
      }>;
    const first = await list({});
    const second = await list({ pageToken: first.nextPageToken });
    expect([first.configs[0]?.id, second.configs[0]?.id, second.nextPageToken]).toEqual([task.id, 'b', '']);
    const error = await frank.fail('ListTaskPushNotificationConfigs', { taskId: task.id, pageToken: 'eA' }, { at });
    expect(error.code).toBe(-32602);
  });

  test('are their owner’s alone', async () => {
    const hook = await startWebhook();
    const mia = await relay.agent('mia');
    const task = await sendWith({ url: hook.url, id: 'c' });
    const params = { taskId: task.id, id: 'c' };
    const refused = await Promise.all([
      alice.fail('GetTaskPushNotificationConfig', params, { at }),
      mia.fail('GetTaskPushNotificationConfig', params, { at }),
      mia.fail('ListTaskPushNotificationConfigs', { taskId: task.id }, { at }),
      mia.fail('DeleteTaskPushNotificationConfig', params, { at }),
      mia.fail('CreateTaskPushNotificationConfig', { taskId: task.id, url: hook.url }, { at }),
      frank.fail('GetTaskPushNotificationConfig', { taskId: task.id, id: 'other' }, { at }),
    ]);
    expect(refused.map(({ code }) => code)).toEqual(Array.from({ length: 6 }, () => -32001));
    expect(await alice.result('ListTaskPushNotificationConfigs', { taskId: task.id }, { at })).toMatchObject({
      configs: [],
    });
  });

  test('are at most 16 a task', async () => {
    const hook = await startWebhook();
    const task = await sendWith({ url: hook.url, id: 'c0' });
    for (let i = 1; i < 16; i++) {
      await frank.result('CreateTaskPushNotificationConfig', { taskId: task.id, id: `c${i}`, url: hook.url }, { at });
    }
    const one = { taskId: task.id, id: 'c16', url: hook.url };
    expect(await frank.fail('CreateTaskPushNotificationConfig', one, { at })).toMatchObject({ code: -32602 });
    const before = (await alice.call('GetTask', { id: task.id }, { at })).history?.length;
    const configuration = { returnImmediately: true, taskPushNotificationConfig: { id: 'c16', url: hook.url } };
    const follow = { message: message('and this', { taskId: task.id }), configuration };
    expect(await frank.fail('SendMessage', follow, { at })).toMatchObject({ code: -32602 });
    // nothing was sent with it
    expect((await alice.call('GetTask', { id: task.id }, { at })).history).toHaveLength(before ?? 0);
    // the same once more is none more
    await frank.result('CreateTaskPushNotificationConfig', { ...one, id: 'c15' }, { at });
  });

  test('of the same call once more change nothing', async () => {
    const hook = await startWebhook();
    const params = {
      message: message('once'),
      configuration: { returnImmediately: true, taskPushNotificationConfig: { url: hook.url } },
    };
    const [first, second] = [await send(params), await send(params)];
    expect(second.id).toBe(first.id);
    await update(first.id, { transition: 'decline', reason: 'no' });
    await hook.seen(1);
    const { configs } = (await frank.result('ListTaskPushNotificationConfigs', { taskId: first.id }, { at })) as {
      configs: unknown[];
    };
    expect(configs).toHaveLength(1);
    expect(hook.pushed).toHaveLength(1);
  });

  test('that come with a retry hold for all that came since the first call', async () => {
    const hook = await startWebhook();
    const first = { message: message('cut off'), configuration: { returnImmediately: true } };
    const task = await send(first);
    await update(task.id, { transition: 'ask', message: words('Which route?') });
    await send({
      ...first,
      configuration: { ...first.configuration, taskPushNotificationConfig: { url: hook.url } },
    });
    expect((await bodies(hook, 1)).map(stateOf)).toEqual(['TASK_STATE_INPUT_REQUIRED']);
  });

  test.each([
    ['a line feed in the address', { url: 'https://example.com/\r\nX: y' }],
    ['a space in the address', { url: 'https://example.com/a b' }],
    ['a line feed in the token', { token: 'a\r\nx-evil: 1' }],
    ['a line feed in the credentials', { authentication: { scheme: 'Bearer', credentials: 'a\nb' } }],
    ['two schemes in one', { authentication: { scheme: 'Bearer x' } }],
    ['no scheme', { authentication: { credentials: 'x' } }],
    ['no address', { url: '' }],
    ['another protocol', { url: 'file:///etc/passwd' }],
    ['a password in the address', { url: 'https://user:secret@example.com/hook' }],
    ['no address at all', { url: 'hook' }],
    ['a private address', { url: 'http://10.0.0.1/hook' }],
    ['an unknown form', { metadata: { [EXTENSION_URI]: { push: 'everything' } } }],
  ])('are refused for %s, and the message is not sent', async (_what, wrong: JsonObject) => {
    const before = relay.rows()['task'];
    const configuration = {
      returnImmediately: true,
      taskPushNotificationConfig: { url: 'https://example.com/hook', ...wrong },
    };
    const error = await frank.fail('SendMessage', { message: message('x'), configuration }, { at });
    expect(error.code).toBe(-32602);
    expect(JSON.stringify(error)).not.toContain('secret');
    expect(relay.rows()['task']).toBe(before);
  });
});

test('no line of the log has a secret of a webhook, nor its path', async () => {
  const lines: string[] = [];
  const logger = pino({ level: 'trace' }, { write: (line) => void lines.push(line) });
  const other = await relayForTest({ webhookAllow: ['127.0.0.1'], patience: { ...patience, attempts: 2 }, logger });
  const [mia, bot] = [await other.agent('mia'), await other.agent('bot')];
  const hook = await startWebhook((_pushed, response) => response.writeHead(500).end());
  const authentication = { scheme: 'Bearer', credentials: 'hush-1' };
  const taskPushNotificationConfig = { url: `${hook.url}?key=hush-2`, token: 'hush-3', authentication };
  const configuration = { returnImmediately: true, taskPushNotificationConfig };
  const answer = await mia.call('SendMessage', { message: message('x'), configuration }, { at: '/a/bot' });
  if (!('task' in answer)) throw new Error('no task');
  await update(answer.task.id, { transition: 'accept' }, bot);
  await expect.poll(() => lines.some((line) => line.includes('a push was given up'))).toBe(true);
  expect(lines.join('')).not.toMatch(/hush|\/hook/);
});

test('no webhook of a sender is told which session of the recipient works', async () => {
  const hook = await startWebhook();
  const { id } = (await legacy('message/send', {
    message: { kind: 'message', messageId: newId(), role: 'user', parts: [{ kind: 'text', text: 'hi' }] },
    configuration: { blocking: false, pushNotificationConfig: { url: hook.url } },
  })) as { id: string };
  await update(id, { transition: 'accept', session_id: 'private-session' });
  await update(id, { transition: 'complete', message: words('done'), session_id: 'private-session' });
  await hook.seen(2);
  expect(JSON.stringify(hook.pushed)).not.toContain('private-session');
});
