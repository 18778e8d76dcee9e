import { CancelTaskRequest, GetTaskRequest, ListTasksRequest, SendMessageRequest, Task, TaskState } from '@a2a-js/sdk';
import { TaskNotCancelableError, TaskNotFoundError } from '@a2a-js/sdk/errors';
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../../relay/contract/json.ts';
import {
  assertListTasks,
  assertSendMessageResponse,
  assertStreamResponse,
  assertTask,
} from '../../../support/a2a-1.0-schema.ts';
import { message } from '../../../support/a2a-client.ts';
import { at, frankAndAlice } from '../../../support/frank-and-alice.ts';
import { sdkClient } from '../../../support/sdk.ts';
import { SseStream } from '../../../support/sse.ts';
import { sourcesOf } from './requirements/titles.ts';

/** The HTTP+JSON binding (A2A 1.0.1 section 11), which answers as the JSON-RPC one does. */

const { relay, frank, alice, newId } = await frankAndAlice();
const JSON_HEADERS = { 'a2a-version': '1.0', 'content-type': 'application/a2a+json' };

interface RestAnswer {
  readonly status: number;
  readonly type: string | undefined;
  readonly json: unknown;
}

async function rest(method: string, path: string, body?: Json, client = frank): Promise<RestAnswer> {
  const {
    status,
    headers,
    body: text,
  } = await client.http(method, path, {
    headers: JSON_HEADERS,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status, type: headers['content-type'], json: JSON.parse(text) as unknown };
}

async function handoff(more: JsonObject = {}): Promise<string> {
  const { json } = await rest('POST', `${at}/message:send`, message(newId(), more));
  assertSendMessageResponse(json);
  if (!('task' in json)) throw new Error('no task');
  return json.task.id;
}

/** Ids and times differ from call to call; everything else has to be alike. */
function alike(json: unknown): unknown {
  return JSON.parse(
    JSON.stringify(json)
      .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'an id')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'a time')
      .replaceAll(/"m\d+"/g, '"a message id"')
      .replaceAll(/text of m\d+/g, 'a text')
      .replaceAll(/"(created_at|updated_at)":\d+/g, '"$1":0'),
  );
}

/** A call by JSON-RPC, and the same by HTTP. */
type Row = readonly [name: string, method: string, params: JsonObject, http: readonly [string, string, JsonObject?]];

describe('what succeeds', () => {
  test.each(['%3A', '%3a'])('may have its colon written %s, as some clients do with every path', async (colon) => {
    const sent = await rest('POST', `${at}/message${colon}send`, message(newId()));
    expect(sent.status).toBe(200);
    assertSendMessageResponse(sent.json);
    const id = await handoff();
    expect((await rest('POST', `${at}/tasks/${id}${colon}cancel`)).status).toBe(200);
    const response = await frank.open('POST', `${at}/message${colon}stream`, {
      headers: JSON_HEADERS,
      body: JSON.stringify({ ...message(newId()), configuration: { returnImmediately: true } }),
    });
    expect([response.statusCode, response.headers['content-type']]).toEqual([
      200,
      expect.stringContaining('event-stream'),
    ]);
    response.destroy();
  });

  test('has the media type of the binding, and is exact to the schema', async () => {
    const sent = await rest('POST', `${at}/message:send`, message(newId()));
    expect([sent.status, sent.type]).toEqual([200, expect.stringMatching(/^application\/a2a\+json\b/)]);
    assertSendMessageResponse(sent.json);
    const id = await handoff();
    const got = await rest('GET', `${at}/tasks/${id}`);
    expect([got.status, got.type]).toEqual([200, expect.stringMatching(/^application\/a2a\+json\b/)]);
    assertTask(got.json);
    const listed = await rest('GET', `${at}/tasks?pageSize=2&includeArtifacts=true&status=TASK_STATE_SUBMITTED`);
    assertListTasks(listed.json);
    expect(listed.json.pageSize).toBe(2);
  });

  test(`is what JSON-RPC answers, on every path (A2A ${sourcesOf(['5.1-2', '4-2'])})`, async () => {
    const id = await handoff();
    const closed = await handoff();
    const other = await handoff();
    const rows: readonly Row[] = [
      ['a read', 'GetTask', { id }, ['GET', `/tasks/${id}`]],
      ['no history', 'GetTask', { id, historyLength: 0 }, ['GET', `/tasks/${id}?historyLength=0`]],
      ['snake case', 'GetTask', { id, history_length: 1 }, ['GET', `/tasks/${id}?history_length=1`]],
      ['a list', 'ListTasks', { pageSize: 1 }, ['GET', '/tasks?pageSize=1']],
      [
        'a list of a kind',
        'ListTasks',
        { status: 'TASK_STATE_CANCELED', includeArtifacts: true },
        ['GET', '/tasks?status=TASK_STATE_CANCELED&includeArtifacts=true'],
      ],
      ['a tenant', 'GetTask', { id, tenant: 'alice' }, ['GET', `/tasks/${id}?tenant=alice`]],
      ['a cancel', 'CancelTask', { id: closed }, ['POST', `/tasks/${closed}:cancel`]],
      ['a cancel with a body', 'CancelTask', { id: other, metadata: {} }, ['POST', `/tasks/${other}:cancel`, {}]],
    ];
    for (const [name, method, params, [verb, path, body]] of rows) {
      const answer = await rest(verb, `${at}${path}`, body);
      const { body: rpc } = await frank.rpc(method, params, { at });
      expect([name, answer.status, alike(answer.json)]).toEqual([
        name,
        200,
        alike((JSON.parse(rpc) as { result: unknown }).result),
      ]);
    }
  });

  test('is the same at every address of an agent, and with both slash forms', async () => {
    const id = await handoff();
    const bodies = [];
    for (const path of [
      `/a/alice/tasks/${id}`,
      `/a2a/alice/tasks/${id}`,
      `/a2a/tasks/${id}`,
      `/a/ALICE/tasks/${id}/`,
    ]) {
      bodies.push((await rest('GET', path)).json);
    }
    for (const body of bodies) expect(body).toEqual(bodies[0]);
  });

  test.each(['GET', 'POST'])('streams by %s, each event bare', async (verb) => {
    const id = await handoff();
    const response = await frank.open(verb, `${at}/tasks/${id}:subscribe`, { headers: { 'a2a-version': '1.0' } });
    expect(response.headers['content-type']).toBe('text/event-stream');
    const sse = new SseStream(response);
    const next = async (): Promise<unknown> => {
      const json: unknown = JSON.parse((await sse.next())?.data ?? 'null');
      assertStreamResponse(json);
      return json;
    };
    expect(await next()).toMatchObject({ task: { id } });
    await alice.extension('tasks/update', { task_id: id, transition: 'accept' });
    expect(await next()).toMatchObject({ statusUpdate: { status: { state: 'TASK_STATE_WORKING' } } });
    await alice.extension('tasks/update', { task_id: id, transition: 'complete' });
    expect(await next()).toMatchObject({ statusUpdate: { status: { state: 'TASK_STATE_COMPLETED' } } });
    expect(await sse.next()).toBeUndefined();
  });
});

describe('what is refused', () => {
  test.each<[string, string, Json | undefined, number, string]>([
    ['GET', '/tasks/nothing', undefined, 404, 'TASK_NOT_FOUND'],
    ['GET', '/tasks/a%2Fb', undefined, 404, 'TASK_NOT_FOUND'],
    ['GET', '/tasks/a:b', undefined, 404, 'TASK_NOT_FOUND'],
    ['POST', '/tasks/nothing:cancel', undefined, 404, 'TASK_NOT_FOUND'],
    ['POST', '/tasks/nothing', undefined, 404, 'ROUTE_NOT_FOUND'],
    ['POST', '/tasks/x:frobnicate', undefined, 404, 'ROUTE_NOT_FOUND'],
    ['GET', '/tasks/nothing:subscribe', undefined, 404, 'TASK_NOT_FOUND'],
    ['GET', '/tasks?pageSize=101', undefined, 400, 'INVALID_PARAMS'],
    ['GET', '/tasks?pageSize=x', undefined, 400, 'INVALID_PARAMS'],
    ['GET', '/tasks?status=a&status=b', undefined, 400, 'INVALID_PARAMS'],
    ['POST', '/message:send', {}, 400, 'INVALID_PARAMS'],
    ['POST', '/message:send', [], 400, 'INVALID_PARAMS'],
    ['POST', '/message:stream', { message: { messageId: 'm', role: 'ROLE_USER', parts: [] } }, 400, 'INVALID_PARAMS'],
    ['POST', '/tasks/x/pushNotificationConfigs', { url: 'https://example.com' }, 404, 'TASK_NOT_FOUND'],
    ['POST', '/tasks/x/pushNotificationConfigs', {}, 400, 'INVALID_PARAMS'],
    ['GET', '/tasks/x/pushNotificationConfigs', undefined, 404, 'TASK_NOT_FOUND'],
    ['GET', '/tasks/x/pushNotificationConfigs/c', undefined, 404, 'TASK_NOT_FOUND'],
    ['DELETE', '/tasks/x/pushNotificationConfigs/c', undefined, 404, 'TASK_NOT_FOUND'],
    ['GET', '/message:send', undefined, 405, 'METHOD_NOT_ALLOWED'],
  ])('%s %s is an HTTP error that names its reason', async (verb, path, body, status, reason) => {
    const answer = await rest(verb, `${at}${path}`, body);
    expect([answer.status, answer.json]).toMatchObject([
      status,
      {
        error: {
          code: status,
          message: expect.any(String),
          details: expect.arrayContaining([expect.objectContaining({ reason })]),
        },
      },
    ]);
  });

  test('is a caller without a key, or of another version', async () => {
    const id = await handoff();
    const open = await frank.http('GET', `${at}/tasks/${id}`, { headers: { authorization: undefined } });
    expect([open.status, open.headers['www-authenticate']]).toEqual([401, 'Bearer realm="agentrelay"']);
    for (const version of [undefined, '', '0.3', '99.0']) {
      const answer = await frank.http('GET', `${at}/tasks/${id}`, { headers: { 'a2a-version': version } });
      expect([answer.status, answer.body]).toEqual([400, expect.stringContaining('VERSION_NOT_SUPPORTED')]);
    }
    const query = await frank.http('GET', `${at}/tasks/${id}?A2A-Version=1.0`, { headers: {} });
    expect(query.status).toBe(200);
  });

  test('is what is no JSON, and nothing of it is stored', async () => {
    const before = relay.rows();
    const post = (headers: Record<string, string>, body: string) =>
      frank.http('POST', `${at}/message:send`, { headers: { 'a2a-version': '1.0', ...headers }, body });
    expect((await post({ 'content-type': 'text/plain' }, '{}')).status).toBe(415);
    expect((await post({ 'content-type': 'application/json' }, '{')).status).toBe(400);
    expect((await post({ 'content-type': 'application/json' }, '"x"')).status).toBe(400);
    expect(relay.rows()).toEqual(before);
  });
});

describe('the official SDK over HTTP+JSON', () => {
  const client = () =>
    sdkClient({ url: relay.url, apiKey: frank.apiKey, card: `${at}/agent-card.json`, binding: 'HTTP+JSON' });
  const asTask = (result: object): Task => {
    if (!('status' in result)) throw new Error('no task');
    return result as Task;
  };

  test('sends, reads, lists, streams and cancels', async () => {
    const sdk = await client();
    const sent = asTask(await sdk.sendMessage(SendMessageRequest.fromJSON(message(newId()))));
    expect(sent.status?.state).toBe(TaskState.TASK_STATE_SUBMITTED);
    expect(Task.toJSON(await sdk.getTask(GetTaskRequest.fromJSON({ id: sent.id })))).toMatchObject({ id: sent.id });
    const page = await sdk.listTasks(ListTasksRequest.fromJSON({ pageSize: 3 }));
    expect(page.tasks.length).toBeGreaterThan(0);
    const states: unknown[] = [];
    for await (const { payload } of sdk.sendMessageStream(SendMessageRequest.fromJSON(message(newId())))) {
      if (payload?.$case === 'task') {
        await alice.extension('tasks/update', { task_id: payload.value.id, transition: 'decline', reason: 'no' });
      }
      states.push(payload?.$case);
    }
    expect(states).toEqual(['task', 'statusUpdate']);
    const cancelled = await sdk.cancelTask(CancelTaskRequest.fromJSON({ id: sent.id }));
    expect(cancelled.status?.state).toBe(TaskState.TASK_STATE_CANCELED);
  });

  test('understands what is refused', async () => {
    const sdk = await client();
    await expect(sdk.getTask(GetTaskRequest.fromJSON({ id: 'nothing' }))).rejects.toThrow(TaskNotFoundError);
    const id = await handoff();
    await alice.extension('tasks/update', { task_id: id, transition: 'accept' });
    await expect(sdk.cancelTask(CancelTaskRequest.fromJSON({ id }))).rejects.toThrow(TaskNotCancelableError);
  });
});
