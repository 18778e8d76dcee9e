import { expect } from 'vitest';
import { EXTENSION_URI } from '../../../../relay/contract/handoff.ts';
import { isJsonObject, type Json } from '../../../../relay/contract/json.ts';
import { message } from '../../../support/a2a-client.ts';
import { frankAndAlice } from '../../../support/frank-and-alice.ts';
import { startWebhook } from '../../../support/webhook.ts';
import { requirementsOn, type Bound } from './meets.ts';

/** Requirements on what stands in requests and answers (A2A 1.0.1 sections 4, 5.5 to 5.7, 9, 11, 14, appendix A). */

const place = await frankAndAlice({ webhookAllow: ['127.0.0.1'] });
const { relay, newId, update } = place;
const { meets, meetsOver } = requirementsOn(place);

/** A handoff in which everything has happened that has a form of its own. */
async function rich(send: (params: ReturnType<typeof message>) => Promise<{ readonly id: string }>): Promise<string> {
  const parts = [
    { text: 'é😀', mediaType: 'text/markdown' },
    { raw: 'aGk=', filename: 'a.txt', mediaType: 'text/plain' },
    { url: 'https://example.com/a', mediaType: 'text/html' },
    { data: { list: [1, 'two'] } },
  ];
  const { id } = await send(message(newId(), { parts, referenceTaskIds: ['t-0'] }));
  await update(id, { transition: 'ask', message: 'which?' });
  await update(id, { artifacts: [{ artifactId: 'a', name: 'An artifact', parts: [{ text: 'x' }] }] });
  return id;
}

/** All names of members in an answer, but for those in maps whose keys are anybody's. */
function namesIn(json: Json): string[] {
  if (Array.isArray(json)) return json.flatMap(namesIn);
  if (!isJsonObject(json)) return [];
  return Object.entries(json).flatMap(([name, value]) =>
    ['metadata', 'data', 'params'].includes(name) ? [name] : [name, ...namesIn(value ?? null)],
  );
}

/** All values of members with such a name. */
function valuesOf(json: Json, wanted: string): Json[] {
  if (Array.isArray(json)) return json.flatMap((element) => valuesOf(element, wanted));
  if (!isJsonObject(json)) return [];
  return Object.entries(json).flatMap(([name, value]) => [
    ...(name === wanted && value !== undefined ? [value] : []),
    ...valuesOf(value ?? null, wanted),
  ]);
}

meets(['4.1.4-1'], async ({ frank }) => {
  const answer = await frank.call('SendMessage', message(newId()), { at: '/a2a' });
  expect(answer).toHaveProperty('message.contextId', expect.stringMatching(/./));
  const { id } = await frank.send(message(newId()));
  await update(id, { transition: 'ask', message: 'which?' });
  const { contextId, status } = await frank.call('GetTask', { id });
  expect(status.message).toMatchObject({ role: 'ROLE_AGENT', contextId, taskId: id });
});

meets(['4.1.6-1'], async ({ frank }) => {
  for (const part of [
    {},
    { mediaType: 'text/plain' },
    { text: 'x', url: 'https://example.com' },
    { raw: '', data: 1 },
  ]) {
    const { violations } = await frank.fail('SendMessage', message(newId(), { parts: [part] }));
    expect(Object.keys(violations)).toEqual(['message.parts[0]']);
  }
});

meets(['4.1.7-1'], async ({ frank }) => {
  const { id } = await frank.send(message(newId()));
  const artifact = (artifactId: string, text: string) => ({ artifacts: [{ artifactId, parts: [{ text }] }] });
  await update(id, artifact('a', 'first'));
  await update(id, artifact('b', 'other'));
  await update(id, artifact('a', 'second'));
  const { artifacts = [] } = await frank.call('GetTask', { id });
  expect(artifacts.map((one) => [one.artifactId, one.parts])).toEqual([
    ['a', [{ text: 'second' }]],
    ['b', [{ text: 'other' }]],
  ]);
});

meets(['5.5-1', 'A.2-1', '5.7-1'], async ({ frank }) => {
  const id = await rich((params) => frank.send(params));
  // each of these is read by a schema that wants what is required and knows nothing else
  const answers = [
    await frank.call('GetTask', { id }),
    await frank.call('ListTasks', { includeArtifacts: true }),
    await frank.call('GetExtendedAgentCard'),
  ];
  const names = new Set(namesIn(JSON.parse(JSON.stringify(answers)) as Json));
  expect(names).toContain('artifactId');
  for (const name of names) expect(name).toMatch(/^[a-z][A-Za-z]*$/);
  for (const old of ['kind', 'final', 'supportsAuthenticatedExtendedCard']) expect(names).not.toContain(old);
});

meets(['5.5-2'], async ({ frank }) => {
  const id = await rich((params) => frank.send(params));
  const task = JSON.parse(JSON.stringify(await frank.call('GetTask', { id }))) as Json;
  expect(valuesOf(task, 'role').filter((role) => role !== 'sender')).toEqual(['ROLE_AGENT', 'ROLE_USER']);
  expect(isJsonObject(task) && isJsonObject(task['status']) && task['status']['state']).toBe(
    'TASK_STATE_INPUT_REQUIRED',
  );
});

meets(['5.6.1-1', '5.6.1-2', '5.6.1-4'], async ({ frank }) => {
  const before = Date.now();
  const { status } = await frank.send(message(newId()));
  expect(status.timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  expect(Date.parse(status.timestamp ?? '') - before).toBeLessThan(60_000);
});

meets(['5.6.1-3'], async ({ frank }) => {
  const contextId = newId();
  const { id, status } = await frank.send(message(newId(), { contextId }));
  const time = Date.parse(status.timestamp ?? '');
  const found = async (statusTimestampAfter: string) =>
    (await frank.call('ListTasks', { contextId, statusTimestampAfter })).tasks.map((task) => task.id);
  expect(await found(status.timestamp ?? '')).toEqual([id]);
  // the same moment, by another clock
  expect(await found(new Date(time + 3_600_000).toISOString().replace('Z', '+01:00'))).toEqual([id]);
  expect(await found(new Date(time + 1).toISOString())).toEqual([]);
  expect((await frank.fail('ListTasks', { statusTimestampAfter: '2026-02-30T00:00:00Z' })).reason).toBe(
    'INVALID_PARAMS',
  );
});

meets(['5.7-3'], async ({ frank }) => {
  for (const parts of [[], null]) {
    expect((await frank.fail('SendMessage', message(newId(), { parts }))).reason).toBe('INVALID_PARAMS');
  }
  const card = await frank.call('GetExtendedAgentCard');
  for (const list of [card.skills, card.supportedInterfaces, card.defaultInputModes, card.defaultOutputModes]) {
    expect(list).not.toEqual([]);
  }
  // the one exception
  expect(await frank.call('ListTasks', { contextId: newId() })).toHaveProperty('tasks', []);
});

meets(['5.7-4'], async ({ frank }) => {
  const params = { ...message(newId(), { parts: [{ text: 'x', weight: 7 }], mood: 'good' }), later: {} };
  const { id } = await frank.send(params);
  const [first] = (await frank.call('GetTask', { id })).history ?? [];
  expect(first?.parts).toEqual([{ text: 'x' }]);
});

meetsOver('JSON-RPC', ['9.1-1'], async ({ frank: { client } }) => {
  const answer = await client.rpc('ListTasks', {}, { at: '/a/alice' });
  expect([answer.status, answer.headers['content-type']]).toEqual([200, expect.stringMatching(/^application\/json\b/)]);
  const headers = { 'content-type': 'text/plain' };
  expect((await client.rpc('ListTasks', {}, { at: '/a/alice', headers })).status).toBe(415);
  expect((await client.fail('listTasks', {}, { at: '/a/alice' })).code).toBe(-32601);
});

/** Of three extensions in one header, whose name is in any case, the relay knows one. */
async function readsHeaders({ frank }: Bound): Promise<void> {
  const headers = { 'a2a-version': undefined, 'A2A-VERSION': '1.0', 'a2A-Extensions': `urn:x, ${EXTENSION_URI},urn:y` };
  const answer = await frank.answer('ListTasks', {}, { headers });
  expect([answer.status, answer.headers['a2a-extensions']]).toEqual([200, EXTENSION_URI]);
}
meetsOver('JSON-RPC', ['9.2-1', '9.2-2'], readsHeaders);
meetsOver('HTTP+JSON', ['11.2-1', '11.2-2'], readsHeaders);

meetsOver('HTTP+JSON', ['11.1-1'], async ({ frank }) => {
  for (const type of ['application/a2a+json', 'application/json']) {
    const headers = { 'content-type': type };
    for (const params of [message(newId()), {}]) {
      const answer = await frank.answer('SendMessage', params, { headers });
      expect(answer.headers['content-type']).toMatch(/^application\/a2a\+json\b/);
    }
  }
  const refused = await frank.answer('ListTasks', {}, { headers: { authorization: undefined } });
  expect(refused.headers['content-type']).toMatch(/^application\/a2a\+json\b/);
});

meetsOver('HTTP+JSON', ['11.5-1', '11.5-2', '11.5-3'], async ({ frank }) => {
  const contextId = 'a b&c=d/é?#%';
  const { id } = await frank.send(message(newId(), { contextId, parts: [{ text: 'x' }] }));
  await update(id, { artifacts: [{ artifactId: 'a', parts: [{ text: 'x' }] }] });
  const query = { contextId, status: 'TASK_STATE_WORKING', pageSize: 1, historyLength: 0, includeArtifacts: true };
  const { tasks, pageSize } = await frank.call('ListTasks', query);
  expect([tasks.length, tasks[0]?.id, pageSize]).toEqual([1, id, 1]);
  expect(tasks[0]).toHaveProperty('artifacts');
  expect(tasks[0]).not.toHaveProperty('history');
});

meets(['14.1.1-1'], async ({ frank, binding }) => {
  const { id } = await frank.send(message(newId(), { parts: [{ text: 'é😀' }] }));
  const answer = await frank.answer('GetTask', { id });
  expect(answer.body).toContain('é😀');
  const at = binding === 'JSON-RPC' ? '/a/alice' : '/a/alice/message:send';
  const headers = { 'content-type': 'application/json', 'a2a-version': '1.0' };
  const body = Buffer.concat([Buffer.from('{"message":"'), Buffer.from([0xc3, 0x28]), Buffer.from('"}')]);
  const refused = await frank.client.http('POST', at, { headers, body });
  expect(JSON.parse(refused.body)).toMatchObject({ error: { code: binding === 'JSON-RPC' ? -32700 : 400 } });
});

meets(['14.1.1-3'], async ({ frank }) => {
  const words = `'; DROP TABLE task; --\r\n\r\ndata: {"task":{}}\n\nevent: x\u2028<script>alert(1)</script>\${7*7}{{7*7}}`;
  const before = relay.rows();
  const stream = await frank.stream('SendStreamingMessage', message(newId(), { parts: [{ text: words }] }));
  const first = await stream.next();
  if (first === undefined || !('task' in first)) throw new Error('the task comes first');
  const { id, history = [] } = first.task;
  expect(history[0]?.parts).toEqual([{ text: words }]);
  await update(id, { transition: 'decline', reason: words });
  expect(await stream.rest()).toMatchObject([{ statusUpdate: { status: { message: { parts: [{ text: words }] } } } }]);
  expect(relay.rows()['task']).toBe((before['task'] ?? 0) + 1);
});

meets(['14.1.1-4'], async ({ frank }) => {
  const elsewhere = await startWebhook();
  const { id } = await frank.send(message(newId(), { parts: [{ url: `${elsewhere.url}/file` }] }));
  await update(id, { artifacts: [{ artifactId: 'a', parts: [{ url: elsewhere.url }] }] });
  await update(id, { transition: 'complete' });
  expect((await frank.call('GetTask', { id })).artifacts).toEqual([
    { artifactId: 'a', parts: [{ url: elsewhere.url }] },
  ]);
  expect(elsewhere.pushed).toEqual([]);
});
