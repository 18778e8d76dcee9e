import { expect } from 'vitest';
import { message } from '../../../support/a2a-client.ts';
import { BoundClient } from '../../../support/bound-client.ts';
import { METHODS } from '../../../support/http-call.ts';
import { frankAndAlice } from '../../../support/frank-and-alice.ts';
import { meetsOnce, requirementsOn } from './meets.ts';

/** Requirements on lists, contexts, ids and versions (A2A 1.0.1 sections 3.1.4, 3.4, 3.6 and 3.7). */

let now = Date.UTC(2026, 0, 1);
// every look at the clock is a millisecond later: no two tasks are of one moment
const place = await frankAndAlice({ clock: () => ++now });
const { relay, newId, update } = place;
const { meets, meetsOver } = requirementsOn(place);

/** So many handoffs in a context of their own. */
async function sent(frank: BoundClient, count: number) {
  const contextId = newId();
  const ids: string[] = [];
  for (let n = 0; n < count; n++) ids.push((await frank.send(message(newId(), { contextId }))).id);
  return { contextId, ids };
}
const idsOf = ({ tasks }: { readonly tasks: readonly { readonly id: string }[] }) => tasks.map(({ id }) => id);

meets(['3.1.4-1', '3.1.4-2'], async ({ frank }) => {
  const { contextId, ids } = await sent(frank, 2);
  const artifacts = [{ artifactId: 'a', parts: [{ text: 'x' }] }];
  await update(ids[1] ?? '', { artifacts });
  for (const params of [{ contextId }, { contextId, includeArtifacts: false }]) {
    for (const task of (await frank.call('ListTasks', params)).tasks) expect(task).not.toHaveProperty('artifacts');
  }
  expect((await frank.call('ListTasks', { contextId, includeArtifacts: true })).tasks[0]).toMatchObject({ artifacts });
});

meets(['3.1.4-3'], async ({ frank }) => {
  const { contextId } = await sent(frank, 2);
  const first = await frank.call('ListTasks', { contextId, pageSize: 1 });
  expect(first.nextPageToken).not.toBe('');
  const last = await frank.call('ListTasks', { contextId, pageSize: 1, pageToken: first.nextPageToken });
  expect(last).toHaveProperty('nextPageToken', '');
  expect(await frank.call('ListTasks', { contextId: newId() })).toHaveProperty('nextPageToken', '');
});

meets(['3.1.4-5'], async ({ frank }) => {
  const { contextId, ids } = await sent(frank, 4);
  const first = await frank.call('ListTasks', { contextId, pageSize: 2 });
  await frank.send(message(newId(), { contextId }));
  const second = await frank.call('ListTasks', { contextId, pageSize: 2, pageToken: first.nextPageToken });
  expect([...idsOf(first), ...idsOf(second)]).toEqual(ids.toReversed());
});

meets(['3.1.4-6'], async ({ frank }) => {
  const { contextId, ids } = await sent(frank, 3);
  const [oldest = '', middle, newest] = ids;
  await update(oldest, { transition: 'accept' });
  const page = await frank.call('ListTasks', { contextId });
  expect(idsOf(page)).toEqual([oldest, newest, middle]);
  const times = page.tasks.map(({ status }) => status.timestamp ?? '');
  expect(times).toEqual(times.toSorted().toReversed());
});

meets(['13.1-3', '3.1.4-4'], async ({ frank, binding }) => {
  const { contextId, ids } = await sent(frank, 1);
  const mia = new BoundClient(binding, await relay.agent(newId()));
  for (const params of [{}, { contextId }, { status: 'TASK_STATE_SUBMITTED' }, { includeArtifacts: true }]) {
    for (const at of ['/a2a', '/a/alice', '/a/frank']) {
      expect(await mia.call('ListTasks', params, { at })).toMatchObject({ tasks: [], totalSize: 0 });
    }
  }
  expect(idsOf(await frank.call('ListTasks', { contextId }))).toEqual(ids);
});

meets(['3.4.1-1'], async ({ frank }) => {
  const { id, contextId } = await frank.send(message(newId()));
  expect(contextId).not.toBe('');
  expect((await frank.call('GetTask', { id })).contextId).toBe(contextId);
});

meets(['3.4.1-2', '3.4.1-3'], async ({ frank }) => {
  const before = relay.rows();
  const { reason, violations } = await frank.fail('SendMessage', message(newId(), { contextId: 'x'.repeat(257) }));
  expect([reason, Object.keys(violations)]).toEqual(['INVALID_PARAMS', ['message.contextId']]);
  expect(relay.rows()).toEqual(before);
});

meets(['3.4.1-4', '3.4.1-5'], async ({ frank }) => {
  const { contextId, ids } = await sent(frank, 2);
  const { tasks } = await frank.call('ListTasks', { contextId });
  expect(tasks.map((task) => [task.id, task.contextId])).toEqual(ids.toReversed().map((id) => [id, contextId]));
});

meets(['3.4.2-1', '3.4.2-2'], async ({ frank }) => {
  const tasks = await Promise.all(Array.from({ length: 10 }, () => frank.send(message(newId()))));
  expect(new Set(tasks.map(({ id }) => id)).size).toBe(10);
  for (const { id } of tasks) expect((await frank.call('GetTask', { id })).id).toBe(id);
});

meets(['3.4.2-3'], async ({ frank }) => {
  const before = relay.rows();
  const taskId = newId();
  for (const method of ['SendMessage', 'SendStreamingMessage'] as const) {
    expect((await frank.fail(method, message(newId(), { taskId }))).reason).toBe('TASK_NOT_FOUND');
  }
  expect(relay.rows()).toEqual(before);
});

meets(['3.4.3-1'], async ({ frank }) => {
  const contextId = newId();
  const { id: taskId } = await frank.send(message(newId(), { contextId }));
  expect(await frank.send(message(newId(), { taskId }))).toMatchObject({ id: taskId, contextId });
});

meets(['3.4.3-2'], async ({ frank }) => {
  const { id: taskId } = await frank.send(message(newId(), { contextId: newId() }));
  for (const method of ['SendMessage', 'SendStreamingMessage'] as const) {
    const { violations } = await frank.fail(method, message(newId(), { taskId, contextId: newId() }));
    expect(Object.keys(violations)).toEqual(['message.contextId']);
  }
});

meets(['3.6-2'], async ({ frank }) => {
  for (const version of ['1.0.0', '1.0.7']) {
    expect(await frank.call('ListTasks', {}, { headers: { 'a2a-version': version } })).toHaveProperty('tasks');
  }
});

meetsOnce(['3.6-1'], async () => {
  const { body } = await place.frank.http('GET', '/a/alice', { headers: { 'a2a-version': '1.0' } });
  const { supportedInterfaces } = JSON.parse(body) as { supportedInterfaces: { protocolVersion: string }[] };
  for (const { protocolVersion } of supportedInterfaces) expect(protocolVersion).toMatch(/^\d+\.\d+$/);
});

meetsOver('JSON-RPC', ['3.6.2-1'], async ({ frank: { client } }) => {
  const kind = { kind: 'message', messageId: newId(), role: 'user', parts: [{ kind: 'text', text: 'hi' }] };
  const headers = { 'a2a-version': '0.3' };
  const old = await client.result('message/send', { message: kind }, { at: '/a/alice', headers });
  expect(old).toMatchObject({ kind: 'task', status: { state: 'submitted' } });
  const { id } = old as { id: string };
  expect(await client.call('GetTask', { id })).toMatchObject({ id, status: { state: 'TASK_STATE_SUBMITTED' } });
});

meets(['3.6.2-2'], async ({ frank }) => {
  const params = { ...message(newId()), id: 'x', taskId: 'x', url: 'https://example.com' };
  for (const method of METHODS) {
    for (const version of ['99.0', '1.1', 'latest']) {
      const { reason } = await frank.fail(method, params, { headers: { 'a2a-version': version } });
      expect([method, version, reason]).toEqual([method, version, 'VERSION_NOT_SUPPORTED']);
    }
  }
});

meets(['3.6.2-3'], async ({ frank, binding }) => {
  const { id } = await frank.send(message(newId()));
  for (const version of ['', undefined]) {
    const headers = { 'a2a-version': version };
    // not to be had in 0.3: there the method has another name, and the binding other paths
    expect((await frank.fail('GetTask', { id }, { headers })).reason).toBe('VERSION_NOT_SUPPORTED');
    if (binding === 'HTTP+JSON') continue;
    const old = await frank.client.result('tasks/get', { id }, { at: '/a/alice', headers });
    expect(old).toMatchObject({ kind: 'task', id });
  }
});

meets(['3.7-1', '3.7-2'], async ({ frank, binding }) => {
  const name = newId();
  const bot = new BoundClient(binding, await relay.agent(name, { kind: 'a2a' }));
  const at = `/a/${name}`;
  const { id: taskId } = await frank.send(message('question'), { at });
  await bot.send(message('answer', { taskId }), { at });
  expect(await frank.call('GetTask', { id: taskId }, { at })).toMatchObject({
    status: { state: 'TASK_STATE_COMPLETED' },
    artifacts: [{ artifactId: 'reply', parts: [{ text: 'text of answer' }] }],
    history: [{ messageId: 'question' }],
  });
});
