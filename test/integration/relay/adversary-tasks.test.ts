import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../relay/contract/json.ts';
import { message, rpcBody, type A2aClient, type HttpAnswer } from '../../support/a2a-client.ts';
import { contactOf } from '../../support/contacts.ts';
import { openInbox } from '../../support/inbox.ts';
import { startRelay, type TestRelay } from '../../support/relay.ts';
import { SCOPE_ROWS, type Ask, type ScopeRequest } from '../../support/scope-table.ts';
import { stillServes } from '../../support/still-serves.ts';

/**
 * Mia is an agent of the relay with a good key, and no party to what frank and alice do. Whatever she names by a right id,
 * she is answered as if it were not there (not-yours.test.ts has the same for more parameters of JSON-RPC 1.0).
 */

const NOT_THERE = '01a22d06-0c74-728d-b94d-edaf775ead4d';
const at = '/a/alice';

let relay: TestRelay;
let frank: A2aClient;
let alice: A2aClient;
let mia: A2aClient;
/** Tasks of frank's and alice's: one that is open, one that is closed. */
const foreign: { open: string; closed: string; context: string } = { open: '', closed: '', context: '' };

async function send(from: A2aClient, messageId: string, more: JsonObject = {}) {
  const params = { ...message(messageId, more), configuration: { returnImmediately: true } };
  const sent = await from.call('SendMessage', params, { at });
  if (!('task' in sent)) throw new Error('no task');
  return sent.task;
}

beforeAll(async () => {
  relay = await startRelay({ webhookAllow: ['127.0.0.1'] });
  [frank, alice, mia] = [await relay.agent('frank'), await relay.agent('alice'), await relay.agent('mia')];
  const [open, closed] = [await send(frank, 'open'), await send(frank, 'closed')];
  await alice.extension('tasks/update', { task_id: closed.id, transition: 'decline' });
  await frank.result('CreateTaskPushNotificationConfig', { taskId: open.id, id: 'hook', url: 'http://127.0.0.1:9/' });
  Object.assign(foreign, { open: open.id, closed: closed.id, context: open.contextId });
});
afterAll(() => relay.close());

const both = (id: string) => ({ sent: id, received: id });
const namesTask = (ask: Ask): boolean => JSON.stringify(ask(both(NOT_THERE))).includes(NOT_THERE);

const rpc = (method: string, params: JsonObject, version: string): ScopeRequest => ({
  method: 'POST',
  path: '/a2a',
  body: JSON.parse(rpcBody(method, params)) as Json,
  version,
});
const oldHook = { url: 'http://127.0.0.1:9/' };

/** What the table of scopes does not have: the rest of 0.3. */
const MORE: readonly (readonly [string, Ask])[] = [
  [
    'tasks/pushNotificationConfig/set',
    ({ sent }) => rpc('tasks/pushNotificationConfig/set', { taskId: sent, pushNotificationConfig: oldHook }, '0.3'),
  ],
  ['tasks/pushNotificationConfig/get', ({ sent }) => rpc('tasks/pushNotificationConfig/get', { id: sent }, '0.3')],
  ['tasks/pushNotificationConfig/list', ({ sent }) => rpc('tasks/pushNotificationConfig/list', { id: sent }, '0.3')],
  [
    'tasks/pushNotificationConfig/delete',
    ({ sent }) => rpc('tasks/pushNotificationConfig/delete', { id: sent, pushNotificationConfigId: 'hook' }, '0.3'),
  ],
  [
    'message/stream',
    ({ sent }) =>
      rpc(
        'message/stream',
        { message: { kind: 'message', messageId: 'm', role: 'user', parts: [], taskId: sent } },
        '0.3',
      ),
  ],
];

function doIt({ method, path, body, version }: ScopeRequest): Promise<HttpAnswer> {
  const headers = {
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(version !== undefined && { 'a2a-version': version }),
  };
  return mia.http(method, path, { headers, ...(body !== undefined && { body: JSON.stringify(body) }) });
}

/** All that is answered, but the time of day, with an id as if it were the one that is not there. */
function seen({ status, headers, body }: HttpAnswer, id = NOT_THERE): unknown {
  const { date: _date, 'content-length': _length, ...rest } = headers;
  return { status, headers: rest, body: body.replaceAll(id, NOT_THERE) };
}

describe('a right id in the hands of another agent is as good as one that nobody has', () => {
  const rows = [...SCOPE_ROWS.map(([name, ask]) => [name, ask] as const), ...MORE].filter(([, ask]) => namesTask(ask));

  test.each(rows)('%s', async (_, ask) => {
    const before = relay.rows();
    const notThere = await doIt(ask(both(NOT_THERE)));
    expect(notThere.body).toMatch(/_NOT_FOUND|LEASE_LOST|INVALID_PARAMS/);
    for (const id of [foreign.open, foreign.closed]) {
      expect(seen(await doIt(ask(both(id))), id)).toEqual(seen(notThere));
    }
    expect(relay.rows()).toEqual(before);
  });

  test('and that is so for every operation and every binding', () => {
    expect(rows.length).toBeGreaterThan(30);
    const asked = rows.map(([, ask]) => JSON.stringify(ask(both(NOT_THERE))));
    for (const part of [
      '"0.3"',
      '/a2a/tasks/',
      '/v1/tasks/',
      '/v1/leases/',
      '/v1/receipts',
      'tasks/update',
      'tasks/resubscribe',
    ]) {
      expect(asked.some((request) => request.includes(part))).toBe(true);
    }
  });
});

describe('ids that were made up, or taken from others', () => {
  test('the context of another pair is a context of one’s own with that name', async () => {
    const task = await send(mia, 'in their context', { contextId: foreign.context });
    expect(task.contextId).toBe(foreign.context);
    const listed = async (client: A2aClient) =>
      (await client.call('ListTasks', { contextId: foreign.context })).tasks.map(({ id }) => id).toSorted();
    expect(await listed(mia)).toEqual([task.id]);
    expect(await listed(frank)).toEqual([foreign.open, foreign.closed].toSorted());
    expect(await listed(alice)).toEqual([foreign.open, foreign.closed, task.id].toSorted());
  });

  test('a task that is only referred to is not looked at', async () => {
    const task = await send(mia, 'refers', { referenceTaskIds: [foreign.open, NOT_THERE] });
    expect(JSON.stringify(task)).not.toContain('text of open');
    const toNobody = await send(mia, 'refers to none', { referenceTaskIds: [NOT_THERE] });
    expect(Object.keys(task).toSorted()).toEqual(Object.keys(toNobody).toSorted());
  });

  test('the id of a new task is never the sender’s to choose', async () => {
    const error = await mia.fail('SendMessage', message('m', { taskId: randomUUID() }), { at });
    expect(error.code).toBe(-32001);
    const { id } = await send(mia, 'named', { metadata: { taskId: foreign.open, id: foreign.open } });
    expect(id).not.toBe(foreign.open);
  });

  test('a task by a name of 0.1 is one’s own, even where that is the id of another’s', async () => {
    const params = { id: foreign.open, message: { role: 'user', parts: [{ type: 'text', text: 'mine' }] } };
    const before = await frank.call('GetTask', { id: foreign.open });
    const made = await mia.rpc('tasks/send', params, { at, headers: { 'a2a-version': undefined } });
    expect(made.status).toBe(200);
    expect(await frank.call('GetTask', { id: foreign.open })).toEqual(before);
    const read = await mia.rpc('tasks/get', { id: foreign.open }, { at, headers: { 'a2a-version': undefined } });
    expect(read.body).not.toContain('text of open');
  });

  test('a receipt among those of one’s own tasks is refused with all of them', async () => {
    const own = await send(mia, 'own');
    const before = relay.rows();
    const items = [own.id, foreign.open].map((task_id) => ({ task_id, version: 1, state: 'acked' }));
    const answer = await mia.http('POST', '/v1/receipts', {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ items }),
    });
    expect(answer.status).toBe(404);
    expect(relay.rows()).toEqual(before);
  });

  test('the contacts and blocks of another are out of reach, whoever is named in the body', async () => {
    const json = { 'content-type': 'application/json' };
    const theirs = () => Promise.all([contactOf(frank, 'alice@acme'), contactOf(alice, 'frank@acme')]);
    const before = await theirs();
    for (const body of [
      { handle: 'frank', agent: 'alice', of: 'alice', from: 'alice@acme' },
      { handle: 'alice', as: 'frank', owner: 'frank' },
    ]) {
      await mia.http('POST', '/v1/contacts', { headers: json, body: JSON.stringify(body) });
      await mia.http('POST', '/v1/blocks', { headers: json, body: JSON.stringify(body) });
      await mia.http('DELETE', `/v1/blocks/${body.handle}?as=frank`);
    }
    expect(await theirs()).toEqual(before);
  });

  test('the desk of another, named at one’s own stream, keeps its stream', async () => {
    const theirs = await openInbox(alice, { deskId: 'alice-desk' });
    const mine = await openInbox(mia, { deskId: 'alice-desk', takeOver: true });
    const { id } = await send(frank, 'to alice alone');
    expect(await theirs.handoff()).toMatchObject({ task_id: id });
    mine.destroy();
    theirs.destroy();
  });

  test('a worker of another name holds no lease of others', async () => {
    const answer = await mia.http('POST', '/v1/leases', {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ worker: 'alice', agent: 'alice', handle: 'alice@acme', wait_s: 0 }),
    });
    expect(answer.body).not.toContain(foreign.open);
  });
});

test('and everybody else is served as before', async () => {
  await expect(stillServes(frank, alice)).resolves.toBeUndefined();
});
