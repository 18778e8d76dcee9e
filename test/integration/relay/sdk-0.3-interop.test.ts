import type { Message, MessageSendParams, Task } from 'a2a-sdk-03';
import {
  JsonRpcTransport,
  TaskNotCancelableError,
  TaskNotFoundError,
  UnsupportedOperationError,
} from 'a2a-sdk-03/client';
import { describe, expect, test } from 'vitest';
import { EXTENSION_URI } from '../../../relay/contract/handoff.ts';
import type { JsonObject } from '../../../relay/contract/json.ts';
import { message as message10, type A2aClient } from '../../support/a2a-client.ts';
import { openInbox } from '../../support/inbox.ts';
import { relayForTest } from '../../support/relay.ts';
import { startWebhook } from '../../support/webhook.ts';

/** The official SDK of A2A 0.3, unmodified, over HTTP: it sends no version, and reads nothing but 0.3. */

async function acme(options: Parameters<typeof relayForTest>[0] = {}) {
  const relay = await relayForTest({ webhookAllow: ['127.0.0.1'], ...options });
  const alice = await relay.agent('alice');
  const frank = await relay.agent('frank', { kind: 'a2a' });
  return { relay, alice, frank, sdk: sdkFor(frank, alice) };
}

function sdkFor(caller: A2aClient, to: A2aClient): JsonRpcTransport {
  return new JsonRpcTransport({
    endpoint: `${to.url}/a/${to.name}`,
    fetchImpl: (url, init) => {
      const headers = new Headers(init?.headers);
      headers.set('authorization', `Bearer ${caller.apiKey}`);
      return fetch(url, { ...init, headers });
    },
  });
}

function send(
  messageId: string,
  more: Partial<Message> = {},
  configuration?: MessageSendParams['configuration'],
): MessageSendParams {
  const message: Message = {
    kind: 'message',
    messageId,
    role: 'user',
    parts: [{ kind: 'text', text: `text of ${messageId}` }],
    ...more,
  };
  return configuration === undefined ? { message } : { message, configuration };
}

function asTask(result: Message | Task): Task {
  if (result.kind !== 'task') throw new Error('a message, where a task was expected');
  return result;
}

const update = (alice: A2aClient, task_id: string, params: JsonObject) =>
  alice.extension('tasks/update', { task_id, ...params });

describe('message/send', () => {
  test('waits by default, and returns the finished task in the form of 0.3', async () => {
    const { alice, sdk } = await acme({ blockMs: 60_000 });
    const inbox = await openInbox(alice);
    const sent = sdk.sendMessage(send('m1'));
    const { task_id } = await inbox.handoff();
    await update(alice, task_id, { transition: 'accept' });
    const artifacts = [{ artifactId: 'a1', parts: [{ text: 'the repair' }] }];
    await update(alice, task_id, { transition: 'complete', message: 'done', artifacts });
    expect(asTask(await sent)).toMatchObject({
      kind: 'task',
      id: task_id,
      status: {
        state: 'completed',
        message: { kind: 'message', role: 'agent', parts: [{ kind: 'text', text: 'done' }] },
      },
      artifacts: [{ artifactId: 'a1', parts: [{ kind: 'text', text: 'the repair' }] }],
      history: [{ kind: 'message', messageId: 'm1', role: 'user', parts: [{ kind: 'text', text: 'text of m1' }] }],
    });
  });

  test('with blocking: false returns at once, whoever is there', async () => {
    const { alice, sdk } = await acme({ blockMs: 3_600_000 });
    await openInbox(alice);
    const task = asTask(await sdk.sendMessage(send('m1', {}, { blocking: false })));
    expect(task.status.state).toBe('submitted');
  });

  test('returns a message when the recipient answers without a task', async () => {
    const { alice, sdk } = await acme({ blockMs: 60_000 });
    const inbox = await openInbox(alice);
    const sent = sdk.sendMessage(send('m1'));
    const { task_id } = await inbox.handoff();
    await update(alice, task_id, { transition: 'reply_only', message: 'it is the cache' });
    expect(await sent).toMatchObject({
      kind: 'message',
      role: 'agent',
      parts: [{ kind: 'text', text: 'it is the cache' }],
    });
  });

  test('is done once under one message id', async () => {
    const { sdk } = await acme();
    const ids = await Promise.all(Array.from({ length: 5 }, async () => asTask(await sdk.sendMessage(send('m1'))).id));
    expect(new Set(ids).size).toBe(1);
  });

  test('carries files and data there and back', async () => {
    const { sdk } = await acme();
    const parts: Message['parts'] = [
      { kind: 'file', file: { bytes: 'QUJD', name: 'a.bin', mimeType: 'application/x-thing' } },
      { kind: 'file', file: { uri: 'https://example.com/a' } },
      { kind: 'data', data: { a: [1, null, 'x'] } },
    ];
    expect(asTask(await sdk.sendMessage(send('m1', { parts }))).history?.[0]?.parts).toEqual(parts);
  });
});

describe('message/stream', () => {
  test('gives the task, each change and chunk, and says which is the final one', async () => {
    const { alice, sdk } = await acme();
    const frames: unknown[] = [];
    for await (const frame of sdk.sendMessageStream(send('m1'))) {
      frames.push(frame);
      if (frame.kind !== 'task') continue;
      const chunk = (text: string, more: JsonObject) => ({
        artifacts: [{ artifactId: 'a', parts: [{ text }] }],
        ...more,
      });
      await update(alice, frame.id, { transition: 'accept' });
      await update(alice, frame.id, chunk('one ', { append: false }));
      await update(alice, frame.id, chunk('two', { append: true, last_chunk: true }));
      await update(alice, frame.id, { transition: 'complete', message: 'done' });
    }
    expect(frames).toMatchObject([
      { kind: 'task', status: { state: 'submitted' } },
      { kind: 'status-update', status: { state: 'working' }, final: false },
      {
        kind: 'artifact-update',
        artifact: { parts: [{ kind: 'text', text: 'one ' }] },
        append: false,
        lastChunk: false,
      },
      { kind: 'artifact-update', artifact: { parts: [{ kind: 'text', text: 'two' }] }, append: true, lastChunk: true },
      { kind: 'status-update', status: { state: 'completed' }, final: true },
    ]);
  });

  test('ends with a question, and its answer goes on', async () => {
    const { alice, sdk } = await acme();
    let id = '';
    const states: unknown[] = [];
    for await (const frame of sdk.sendMessageStream(send('m1'))) {
      if (frame.kind === 'task') id = frame.id;
      if (frame.kind === 'task') await update(alice, id, { transition: 'ask', message: 'which?' });
      if (frame.kind === 'status-update') states.push([frame.status.state, frame.final]);
    }
    expect(states).toEqual([['input-required', true]]);
    const answered = asTask(await sdk.sendMessage(send('m2', { taskId: id }, { blocking: false })));
    expect(answered.status.state).toBe('working');
  });

  test('that is refused says why, in the stream that its client asked for', async () => {
    const { sdk } = await acme();
    const refused = async (params: MessageSendParams): Promise<void> => {
      for await (const _frame of sdk.sendMessageStream(params)) throw new Error('a frame');
    };
    await expect(refused(send('m1', { parts: [] }))).rejects.toThrow(/-32602|parts/);
    await expect(refused(send('m1', { taskId: 'nothing' }))).rejects.toThrow(/no such task/i);
  });
});

describe('tasks', () => {
  test('are read, with as much history as is asked for, and cancelled', async () => {
    const { sdk } = await acme();
    const { id } = asTask(await sdk.sendMessage(send('m1')));
    await sdk.sendMessage(send('m2', { taskId: id }));
    expect((await sdk.getTask({ id })).history).toHaveLength(2);
    expect((await sdk.getTask({ id, historyLength: 1 })).history).toMatchObject([{ messageId: 'm2' }]);
    expect(await sdk.cancelTask({ id })).toMatchObject({ kind: 'task', status: { state: 'canceled' } });
    await expect(sdk.sendMessage(send('m3', { taskId: id }))).rejects.toThrow(UnsupportedOperationError);
  });

  test('that are not there, not theirs, or past cancelling are told by the errors of the SDK', async () => {
    const { relay, alice, sdk } = await acme();
    const { id } = asTask(await sdk.sendMessage(send('m1')));
    const stranger = sdkFor(await relay.agent('mia'), alice);
    for (const call of [sdk.getTask({ id: 'nothing' }), stranger.getTask({ id }), stranger.cancelTask({ id })]) {
      await expect(call).rejects.toThrow(TaskNotFoundError);
    }
    await update(alice, id, { transition: 'decline' });
    await expect(sdk.cancelTask({ id })).rejects.toThrow(TaskNotCancelableError);
  });

  test('are taken up again after a dropped stream, with a snapshot first', async () => {
    const { alice, sdk } = await acme();
    const { id } = asTask(await sdk.sendMessage(send('m1')));
    await update(alice, id, { artifacts: [{ artifactId: 'a', parts: [{ text: 'one ' }] }], append: false });
    const kinds: string[] = [];
    for await (const frame of sdk.resubscribeTask({ id })) {
      kinds.push(frame.kind);
      if (frame.kind === 'task') {
        expect(frame.artifacts).toMatchObject([{ parts: [{ text: 'one ' }] }]);
        await update(alice, id, {
          artifacts: [{ artifactId: 'a', parts: [{ text: 'two' }] }],
          append: true,
          last_chunk: true,
        });
        await update(alice, id, { transition: 'complete' });
      }
    }
    expect(kinds).toEqual(['task', 'artifact-update', 'status-update']);
  });

  test('are pushed to the webhook that the SDK sets, reads, lists and deletes', async () => {
    const { alice, sdk } = await acme();
    const hook = await startWebhook();
    const { id } = asTask(await sdk.sendMessage(send('m1')));
    const config = { id: 'c', url: hook.url, token: 'whose' };
    const shown = { taskId: id, pushNotificationConfig: { id: 'c', url: hook.url } };
    expect(await sdk.setTaskPushNotificationConfig({ taskId: id, pushNotificationConfig: config })).toEqual(shown);
    expect(await sdk.getTaskPushNotificationConfig({ id, pushNotificationConfigId: 'c' })).toEqual(shown);
    expect(await sdk.listTaskPushNotificationConfig({ id })).toEqual([shown]);
    await update(alice, id, { transition: 'accept' });
    const [pushed] = await hook.seen(1);
    expect(pushed).toMatchObject({
      headers: { 'x-a2a-notification-token': 'whose' },
      body: { kind: 'task', id, status: { state: 'working' } },
    });
    await sdk.deleteTaskPushNotificationConfig({ id, pushNotificationConfigId: 'c' });
    await expect(sdk.getTaskPushNotificationConfig({ id, pushNotificationConfigId: 'c' })).rejects.toThrow(
      TaskNotFoundError,
    );
    await update(alice, id, { transition: 'complete' });
    expect(hook.pushed).toHaveLength(1);
  });

  test('whose webhook leads inside are refused', async () => {
    const { sdk } = await acme();
    const { id } = asTask(await sdk.sendMessage(send('m1')));
    const config = { taskId: id, pushNotificationConfig: { url: 'http://169.254.169.254/latest' } };
    await expect(sdk.setTaskPushNotificationConfig(config)).rejects.toThrow(/public internet/);
  });
});

describe('one thread in two dialects', () => {
  test('begun in 0.3 is read and gone on with in 1.0, and the other way round', async () => {
    const { frank, sdk } = await acme();
    const at = '/a/alice';
    const { id } = asTask(await sdk.sendMessage(send('m1')));
    await frank.call('SendMessage', { ...message10('m2', { taskId: id }) }, { at });
    expect((await sdk.getTask({ id })).history).toMatchObject([{ messageId: 'm1' }, { messageId: 'm2', role: 'user' }]);
    expect(await frank.call('GetTask', { id }, { at })).toMatchObject({
      history: [{ messageId: 'm1', role: 'ROLE_USER' }, { messageId: 'm2' }],
    });
    const begun = await frank.call('SendMessage', message10('m3'), { at });
    if (!('task' in begun)) throw new Error('no task');
    expect(asTask(await sdk.sendMessage(send('m4', { taskId: begun.task.id }))).id).toBe(begun.task.id);
  });
});

describe('the wire of 0.3', () => {
  const headers = { 'a2a-version': undefined };

  test('names extensions in its own header', async () => {
    const { frank } = await acme();
    const asked = { ...headers, 'x-a2a-extensions': `urn:x, ${EXTENSION_URI}`, 'a2a-extensions': EXTENSION_URI };
    const answer = await frank.rpc('tasks/get', { id: 'nothing' }, { headers: asked });
    expect([answer.headers['x-a2a-extensions'], answer.headers['a2a-extensions']]).toEqual([EXTENSION_URI, undefined]);
  });

  test('refuses a stream with one event of a stream, and everything else with JSON', async () => {
    const { frank } = await acme();
    for (const method of ['message/stream', 'tasks/resubscribe']) {
      const { status, headers: answered, body } = await frank.rpc(method, {}, { headers });
      expect([status, answered['content-type']]).toEqual([200, 'text/event-stream']);
      expect(body).toMatch(/^data: \{"jsonrpc":"2\.0","id":1,"error":\{"code":-32602,.*\}\n\n$/);
    }
    const { headers: answered } = await frank.rpc('message/send', {}, { headers });
    expect(answered['content-type']).toMatch(/^application\/json/);
  });

  test('has no method of 1.0, and 1.0 none of its', async () => {
    const { frank } = await acme();
    const codeOf = async (method: string, version: string | undefined) => {
      const { body } = await frank.rpc(method, {}, { headers: { 'a2a-version': version } });
      return (JSON.parse(body) as { error: { code: number } }).error.code;
    };
    expect(await codeOf('message/send', '1.0')).toBe(-32601);
    expect(await codeOf('SendMessage', '0.3')).toBe(-32009);
    expect(await codeOf('message/send', '0.2.5')).toBe(-32602);
    expect(await codeOf('message/send', '99.0')).toBe(-32009);
  });
});
