import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { JsonObject } from '../../../../relay/contract/json.ts';
import { message } from '../../../support/a2a-client.ts';
import { isGone } from '../../../support/presence.ts';
import { openInbox } from '../../../support/inbox.ts';
import { at, frankAndAlice } from '../../../support/frank-and-alice.ts';
import { SseStream } from '../../../support/sse.ts';

/** A2A 0.1 (specification v0.1.0 sections 5 to 7): the client names its tasks. */

const { relay, frank, alice, update } = await frankAndAlice();
let count = 0;

const headers = { 'a2a-version': undefined };
const newName = (): string => `task of frank's, no ${++count}`;
const says = (text: string): JsonObject => ({ role: 'user', parts: [{ type: 'text', text }] });

const resultSchema = z.object({ result: z.record(z.string(), z.unknown()) });
const errorSchema = z.object({ error: z.object({ code: z.int() }) });

async function call(method: string, params: JsonObject, client = frank, path = at): Promise<Record<string, unknown>> {
  const { body } = await client.rpc(method, params, { at: path, headers });
  return resultSchema.parse(JSON.parse(body)).result;
}
async function codeOf(method: string, params: JsonObject, client = frank, path = at): Promise<number> {
  const { body } = await client.rpc(method, params, { at: path, headers });
  return errorSchema.parse(JSON.parse(body)).error.code;
}

/** The relay's id of the newest task. */
async function newest(): Promise<string> {
  const { tasks } = await frank.call('ListTasks', { pageSize: 1 }, { at });
  return tasks[0]?.id ?? '';
}

describe('tasks/send', () => {
  // https://github.com/elkar-ai/elkar-a2a/issues/9
  test('answers with the task under the client’s own id, without history unless a number is given', async () => {
    const id = newName();
    const task = await call('tasks/send', { id, sessionId: 'session-1', message: says('hi') });
    expect(task).toMatchObject({ id, sessionId: 'session-1', status: { state: 'submitted' } });
    expect(task).not.toHaveProperty('kind');
    expect(task).not.toHaveProperty('history');
    expect(await call('tasks/send', { id: newName(), historyLength: 5, message: says('hi') })).toMatchObject({
      history: [{ role: 'user', parts: [{ type: 'text', text: 'hi' }] }],
    });
  });

  test('that is said again is the same task; other words go on with it', async () => {
    const id = newName();
    const first = { id, message: says('hi'), historyLength: 10 };
    for (let n = 0; n < 3; n++) expect((await call('tasks/send', first))['history']).toHaveLength(1);
    expect((await call('tasks/send', { ...first, message: says('and this') }))['history']).toHaveLength(2);
    expect((await call('tasks/send', { ...first, message: says('and this') }))['history']).toHaveLength(3);
  });

  test('ten times at once is one task', async () => {
    const id = newName();
    const before = relay.rows()['task'] ?? 0;
    await Promise.all(Array.from({ length: 10 }, () => call('tasks/send', { id, message: says('hi') })));
    expect(relay.rows()['task']).toBe(before + 1);
  });

  test('answers a question, also in the words that began the task', async () => {
    const id = newName();
    await call('tasks/send', { id, message: says('yes') });
    await update(await newest(), { transition: 'ask', message: 'Shall I?' });
    const answered = await call('tasks/send', { id, message: says('yes'), historyLength: 10 });
    expect(answered).toMatchObject({ status: { state: 'working' } });
    expect(answered['history']).toHaveLength(3);
  });

  test('answers a question', async () => {
    const id = newName();
    await call('tasks/send', { id, message: says('hi') });
    await update(await newest(), { transition: 'ask', message: 'which?' });
    expect(await call('tasks/get', { id })).toMatchObject({
      status: { state: 'input-required', message: { role: 'agent', parts: [{ type: 'text', text: 'which?' }] } },
    });
    expect(await call('tasks/send', { id, message: says('the first') })).toMatchObject({
      status: { state: 'working' },
    });
  });

  test('waits for the end where somebody is there to bring it about', async () => {
    const inbox = await openInbox(alice);
    const id = newName();
    const answer = call('tasks/send', { id, message: says('hi') });
    const { task_id } = await inbox.handoff(({ event }) => event.kind === 'created');
    await update(task_id, { transition: 'decline', reason: 'not now' });
    // 0.1 has no word for declined
    expect(await answer).toMatchObject({
      id,
      status: { state: 'failed', message: { parts: [{ type: 'text', text: 'not now' }] } },
    });
    inbox.destroy();
    await isGone(frank, alice);
  });

  test.each<[JsonObject, number]>([
    [{ message: says('hi') }, -32602],
    [{ id: 'x' }, -32602],
    [{ id: 'x', message: { role: 'user', parts: [] } }, -32602],
    [{ id: 'x'.repeat(257), message: says('hi') }, -32602],
    [{ id: 'x', message: says('hi'), pushNotification: { url: 'http://127.0.0.1/' } }, -32602],
  ])('with %j is refused, and nothing is stored', async (params, code) => {
    const before = relay.rows();
    expect(await codeOf('tasks/send', params)).toBe(code);
    expect(relay.rows()).toEqual(before);
  });
});

describe('a task by its client’s name', () => {
  test('is read and cancelled in the form of 0.1; by the relay’s id it is read in that of 0.3', async () => {
    const id = newName();
    await call('tasks/send', { id, message: says('hi') });
    const real = await newest();
    expect(await call('tasks/get', { id, historyLength: 1 })).toMatchObject({ id, history: [{ role: 'user' }] });
    expect(await call('tasks/get', { id: real })).toMatchObject({ kind: 'task', id: real });
    expect(await call('tasks/cancel', { id })).toMatchObject({ id, status: { state: 'canceled' } });
    expect(await frank.call('GetTask', { id: real }, { at })).toMatchObject({
      status: { state: 'TASK_STATE_CANCELED' },
    });
  });

  test('is nobody else’s, and not that of another agent', async () => {
    const id = newName();
    await call('tasks/send', { id, message: says('hi') });
    const mia = await relay.agent(`mia-${count}`);
    const priya = await relay.agent(`priya-${count}`);
    expect(await codeOf('tasks/get', { id }, mia)).toBe(-32001);
    expect(await codeOf('tasks/cancel', { id }, mia)).toBe(-32001);
    expect(await codeOf('tasks/get', { id }, frank, `/a/${priya.name}`)).toBe(-32001);
    // each of them may use the name for a task of its own
    expect(await call('tasks/send', { id, message: says('mine') }, mia)).toMatchObject({ id });
    expect(await call('tasks/send', { id, message: says('hers') }, frank, `/a/${priya.name}`)).toMatchObject({ id });
  });

  test('outlives a thread that goes on in 1.0', async () => {
    const id = newName();
    await call('tasks/send', { id, message: says('hi') });
    await frank.call('SendMessage', message(`m${count}`, { taskId: await newest() }), { at });
    expect(await call('tasks/get', { id, historyLength: 5 })).toMatchObject({ history: [{}, {}] });
  });
});

describe('a stream', () => {
  async function open(method: string, params: JsonObject): Promise<SseStream> {
    const response = await frank.open('POST', at, {
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    return new SseStream(response);
  }
  const next = async (stream: SseStream): Promise<unknown> =>
    resultSchema.parse(JSON.parse((await stream.next())?.data ?? '{}')).result;
  const chunk = (id: string, text: string, more: JsonObject) =>
    update(id, { artifacts: [{ artifactId: id, name: 'log', parts: [{ text }] }], ...more });

  test('has statuses and artifacts by their place, and a final one', async () => {
    const id = newName();
    const stream = await open('tasks/sendSubscribe', { id, message: says('hi') });
    expect(await next(stream)).toMatchObject({ id, status: { state: 'submitted' }, final: false });
    const real = await newest();
    await chunk(real, 'one ', { append: false });
    await chunk(real, 'two', { append: true, last_chunk: true });
    await update(real, { transition: 'complete', artifacts: [{ artifactId: 'b', parts: [{ data: { n: 1 } }] }] });
    expect(await next(stream)).toMatchObject({ id, status: { state: 'working' }, final: false });
    expect(await next(stream)).toEqual({
      id,
      artifact: { name: 'log', index: 0, append: false, lastChunk: false, parts: [{ type: 'text', text: 'one ' }] },
      metadata: expect.anything(),
    });
    expect(await next(stream)).toMatchObject({ id, artifact: { index: 0, append: true, lastChunk: true } });
    expect(await next(stream)).toMatchObject({
      id,
      artifact: { name: 'b', index: 1, parts: [{ type: 'data', data: { n: 1 } }] },
    });
    expect(await next(stream)).toMatchObject({ id, status: { state: 'completed' }, final: true });
    expect(await stream.next()).toBeUndefined();
  });

  test('that is taken up again begins with what is there', async () => {
    const id = newName();
    await call('tasks/send', { id, message: says('hi') });
    await chunk(await newest(), 'one', { append: false, last_chunk: true });
    const stream = await open('tasks/resubscribe', { id });
    expect(await next(stream)).toMatchObject({ id, artifact: { index: 0, parts: [{ type: 'text', text: 'one' }] } });
    expect(await next(stream)).toMatchObject({ id, status: { state: 'working' }, final: false });
    stream.response.destroy();
  });

  test('that is refused is refused in a stream', async () => {
    const stream = await open('tasks/sendSubscribe', { id: 'x' });
    expect(stream.response.headers['content-type']).toBe('text/event-stream');
    expect(errorSchema.parse(JSON.parse((await stream.next())?.data ?? '')).error.code).toBe(-32602);
  });
});
