import { afterAll, beforeAll, expect, test } from 'vitest';
import { EXTENSION_URI } from '../../../relay/contract/handoff.ts';
import type { JsonObject } from '../../../relay/contract/json.ts';
import { message, type A2aClient, type HttpAnswer } from '../../support/a2a-client.ts';
import { startRelay, type TestRelay } from '../../support/relay.ts';

/** What is not yours looks exactly like what is not there: the whole answer is compared, byte for byte. */

const NOT_THERE = '01a22d06-0c74-728d-b94d-edaf775ead4d';

let relay: TestRelay;
let alice: A2aClient;
let frank: A2aClient;
let mia: A2aClient;
/** Between frank and alice: one that is open, one that is closed, one that alice's session holds. */
const foreign: Record<string, string> = {};

beforeAll(async () => {
  relay = await startRelay();
  alice = await relay.agent('alice');
  frank = await relay.agent('frank');
  mia = await relay.agent('mia');
  for (const name of ['open', 'closed', 'held']) {
    const sent = await frank.call('SendMessage', message(name), { at: '/a/alice' });
    if (!('task' in sent)) throw new Error('no task');
    foreign[name] = sent.task.id;
  }
  await alice.extension('tasks/update', { task_id: foreign['closed'] ?? '', transition: 'decline' });
  await alice.extension('tasks/update', { task_id: foreign['held'] ?? '', transition: 'accept', session_id: 'secret' });
});
afterAll(() => relay.close());

/** The whole answer but the time of day, with `id` as if it were the one that is not there. */
function answer({ status, headers, body }: HttpAnswer, id = NOT_THERE): unknown {
  const { date: _date, ...rest } = headers;
  return { status, headers: rest, body: body.replaceAll(id, NOT_THERE) };
}

const M = (own: JsonObject): JsonObject => ({ metadata: { [EXTENSION_URI]: own } });

const CALLS: readonly (readonly [name: string, method: string, params: (id: string) => JsonObject])[] = [
  ['GetTask', 'GetTask', (id) => ({ id })],
  ['GetTask with its history', 'GetTask', (id) => ({ id, historyLength: 0 })],
  ['CancelTask', 'CancelTask', (id) => ({ id })],
  ['SubscribeToTask', 'SubscribeToTask', (id) => ({ id })],
  ['SendMessage', 'SendMessage', (taskId) => message('m', { taskId })],
  ['SendMessage in its context', 'SendMessage', (taskId) => message('m', { taskId, contextId: 'c' })],
  ['SendMessage naming a party', 'SendMessage', (taskId) => ({ ...message('m', { taskId }), recipient: 'alice' })],
  ['SendMessage with its first id', 'SendMessage', (taskId) => message('open', { taskId })],
  ['SendStreamingMessage', 'SendStreamingMessage', (taskId) => message('m', { taskId })],
  [
    'a step by message',
    'SendMessage',
    (taskId) => message('m', { taskId, ...M({ transition: 'accept', session_id: 's' }) }),
  ],
  ['a chunk by message', 'SendMessage', (taskId) => message('m', { taskId, ...M({ append: true }) })],
  ['tasks/update', 'tasks/update', (task_id) => ({ task_id, transition: 'accept', session_id: 's' })],
  [
    'tasks/update that takes over',
    'tasks/update',
    (task_id) => ({ task_id, transition: 'take_over', session_id: 's' }),
  ],
  ['tasks/update that cancels', 'tasks/update', (task_id) => ({ task_id, transition: 'cancel' })],
  ['tasks/update under a key', 'tasks/update', (task_id) => ({ task_id, message: 'x', idempotency_key: 'k' })],
  ['tasks/update that does nothing', 'tasks/update', (task_id) => ({ task_id })],
];

test.each(CALLS)('%s', async (_, method, params) => {
  const before = relay.rows();
  for (const at of ['/a2a', '/a/alice', '/a/mia', '/a/frank']) {
    const notThere = await mia.rpc(method, params(NOT_THERE), { at });
    expect(JSON.parse(notThere.body)).toMatchObject({
      error: {
        code: -32001,
        data: [{ reason: 'TASK_NOT_FOUND', domain: 'a2a-protocol.org', metadata: { taskId: NOT_THERE } }],
      },
    });
    for (const id of Object.values(foreign)) {
      const notYours = await mia.rpc(method, params(id), { at });
      expect([at, answer(notYours, id)]).toEqual([at, answer(notThere)]);
    }
  }
  expect(relay.rows()).toEqual(before);
});

test('the log of a thread, and receipts on it', async () => {
  const before = relay.rows();
  const receipt = (task_id: string) => ({
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ items: [{ task_id, version: 1, state: 'acked' }] }),
  });
  const [logNotThere, receiptNotThere] = [
    await mia.http('GET', `/v1/tasks/${NOT_THERE}/events`),
    await mia.http('POST', '/v1/receipts', receipt(NOT_THERE)),
  ];
  expect([logNotThere.status, receiptNotThere.status]).toEqual([404, 404]);
  for (const id of Object.values(foreign)) {
    const log = await mia.http('GET', `/v1/tasks/${id}/events`);
    expect(answer(log, id)).toEqual(answer(logNotThere));
    const noted = await mia.http('POST', '/v1/receipts', receipt(id));
    expect(answer(noted, id)).toEqual(answer(receiptNotThere));
  }
  expect(relay.rows()).toEqual(before);
});

test('lists, whatever they are filtered by, hold nothing of it', async () => {
  const id = foreign['open'] ?? '';
  const { contextId } = await frank.call('GetTask', { id });
  for (const params of [{}, { contextId }, { status: 'TASK_STATE_SUBMITTED' }, { includeArtifacts: true }]) {
    for (const at of ['/a2a', '/a/alice', '/a/frank', '/a/mia']) {
      expect(await mia.call('ListTasks', params, { at })).toMatchObject({ tasks: [], totalSize: 0, nextPageToken: '' });
    }
  }
  // a token of somebody else's page is a place in one's own list, and no more
  const { nextPageToken } = await frank.call('ListTasks', { pageSize: 1 });
  expect(nextPageToken).not.toBe('');
  expect((await mia.call('ListTasks', { pageToken: nextPageToken })).tasks).toEqual([]);
  expect((await mia.extension('tasks/list', { page: { cursor: nextPageToken } }))['tasks']).toEqual([]);
});

test('the same message id to the same agent is two handoffs for two senders', async () => {
  const [mine, theirs] = await Promise.all([
    mia.call('SendMessage', message('open'), { at: '/a/alice' }),
    frank.call('SendMessage', message('open'), { at: '/a/alice' }),
  ]);
  if (!('task' in mine && 'task' in theirs)) throw new Error('no task');
  expect(theirs.task.id).toBe(foreign['open']);
  expect(mine.task.id).not.toBe(theirs.task.id);
  expect(mine.task.contextId).not.toBe(theirs.task.contextId);
});
