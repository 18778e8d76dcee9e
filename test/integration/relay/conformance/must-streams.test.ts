import { expect } from 'vitest';
import type { JsonObject } from '../../../../relay/contract/json.ts';
import { message, type A2aStream } from '../../../support/a2a-client.ts';
import type { BoundClient } from '../../../support/bound-client.ts';
import { frankAndAlice } from '../../../support/frank-and-alice.ts';
import { requirementsOn } from './meets.ts';

/** Requirements on streams (A2A 1.0.1 sections 3.1.2, 3.1.6, 3.5.2, 9.4.2 and 11.7). */

const place = await frankAndAlice();
const { newId, update } = place;
const { meets, meetsOver } = requirementsOn(place);

/** A new handoff by stream, behind its first frame. */
async function open(frank: BoundClient): Promise<{ id: string; stream: A2aStream }> {
  const stream = await frank.stream('SendStreamingMessage', message(newId()));
  return { id: await taskId(stream), stream };
}

async function subscribe(id: string, client: BoundClient): Promise<A2aStream> {
  const stream = await client.stream('SubscribeToTask', { id });
  expect(await taskId(stream)).toBe(id);
  return stream;
}

/** The task with which a stream begins. */
async function taskId(stream: A2aStream): Promise<string> {
  const frame = await stream.next();
  if (frame === undefined || !('task' in frame)) throw new Error(`the task comes first: ${JSON.stringify(frame)}`);
  return frame.task.id;
}

const chunk = (text: string, more: JsonObject = {}): JsonObject => ({
  artifacts: [{ artifactId: 'log', parts: [{ text }] }],
  ...more,
});

const ENDS = [
  ['COMPLETED', [{ transition: 'accept' }, { transition: 'complete' }]],
  ['FAILED', [{ transition: 'accept' }, { transition: 'fail' }]],
  ['REJECTED', [{ transition: 'decline' }]],
  ['CANCELED', []],
] as const;

/** Brings a handoff to an end; without steps its sender cancels it. */
async function end(frank: BoundClient, id: string, steps: readonly JsonObject[]): Promise<void> {
  for (const step of steps) await update(id, step);
  if (steps.length === 0) await frank.call('CancelTask', { id });
}

meets(['3.1.2-1', '3.1.2-5'], async ({ frank }) => {
  const { id, stream } = await open(frank);
  await update(id, { transition: 'accept' });
  expect(await stream.next()).toMatchObject({ statusUpdate: { status: { state: 'TASK_STATE_WORKING' } } });
  await update(id, chunk('half'));
  // the handoff goes on: this is known before it has ended
  expect(await stream.next()).toMatchObject({ artifactUpdate: { artifact: { parts: [{ text: 'half' }] } } });
  stream.destroy();
});

meets(['3.1.2-2'], async ({ frank }) => {
  const stream = await frank.stream('SendStreamingMessage', message(newId()), { at: '/a2a' });
  expect(await stream.rest()).toEqual([{ message: expect.objectContaining({ role: 'ROLE_AGENT' }) }]);
  expect(stream.sse.response.complete).toBe(true);
});

meets(['3.1.2-3', '3.1.2-4'], async ({ frank }) => {
  for (const [state, steps] of ENDS) {
    const { id, stream } = await open(frank);
    await end(frank, id, steps);
    const frames = await stream.rest();
    for (const frame of frames) expect(Object.keys(frame)[0]).toMatch(/^(status|artifact)Update$/);
    expect(frames.at(-1)).toMatchObject({ statusUpdate: { taskId: id, status: { state: `TASK_STATE_${state}` } } });
    expect(stream.sse.response.complete).toBe(true);
  }
});

meets(['3.1.6-1', '3.1.6-2'], async ({ frank }) => {
  for (const [state, steps] of ENDS) {
    const { id } = await frank.send(message(newId()));
    if (steps.length > 0) await update(id, { message: 'one moment' });
    const stream = await frank.stream('SubscribeToTask', { id });
    // receipts go on: this very frame is one
    const { metadata: _receipts, ...task } = await frank.call('GetTask', { id });
    expect(await stream.next()).toMatchObject({ task });
    await end(frank, id, steps);
    expect((await stream.rest()).at(-1)).toMatchObject({ statusUpdate: { status: { state: `TASK_STATE_${state}` } } });
    expect(stream.sse.response.complete).toBe(true);
  }
});

meets(['3.1.6-3'], async ({ frank }) => {
  for (const [, steps] of ENDS) {
    const { id } = await frank.send(message(newId()));
    await end(frank, id, steps);
    expect((await frank.fail('SubscribeToTask', { id })).reason).toBe('UNSUPPORTED_OPERATION');
  }
});

meets(['3.5.2-1', '3.5.2-2', '11.7-1'], async ({ frank }) => {
  const { id, stream } = await open(frank);
  const words = Array.from({ length: 20 }, (_, n) => String(n));
  for (const word of words) await update(id, chunk(word, { append: word !== '0' }));
  await update(id, { transition: 'complete' });
  const frames = await stream.rest();
  const told = frames.flatMap((frame) => ('artifactUpdate' in frame ? frame.artifactUpdate.artifact.parts : []));
  expect(told).toEqual(words.map((text) => ({ text })));
  expect(frames.at(-1)).toHaveProperty('statusUpdate.status.state', 'TASK_STATE_COMPLETED');
});

meets(['3.5.2-3', '3.5.2-4'], async ({ frank }) => {
  const { id, stream } = await open(frank);
  const others = [await subscribe(id, frank), await subscribe(id, frank)];
  await update(id, { transition: 'accept' });
  await Promise.all(['a', 'b', 'c'].map((text) => update(id, chunk(text))));
  await update(id, { transition: 'complete', message: 'done' });
  const frames = await stream.rest();
  expect(frames).toHaveLength(5);
  for (const other of others) expect(await other.rest()).toEqual(frames);
});

meets(['3.5.2-5'], async ({ frank }) => {
  const { id, stream } = await open(frank);
  const [closed, kept] = [await subscribe(id, frank), await subscribe(id, frank)];
  stream.destroy();
  closed.destroy();
  await update(id, { transition: 'accept' });
  await update(id, { transition: 'complete' });
  expect(await kept.rest()).toHaveLength(2);
  expect((await frank.call('GetTask', { id })).status.state).toBe('TASK_STATE_COMPLETED');
});

meetsOver('JSON-RPC', ['9.4.2-1'], async ({ frank: { client } }) => {
  for (const id of ['r1', 7]) {
    // this client reads an event by the whole answer around it, with the very id of the request
    const stream = await client.stream('SendStreamingMessage', message(newId()), { at: '/a/alice', id });
    await client.call('CancelTask', { id: await taskId(stream) });
    expect(await stream.rest()).toHaveLength(1);
  }
});
