import {
  CancelTaskRequest,
  GetTaskRequest,
  ListTasksRequest,
  SendMessageRequest,
  StreamResponse as StreamResponseCodec,
  SubscribeToTaskRequest,
  Task,
  TaskState,
  type Message,
  type SendMessageResult,
  type StreamResponse,
} from '@a2a-js/sdk';
import type { Client } from '@a2a-js/sdk/client';
import { TaskNotCancelableError, TaskNotFoundError, UnsupportedOperationError } from '@a2a-js/sdk/errors';
import { describe, expect, test } from 'vitest';
import { EXTENSION_URI } from '../../../relay/contract/handoff.ts';
import type { JsonObject } from '../../../relay/contract/json.ts';
import { message, type A2aClient } from '../../support/a2a-client.ts';
import { openInbox } from '../../support/inbox.ts';
import { relayForTest, type TestRelay } from '../../support/relay.ts';
import { sdkClient } from '../../support/sdk.ts';
import { proxyForTest } from '../../support/tcp-proxy.ts';
import { startWebhook } from '../../support/webhook.ts';

/** The official SDK's client, unmodified, over HTTP: it sends to alice, who is answered for over the same wire. */
async function acme(options: Parameters<typeof relayForTest>[0] = {}) {
  const relay = await relayForTest({ webhookAllow: ['127.0.0.1'], ...options });
  const alice = await relay.agent('alice');
  const frank = await relay.agent('frank', { kind: 'a2a' });
  return { relay, alice, frank, sdk: await sdkFor(relay, frank, alice) };
}

/** A client with `caller`'s key for `to`'s endpoint. */
function sdkFor({ url }: Pick<TestRelay, 'url'>, caller: A2aClient, to: A2aClient): Promise<Client> {
  return sdkClient({ url, apiKey: caller.apiKey, card: `/a/${to.name}/agent-card.json` });
}

function send(messageId: string, more: JsonObject = {}, configuration: JsonObject = {}): SendMessageRequest {
  return SendMessageRequest.fromJSON({ ...message(messageId, more), configuration });
}

function asTask(result: SendMessageResult): Task {
  if ('messageId' in result) throw new Error('a message, where a task was expected');
  return result;
}

/** A new handoff's id. Nobody is connected on the other side, so that the call returns at once. */
async function handoff(sdk: Client, messageId = 'm1', more: JsonObject = {}): Promise<string> {
  return asTask(await sdk.sendMessage(send(messageId, more))).id;
}

const meta = (own: JsonObject): JsonObject => ({ metadata: { [EXTENSION_URI]: own } });

/** What one frame says, in short. */
function say(frame: StreamResponse): string {
  const { payload } = frame;
  switch (payload?.$case) {
    case 'task':
      return `task ${TaskState[payload.value.status?.state ?? -1]}`;
    case 'message':
      return `message ${textOf(payload.value.parts)}`;
    case 'statusUpdate': {
      const { status } = payload.value;
      const text = status?.message === undefined ? '' : ` ${textOf(status.message.parts)}`;
      return `status ${TaskState[status?.state ?? -1]}${text}`;
    }
    case 'artifactUpdate': {
      const { artifact, append, lastChunk } = payload.value;
      const flags = `${append ? ' append' : ''}${lastChunk ? ' last' : ''}`;
      return `artifact ${artifact?.artifactId} ${textOf(artifact?.parts ?? [])}${flags}`;
    }
    case undefined:
      return 'nothing';
  }
}

function textOf(parts: Message['parts']): string {
  return parts.map(({ content }) => (content?.$case === 'text' ? content.value : `<${content?.$case}>`)).join('');
}

/** Reads a stream until it ends by itself. */
async function saidBy(frames: AsyncIterable<StreamResponse>): Promise<string[]> {
  const said: string[] = [];
  for await (const frame of frames) said.push(say(frame));
  return said;
}

describe('a blocking send', () => {
  test('returns the finished task when the recipient is there and answers', async () => {
    const { alice, sdk } = await acme({ blockMs: 60_000 });
    const inbox = await openInbox(alice);
    const sent = sdk.sendMessage(send('m1'));
    const { task_id } = await inbox.handoff();
    await alice.extension('tasks/update', { task_id, transition: 'accept' });
    const artifacts = [{ artifactId: 'a1', parts: [{ text: 'the repair' }] }];
    await alice.extension('tasks/update', { task_id, transition: 'complete', message: 'done', artifacts });
    const task = asTask(await sent);
    expect(Task.toJSON(task)).toMatchObject({
      id: task_id,
      status: { state: 'TASK_STATE_COMPLETED', message: { role: 'ROLE_AGENT', parts: [{ text: 'done' }] } },
      artifacts,
      history: [{ messageId: 'm1', role: 'ROLE_USER', parts: [{ text: 'text of m1' }] }],
    });
  });

  test('returns when the recipient asks something', async () => {
    const { alice, sdk } = await acme({ blockMs: 60_000 });
    const inbox = await openInbox(alice);
    const sent = sdk.sendMessage(send('m1'));
    const { task_id } = await inbox.handoff();
    await alice.extension('tasks/update', { task_id, transition: 'ask', message: 'which one?' });
    expect(asTask(await sent).status?.state).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
  });

  test('returns at once when the recipient is not there', async () => {
    const { sdk } = await acme({ blockMs: 3_600_000 });
    expect(asTask(await sdk.sendMessage(send('m1'))).status?.state).toBe(TaskState.TASK_STATE_SUBMITTED);
  });

  test('returns at once when asked to, whoever is there', async () => {
    const { alice, sdk } = await acme({ blockMs: 3_600_000 });
    await openInbox(alice);
    const task = asTask(await sdk.sendMessage(send('m1', {}, { returnImmediately: true })));
    expect(task.status?.state).toBe(TaskState.TASK_STATE_SUBMITTED);
  });

  test('returns what there is when the recipient takes longer than the relay waits', async () => {
    const { alice, sdk } = await acme({ blockMs: 50 });
    await openInbox(alice);
    expect(asTask(await sdk.sendMessage(send('m1'))).status?.state).toBe(TaskState.TASK_STATE_SUBMITTED);
  });

  test('returns a message when the recipient answers without a task', async () => {
    const { alice, sdk } = await acme({ blockMs: 60_000 });
    const inbox = await openInbox(alice);
    const sent = sdk.sendMessage(send('m1'));
    const { task_id } = await inbox.handoff();
    await alice.extension('tasks/update', { task_id, transition: 'reply_only', message: 'it is the cache' });
    const answer = await sent;
    expect('messageId' in answer && textOf(answer.parts)).toBe('it is the cache');
    // and so does the same call again
    expect(await sdk.sendMessage(send('m1'))).toEqual(answer);
  });
});

describe('a streaming send', () => {
  test('shows chunks of tasks/update, each once and in order', async () => {
    const { alice, sdk } = await acme();
    const inbox = await openInbox(alice);
    const said = saidBy(sdk.sendMessageStream(send('m1')));
    const { task_id } = await inbox.handoff();
    const chunk = (text: string, flags: JsonObject) =>
      alice.extension('tasks/update', { task_id, artifacts: [{ artifactId: 'log', parts: [{ text }] }], ...flags });
    await alice.extension('tasks/update', { task_id, transition: 'accept', session_id: 's1' });
    await chunk('one ', { append: false });
    await chunk('two ', { append: true });
    await chunk('three', { append: true, last_chunk: true });
    await alice.extension('tasks/update', { task_id, transition: 'complete', message: 'done' });
    expect(await said).toEqual([
      'task TASK_STATE_SUBMITTED',
      'status TASK_STATE_WORKING',
      'artifact log one ',
      'artifact log two  append',
      'artifact log three append last',
      'status TASK_STATE_COMPLETED done',
    ]);
    expect(Task.toJSON(await sdk.getTask(GetTaskRequest.fromJSON({ id: task_id })))).toMatchObject({
      artifacts: [{ artifactId: 'log', parts: [{ text: 'one ' }, { text: 'two ' }, { text: 'three' }] }],
    });
  });

  test('shows chunks that come as messages with our metadata', async () => {
    const { relay, alice, sdk } = await acme();
    const inbox = await openInbox(alice);
    const said = saidBy(sdk.sendMessageStream(send('m1')));
    const { task_id: taskId } = await inbox.handoff();
    const recipient = await sdkFor(relay, alice, alice);
    const step = (messageId: string, text: string, own: JsonObject) =>
      recipient.sendMessage(send(messageId, { taskId, parts: [{ text }], ...meta(own) }));
    await step('r1', 'on it', { transition: 'accept', session_id: 's1' });
    await step('r2', 'one ', { artifact_id: 'log', append: false });
    await step('r3', 'two', { artifact_id: 'log', append: true, last_chunk: true });
    await step('r4', 'done', { transition: 'complete', artifacts: [{ artifactId: 'a2', parts: [{ text: 'all' }] }] });
    expect(await said).toEqual([
      'task TASK_STATE_SUBMITTED',
      'status TASK_STATE_WORKING on it',
      'artifact log one ',
      'artifact log two append last',
      'artifact a2 all last',
      'status TASK_STATE_COMPLETED done',
    ]);
  });

  test('shows the reply of an agent that knows nothing of the extension', async () => {
    const { relay, alice, frank } = await acme();
    const toFrank = await sdkFor(relay, alice, frank);
    const inbox = await openInbox(frank);
    const said = saidBy(toFrank.sendMessageStream(send('m1')));
    const { task_id: taskId } = await inbox.handoff();
    await (await sdkFor(relay, frank, frank)).sendMessage(send('r1', { taskId, parts: [{ text: 'the answer' }] }));
    expect(await said).toEqual([
      'task TASK_STATE_SUBMITTED',
      'status TASK_STATE_WORKING',
      'artifact reply the answer last',
      'status TASK_STATE_COMPLETED',
    ]);
  });

  test('ends at a question, and goes on with the answer', async () => {
    const { alice, sdk } = await acme();
    const inbox = await openInbox(alice);
    const said = saidBy(sdk.sendMessageStream(send('m1')));
    const { task_id } = await inbox.handoff();
    await alice.extension('tasks/update', { task_id, transition: 'ask', message: 'which one?' });
    expect(await said).toEqual(['task TASK_STATE_SUBMITTED', 'status TASK_STATE_INPUT_REQUIRED which one?']);

    const answered = saidBy(sdk.sendMessageStream(send('m2', { taskId: task_id, parts: [{ text: 'the second' }] })));
    await inbox.handoff(({ event }) => event.kind === 'message');
    await alice.extension('tasks/update', { task_id, transition: 'complete', message: 'thanks' });
    expect(await answered).toEqual(['task TASK_STATE_WORKING', 'status TASK_STATE_COMPLETED thanks']);
    const task = await sdk.getTask(GetTaskRequest.fromJSON({ id: task_id }));
    expect(task.history.map(({ parts }) => textOf(parts))).toEqual(['text of m1', 'which one?', 'the second']);
  });

  test('is one message, and over, when the recipient is the relay itself', async () => {
    const { relay, frank } = await acme();
    const guide = await sdkClient({ url: relay.url, apiKey: frank.apiKey, card: '/.well-known/agent-card.json' });
    const said = await saidBy(guide.sendMessageStream(send('m1')));
    expect(said).toHaveLength(1);
    expect(said[0]).toMatch(/^message This is the relay "acme"/);
  });
});

test('after a dropped connection no chunk is lost and none comes twice', async () => {
  let port = 0;
  const proxy = await proxyForTest(() => port);
  const relay = await relayForTest({ publicUrl: proxy.url });
  ({ port } = relay);
  const alice = await relay.agent('alice');
  const frank = await relay.agent('frank', { kind: 'a2a' });
  const sdk = await sdkFor(proxy, frank, alice);

  const stream = sdk.sendMessageStream(send('m1'));
  const first = await stream.next();
  if (first.done === true || first.value.payload?.$case !== 'task') throw new Error('the task comes first');
  const { id } = first.value.payload.value;
  let sent = 0;
  const chunk = async (): Promise<void> => {
    sent++;
    await alice.extension('tasks/update', {
      task_id: id,
      artifacts: [{ artifactId: 'log', parts: [{ text: `${sent};` }] }],
      append: sent > 1,
    });
  };
  // the text of the artifact as this reader has it: what it was told, put together as A2A says
  let text = '';
  const take = (frame: StreamResponse): void => {
    const { payload } = frame;
    if (payload?.$case === 'task') text = textOf(payload.value.artifacts.flatMap(({ parts }) => parts));
    if (payload?.$case !== 'artifactUpdate') return;
    text = (payload.value.append ? text : '') + textOf(payload.value.artifact?.parts ?? []);
  };
  let reader: AsyncGenerator<StreamResponse, void, undefined> = stream;
  for (let round = 0; round < 5; round++) {
    await chunk();
    while (!text.endsWith(`${sent};`)) {
      const { value } = await reader.next();
      if (value) take(value);
    }
    // two that leave the relay about when the wire is cut, and one that is committed while nobody listens
    await Promise.all([chunk(), chunk().then(() => proxy.cut())]);
    await expect(async () => {
      for await (const frame of reader) take(frame);
    }).rejects.toThrow();
    await chunk();
    reader = sdk.resubscribeTask(SubscribeToTaskRequest.fromJSON({ id }));
  }
  const rest = (async () => {
    for await (const frame of reader) take(frame);
  })();
  await chunk();
  await alice.extension('tasks/update', { task_id: id, transition: 'complete' });
  await rest;
  expect(text).toBe(Array.from({ length: sent }, (_, i) => `${i + 1};`).join(''));
});

test('a task that was never streamed can be subscribed to, also while it waits for an answer', async () => {
  const { alice, sdk } = await acme();
  const id = await handoff(sdk);
  await alice.extension('tasks/update', { task_id: id, transition: 'ask', message: 'which one?' });
  const frames = sdk.resubscribeTask(SubscribeToTaskRequest.fromJSON({ id }));
  const first = await frames.next();
  expect(first.value && say(first.value)).toBe('task TASK_STATE_INPUT_REQUIRED');
  await alice.extension('tasks/update', { task_id: id, transition: 'complete', message: 'never mind' });
  expect(await saidBy(frames)).toEqual(['status TASK_STATE_COMPLETED never mind']);
  await expect(sdk.resubscribeTask(SubscribeToTaskRequest.fromJSON({ id })).next()).rejects.toThrow(
    UnsupportedOperationError,
  );
});

test('a list comes in pages, each task once, newest status first', async () => {
  const { alice, sdk } = await acme();
  const ids: string[] = [];
  for (let n = 1; n <= 7; n++) ids.push(await handoff(sdk, `m${n}`));
  const [moved = ''] = ids.splice(2, 1);
  await alice.extension('tasks/update', { task_id: moved, transition: 'accept' });
  const newestFirst = [moved, ...ids.toReversed()];

  const pages: string[][] = [];
  let pageToken = '';
  do {
    const page = await sdk.listTasks(ListTasksRequest.fromJSON({ pageSize: 3, pageToken }));
    expect(page).toMatchObject({ totalSize: 7, pageSize: 3 });
    pages.push(page.tasks.map(({ id }) => id));
    pageToken = page.nextPageToken;
  } while (pageToken !== '');
  expect(pages.map(({ length }) => length)).toEqual([3, 3, 1]);
  expect(pages.flat()).toEqual(newestFirst);

  const working = await sdk.listTasks(ListTasksRequest.fromJSON({ status: 'TASK_STATE_WORKING' }));
  expect(working.tasks.map(({ id }) => id)).toEqual([moved]);
});

describe('cancelling', () => {
  const cancel = (sdk: Client, id: string): Promise<Task> => sdk.cancelTask(CancelTaskRequest.fromJSON({ id }));

  test.each([
    ['that is pending', []],
    ['that waits for an answer', [{ transition: 'ask', message: 'which one?' }]],
  ] as const)('ends a handoff %s, and twice is as good as once', async (_, steps) => {
    const { alice, sdk } = await acme();
    const id = await handoff(sdk);
    for (const step of steps) await alice.extension('tasks/update', { task_id: id, ...step });
    const cancelled = await cancel(sdk, id);
    expect(cancelled.status?.state).toBe(TaskState.TASK_STATE_CANCELED);
    expect(await cancel(sdk, id)).toEqual(cancelled);
  });

  test.each([
    ['accepted', [{ transition: 'accept' }]],
    ['completed', [{ transition: 'accept' }, { transition: 'complete' }]],
    ['failed', [{ transition: 'accept' }, { transition: 'fail', reason: 'no idea' }]],
    ['declined', [{ transition: 'decline', reason: 'not mine' }]],
  ] as const)('is refused once a handoff is %s', async (_, steps) => {
    const { alice, sdk } = await acme();
    const id = await handoff(sdk);
    for (const step of steps) await alice.extension('tasks/update', { task_id: id, ...step });
    await expect(cancel(sdk, id)).rejects.toThrow(TaskNotCancelableError);
  });

  test('is not for the recipient', async () => {
    const { relay, alice, sdk } = await acme();
    const id = await handoff(sdk);
    await expect(cancel(await sdkFor(relay, alice, alice), id)).rejects.toThrow(TaskNotCancelableError);
  });
});

describe('push notifications', () => {
  test.each(['JSONRPC', 'HTTP+JSON'] as const)('are set, read, listed, sent and deleted over %s', async (binding) => {
    const { relay, alice, frank } = await acme();
    const hook = await startWebhook();
    const sdk = await sdkClient({ url: relay.url, apiKey: frank.apiKey, card: '/a/alice/agent-card.json', binding });
    const taskId = await handoff(sdk);
    const ids = { taskId, id: 'c', tenant: '' };
    const authentication = { scheme: 'Bearer', credentials: 's3cret' };
    const created = await sdk.createTaskPushNotificationConfig({
      ...ids,
      url: hook.url,
      token: 'whose',
      authentication,
    });
    expect(created).toMatchObject({ taskId, id: 'c', url: hook.url, token: '', authentication: { credentials: '' } });
    expect(await sdk.getTaskPushNotificationConfig(ids)).toMatchObject({ id: 'c', url: hook.url });
    const { configs } = await sdk.listTaskPushNotificationConfig({ taskId, tenant: '', pageSize: 10, pageToken: '' });
    expect(configs).toMatchObject([{ id: 'c', url: hook.url }]);
    await alice.extension('tasks/update', { task_id: taskId, transition: 'accept' });
    const [pushed] = await hook.seen(1);
    expect(pushed?.headers).toMatchObject({ authorization: 'Bearer s3cret', 'x-a2a-notification-token': 'whose' });
    expect(say(StreamResponseCodec.fromJSON(pushed?.body))).toBe('status TASK_STATE_WORKING');
    await sdk.deleteTaskPushNotificationConfig(ids);
    await expect(sdk.getTaskPushNotificationConfig(ids)).rejects.toThrow(TaskNotFoundError);
  });

  test('come with a message, and go to nobody but the one who set them', async () => {
    const { alice, sdk } = await acme();
    const hook = await startWebhook();
    const configuration = { returnImmediately: true, taskPushNotificationConfig: { url: hook.url } };
    const { id } = asTask(await sdk.sendMessage(send('m1', {}, configuration)));
    await alice.extension('tasks/update', { task_id: id, transition: 'decline', reason: 'not mine' });
    const [pushed] = await hook.seen(1);
    expect(say(StreamResponseCodec.fromJSON(pushed?.body))).toBe('status TASK_STATE_REJECTED not mine');
  });
});

describe('two agents', () => {
  test('hand work to each other at the same time, and each sees its own side', async () => {
    const { relay, alice, frank, sdk } = await acme();
    const toFrank = await sdkFor(relay, alice, frank);
    const [toAliceId, toFrankId] = await Promise.all([handoff(sdk, 'same-id'), handoff(toFrank, 'same-id')]);
    expect(toAliceId).not.toBe(toFrankId);
    const own = await sdkFor(relay, frank, frank);
    const ids = async (client: Client) =>
      (await client.listTasks(ListTasksRequest.fromJSON({}))).tasks.map((t) => t.id);
    // frank at alice's door: what he sent; at his own: what he got
    expect(await ids(sdk)).toEqual([toAliceId]);
    expect(await ids(own)).toEqual([toFrankId]);
    expect(await ids(toFrank)).toEqual([toFrankId]);
    // one conversation for the two of them, whoever began
    const [a, b] = await Promise.all([
      sdk.getTask(GetTaskRequest.fromJSON({ id: toAliceId })),
      toFrank.getTask(GetTaskRequest.fromJSON({ id: toFrankId })),
    ]);
    expect(a.contextId).toBe(b.contextId);
  });

  test('cannot reach what is between two others, by any method', async () => {
    const { relay, alice, sdk } = await acme();
    const mia = await relay.agent('mia');
    const id = await handoff(sdk);
    for (const foreign of [await sdkFor(relay, mia, alice), await sdkFor(relay, mia, mia)]) {
      await expect(foreign.getTask(GetTaskRequest.fromJSON({ id }))).rejects.toThrow(TaskNotFoundError);
      await expect(foreign.cancelTask(CancelTaskRequest.fromJSON({ id }))).rejects.toThrow(TaskNotFoundError);
      await expect(foreign.sendMessage(send('x', { taskId: id }))).rejects.toThrow(TaskNotFoundError);
      await expect(foreign.sendMessageStream(send('x', { taskId: id })).next()).rejects.toThrow(TaskNotFoundError);
      await expect(foreign.resubscribeTask(SubscribeToTaskRequest.fromJSON({ id })).next()).rejects.toThrow(
        TaskNotFoundError,
      );
      expect((await foreign.listTasks(ListTasksRequest.fromJSON({}))).tasks).toEqual([]);
    }
  });

  test('a follow-up on a closed handoff is refused, and the same message again is not', async () => {
    const { alice, sdk } = await acme();
    const id = await handoff(sdk);
    await alice.extension('tasks/update', { task_id: id, transition: 'decline', reason: 'not mine' });
    await expect(sdk.sendMessage(send('m2', { taskId: id }))).rejects.toThrow(UnsupportedOperationError);
    expect(asTask(await sdk.sendMessage(send('m1'))).id).toBe(id);
  });
});

describe('a wrong key', () => {
  test.each(['', 'hunter2', `ar_${'A'.repeat(43)}`])('"%s" gets nowhere, and is told why', async (apiKey) => {
    const { relay, alice } = await acme();
    const before = relay.rows();
    const sdk = await sdkClient({ url: relay.url, apiKey, card: `/a/${alice.name}/agent-card.json` });
    const told = /Authorization: Bearer <api key>/;
    await expect(sdk.sendMessage(send('m1'))).rejects.toThrow(told);
    await expect(sdk.sendMessageStream(send('m1')).next()).rejects.toThrow(told);
    await expect(sdk.getTask(GetTaskRequest.fromJSON({ id: 'x' }))).rejects.toThrow(told);
    await expect(sdk.listTasks(ListTasksRequest.fromJSON({}))).rejects.toThrow(told);
    expect(relay.rows()).toEqual(before);
  });
});
