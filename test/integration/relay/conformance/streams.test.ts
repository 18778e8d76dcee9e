import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { StreamResponse } from '../../../../relay/contract/a2a.ts';
import { EXTENSION_URI } from '../../../../relay/contract/handoff.ts';
import type { JsonObject } from '../../../../relay/contract/json.ts';
import { headersOf, message, rpcBody, type A2aClient, type A2aStream } from '../../../support/a2a-client.ts';
import { isGone, isStored } from '../../../support/presence.ts';
import { RawConnection, rawRequest } from '../../../support/raw-connection.ts';
import { at, frankAndAlice } from '../../../support/frank-and-alice.ts';
import { relayForTest } from '../../../support/relay.ts';

/** SendStreamingMessage and SubscribeToTask (A2A 1.0.1 sections 3.1.2, 3.1.6, 3.5.2 and 9.4.2). */

const { relay, frank, alice, newId, update } = await frankAndAlice();

/** A new handoff of frank's, by stream: the stream behind its first frame. */
async function open(more: JsonObject = {}): Promise<{ id: string; stream: A2aStream }> {
  const stream = await frank.stream('SendStreamingMessage', message(newId(), more), { at });
  return { id: taskId(await stream.next()), stream };
}

function taskId(frame: StreamResponse | undefined): string {
  if (frame === undefined || !('task' in frame)) throw new Error(`the task comes first: ${JSON.stringify(frame)}`);
  return frame.task.id;
}

function subscribe(id: string, client = frank): Promise<A2aStream> {
  return client.stream('SubscribeToTask', { id }, { at });
}

/** A message on a thread, and no waiting for what comes of it. */
function say(client: A2aClient, messageId: string, id: string): Promise<unknown> {
  const configuration = { returnImmediately: true };
  return client.call('SendMessage', { ...message(messageId, { taskId: id }), configuration }, { at });
}

const text = (artifactId: string, words: string, flags: JsonObject = {}): JsonObject => ({
  artifacts: [{ artifactId, parts: [{ text: words }] }],
  ...flags,
});

describe('a stream', () => {
  test('has the headers of an event stream that nobody holds back', async () => {
    const { stream } = await open();
    const { headers, statusCode } = stream.sse.response;
    expect(statusCode).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache',
      'x-accel-buffering': 'no',
      'access-control-allow-origin': '*',
    });
    stream.destroy();
  });

  // https://github.com/a2aproject/a2a-go/issues/99
  test('is data lines and comments, and nothing else', async () => {
    const quick = await relayForTest({ heartbeatMs: 5 });
    const [mia, priya] = [await quick.agent('mia'), await quick.agent('priya')];
    const stream = await mia.stream('SendStreamingMessage', message('m'), { at: '/a/priya' });
    const id = taskId(await stream.next());
    while (stream.sse.comments < 3) await stream.sse.news();
    await update(id, { transition: 'accept' }, priya);
    await stream.next();
    await update(id, { transition: 'complete' }, priya);
    await stream.rest();
    const lines = stream.sse.raw.split('\n');
    expect(lines.filter((line) => !/^(data: \{.*\}|: ping|)$/.test(line))).toEqual([]);
    // a blank line ends an event, and nothing but an event: after a comment some readers take it for an empty one
    expect(
      lines.filter((line, n) => line === '' && n < lines.length - 1 && !lines[n - 1]?.startsWith('data: ')),
    ).toEqual([]);
  });

  test('begins with the task and ends with its end', async () => {
    const { id, stream } = await open();
    await update(id, { transition: 'accept', session_id: 's' });
    await update(id, { transition: 'complete', message: 'done', ...text('a', 'all') });
    const frames = await stream.rest();
    expect(frames).toMatchObject([
      { statusUpdate: { taskId: id, status: { state: 'TASK_STATE_WORKING' } } },
      { artifactUpdate: { taskId: id, artifact: { artifactId: 'a' }, append: false, lastChunk: true } },
      {
        statusUpdate: { taskId: id, status: { state: 'TASK_STATE_COMPLETED', message: { parts: [{ text: 'done' }] } } },
      },
    ]);
    const { contextId } = await frank.call('GetTask', { id });
    for (const frame of frames) expect(Object.values(frame)[0]).toMatchObject({ taskId: id, contextId });
    expect(stream.sse.response.complete).toBe(true);
  });

  test.each([
    ['completed', [{ transition: 'accept' }, { transition: 'complete' }]],
    ['failed', [{ transition: 'accept' }, { transition: 'fail', reason: 'no' }]],
    ['declined', [{ transition: 'decline', reason: 'no' }]],
    ['answered without a task', [{ transition: 'reply_only', message: 'it is the cache' }]],
    ['asked about', [{ transition: 'ask', message: 'which?' }]],
  ] as const)('of a send ends when the handoff is %s', async (_, steps) => {
    const { id, stream } = await open();
    for (const step of steps) await update(id, step);
    const last = (await stream.rest()).at(-1);
    const { status } = await frank.call('GetTask', { id });
    expect(last).toMatchObject({ statusUpdate: { taskId: id, status } });
  });

  test('of a send ends when it is cancelled', async () => {
    const { id, stream } = await open();
    await frank.call('CancelTask', { id });
    expect(await stream.rest()).toMatchObject([{ statusUpdate: { status: { state: 'TASK_STATE_CANCELED' } } }]);
  });

  test('of a message that was sent before begins and ends as the task stands', async () => {
    const messageId = newId();
    const stream = await frank.stream('SendStreamingMessage', message(messageId), { at });
    const id = taskId(await stream.next());
    stream.destroy();
    await update(id, { transition: 'accept' });
    const again = await frank.stream('SendStreamingMessage', message(messageId), { at });
    expect(await again.next()).toMatchObject({ task: { id, status: { state: 'TASK_STATE_WORKING' } } });
    await update(id, { transition: 'complete', message: 'done' });
    expect(await again.rest()).toHaveLength(1);
    const afterwards = await frank.stream('SendStreamingMessage', message(messageId), { at });
    expect(await afterwards.rest()).toMatchObject([
      { task: { id, status: { state: 'TASK_STATE_COMPLETED', message: { parts: [{ text: 'done' }] } } } },
    ]);
  });

  test('of a follow-up begins with the task', async () => {
    const { id, stream } = await open();
    stream.destroy();
    await update(id, { transition: 'accept' });
    const next = await frank.stream('SendStreamingMessage', message(newId(), { taskId: id }), { at });
    expect(await next.next()).toMatchObject({ task: { id, status: { state: 'TASK_STATE_WORKING' } } });
    next.destroy();
  });

  test('has the history that was asked for', async () => {
    const params = { ...message(newId()), configuration: { historyLength: 0 } };
    const stream = await frank.stream('SendStreamingMessage', params, { at });
    const first = await stream.next();
    expect(first).toHaveProperty('task');
    expect(first).not.toHaveProperty('task.history');
    stream.destroy();
  });

  test('that is refused is plain JSON: nothing was begun', async () => {
    const before = relay.rows();
    expect((await frank.fail('SendStreamingMessage', {}, { at })).code).toBe(-32602);
    expect((await frank.fail('SubscribeToTask', { id: 'nothing' }, { at })).code).toBe(-32001);
    expect(relay.rows()).toEqual(before);
  });

  test('never gives anybody their own words back', async () => {
    const { id, stream } = await open();
    const own = await subscribe(id, alice);
    taskId(await own.next());
    await say(frank, 'frank says', id);
    await say(alice, 'alice says', id);
    await update(id, { transition: 'decline', reason: 'no' });
    const words = (frames: readonly StreamResponse[]) =>
      frames.flatMap((frame) => ('statusUpdate' in frame ? (frame.statusUpdate.status.message?.messageId ?? []) : []));
    expect(words(await stream.rest())).toEqual(['alice says', expect.stringContaining(id)]);
    const recipients = await own.rest();
    expect(words(recipients)).toEqual(['frank says']);
    // a message alone moves nothing
    expect(recipients[0]).toMatchObject({ statusUpdate: { status: { state: 'TASK_STATE_SUBMITTED' } } });
  });

  test('says in our metadata where in the thread it is', async () => {
    const { id, stream } = await open();
    await update(id, { transition: 'accept', author: 'codex' });
    await update(id, text('a', 'x', { author: 'codex' }));
    await update(id, { transition: 'complete', author: 'human' });
    const said = (await stream.rest()).map((frame) => Object.values(frame)[0]?.metadata?.[EXTENSION_URI]);
    expect(said).toMatchObject([
      { version: 2, state: 'accepted', author: 'codex' },
      { state: 'accepted', author: 'codex' },
      { state: 'completed', author: 'human' },
    ]);
    // receipts have versions too
    const versions = said.map((one) => z.object({ version: z.int() }).parse(one).version);
    expect(versions).toEqual(versions.toSorted((a, b) => a - b));
    expect(new Set(versions).size).toBe(3);
  });
});

describe('a subscription', () => {
  test('begins with the task, its artifacts so far put together', async () => {
    const { id, stream } = await open();
    stream.destroy();
    await update(id, text('log', 'one ', { append: false }));
    await update(id, text('log', 'two ', { append: true }));
    const late = await subscribe(id);
    expect(await late.next()).toMatchObject({
      task: { id, artifacts: [{ artifactId: 'log', parts: [{ text: 'one ' }, { text: 'two ' }] }] },
    });
    await update(id, text('log', 'three', { append: true, last_chunk: true }));
    expect(await late.next()).toMatchObject({
      artifactUpdate: { artifact: { parts: [{ text: 'three' }] }, append: true, lastChunk: true },
    });
    late.destroy();
  });

  // https://github.com/a2aproject/a2a-go/issues/439
  test('stays open while the task waits for an answer, and until its end', async () => {
    const { id } = await open();
    await update(id, { transition: 'ask', message: 'which?' });
    const stream = await subscribe(id);
    expect(await stream.next()).toMatchObject({ task: { status: { state: 'TASK_STATE_INPUT_REQUIRED' } } });
    await say(frank, newId(), id);
    expect(await stream.next()).toMatchObject({ statusUpdate: { status: { state: 'TASK_STATE_WORKING' } } });
    await update(id, { transition: 'ask', message: 'and which?' });
    expect(await stream.next()).toMatchObject({ statusUpdate: { status: { state: 'TASK_STATE_INPUT_REQUIRED' } } });
    await update(id, { transition: 'complete' });
    expect(await stream.rest()).toHaveLength(1);
  });

  test('is for both sides, and for as many as like: all see the same in the same order', async () => {
    const { id, stream } = await open();
    const others = await Promise.all(Array.from({ length: 9 }, () => subscribe(id)));
    for (const other of others) taskId(await other.next());
    await update(id, { transition: 'accept' });
    await Promise.all(Array.from({ length: 20 }, (_, n) => update(id, text(`a${n}`, 'x'))));
    await update(id, { transition: 'complete' });
    const frames = await stream.rest();
    expect(frames).toHaveLength(22);
    for (const other of others) expect(await other.rest()).toEqual(frames);
  });

  // https://github.com/a2aproject/A2A/issues/1635
  test('that begins in the middle of chunks misses none and has none twice', async () => {
    const { id, stream } = await open();
    stream.destroy();
    const CHUNKS = 60;
    const readers: Promise<string>[] = [];
    const read = async (): Promise<string> => {
      let seen = '';
      const words = (parts: readonly object[]) =>
        parts.map((part) => ('text' in part ? String(part.text) : '')).join('');
      for (const frame of await (await subscribe(id)).rest()) {
        if ('task' in frame) seen = words(frame.task.artifacts?.flatMap(({ parts }) => parts) ?? []);
        if ('artifactUpdate' in frame) seen += words(frame.artifactUpdate.artifact.parts);
      }
      return seen;
    };
    for (let n = 0; n < CHUNKS; n++) {
      const chunk = update(id, text('log', `${n};`, { append: n > 0 }));
      if (n % 3 === 0) readers.push(read());
      await chunk;
    }
    await update(id, { transition: 'complete' });
    const whole = Array.from({ length: CHUNKS }, (_, n) => `${n};`).join('');
    expect(new Set(await Promise.all(readers))).toEqual(new Set([whole]));
  });
});

describe('a client that leaves', () => {
  // https://github.com/a2aproject/a2a-python/issues/464
  test('changes nothing but its own stream', async () => {
    const { id, stream } = await open();
    const [first, second] = [await subscribe(id), await subscribe(id)];
    await update(id, { transition: 'accept' });
    stream.destroy();
    first.destroy();
    await update(id, text('a', 'x'));
    await update(id, { transition: 'complete', message: 'done' });
    expect(await second.rest()).toHaveLength(4);
    expect((await frank.call('GetTask', { id })).status.state).toBe('TASK_STATE_COMPLETED');
  });

  test('before its stream has begun leaves the handoff behind, and nothing else', async () => {
    const before = relay.rows();
    const ids = Array.from({ length: 20 }, newId);
    for (const messageId of ids) {
      const connection = await RawConnection.open(relay.port);
      // gone while the relay is still writing the handoff down
      await connection.writeAndBreak(
        rawRequest('POST', at, headersOf(frank), rpcBody('SendStreamingMessage', message(messageId))),
      );
    }
    await isStored(frank, ids.at(-1) ?? '');
    expect(relay.rows()['task']).toBe((before['task'] ?? 0) + ids.length);
    await isGone(alice, frank);
  });
});

test('a stream ends at its greatest age, and a new one begins with the task as it is by then', async () => {
  const brief = await relayForTest({ streamMaxAgeMs: 50 });
  const [mia, priya] = [await brief.agent('mia'), await brief.agent('priya')];
  const stream = await mia.stream('SendStreamingMessage', message('m'), { at: '/a/priya' });
  const [first, ...rest] = await stream.rest();
  const id = taskId(first);
  expect([rest, stream.sse.response.complete]).toEqual([[], true]);
  await update(id, { transition: 'accept' }, priya);
  const next = await mia.stream('SubscribeToTask', { id });
  expect(await next.next()).toMatchObject({ task: { id, status: { state: 'TASK_STATE_WORKING' } } });
  expect([await next.rest(), next.sse.response.complete]).toEqual([[], true]);
});
