import { describe, expect, onTestFinished, test } from 'vitest';
import type { StreamResponse, Task } from '../../../relay/contract/a2a.ts';
import { runScriptedAgent } from '../../interop/scripted-agent/scripted-agent.ts';
import { scriptFor } from '../../interop/scripted-agent/scripts.ts';
import { message } from '../../support/a2a-client.ts';
import { relayForTest } from '../../support/relay.ts';

const at = '/a/scripted';

/** The scripted agent on a relay, and somebody who calls it. */
async function scripted() {
  const relay = await relayForTest({ idempotency: false });
  const { apiKey } = await relay.agent('scripted', { kind: 'a2a' });
  const frank = await relay.agent('frank', { kind: 'a2a' });
  const faults: unknown[] = [];
  const agent = runScriptedAgent({ relay: relay.url, apiKey, onError: (error) => faults.push(error) });
  onTestFinished(() => agent.close());
  await agent.ready;
  return { frank, faults };
}

function taskIn(answer: object): Task {
  if (!('task' in answer)) throw new Error('a message, where a task was expected');
  return answer.task as Task;
}
const say = (frame: StreamResponse): string => {
  if ('task' in frame) return frame.task.status.state;
  if ('statusUpdate' in frame) return frame.statusUpdate.status.state;
  if ('message' in frame) return 'message';
  const [part] = frame.artifactUpdate.artifact.parts;
  return part !== undefined && 'text' in part ? part.text : 'artifact';
};

describe('a message whose id begins with', () => {
  test.each([
    [
      'tck-complete-task',
      { status: { state: 'TASK_STATE_COMPLETED', message: { parts: [{ text: 'Hello from TCK' }] } } },
    ],
    ['tck-artifact-text', { artifacts: [{ parts: [{ text: 'Generated text content' }] }] }],
    ['tck-artifact-file', { artifacts: [{ parts: [{ filename: 'output.txt', mediaType: 'text/plain' }] }] }],
    ['tck-artifact-file-url', { artifacts: [{ parts: [{ url: 'https://example.com/output.txt' }] }] }],
    ['tck-artifact-data', { artifacts: [{ parts: [{ data: { key: 'value', count: 42 } }] }] }],
    ['tck-reject-task', { status: { state: 'TASK_STATE_REJECTED' } }],
    ['tck-task-failure', { status: { state: 'TASK_STATE_FAILED' } }],
    ['something-else', { status: { message: { parts: [{ text: 'You said: text of something-else-1a2b' }] } } }],
  ])('%s is answered as it says', async (prefix, expected) => {
    const { frank, faults } = await scripted();
    const task = taskIn(await frank.call('SendMessage', message(`${prefix}-1a2b`), { at }));
    expect(task).toMatchObject(expected);
    expect(faults).toEqual([]);
  });

  test('tck-message-response is answered without a task', async () => {
    const { frank } = await scripted();
    expect(await frank.call('SendMessage', message('tck-message-response-1'), { at })).toMatchObject({
      message: { role: 'ROLE_AGENT', parts: [{ text: 'Direct message response' }] },
    });
  });

  test('tck-input-required is asked about, and done when that is answered', async () => {
    const { frank } = await scripted();
    const asked = taskIn(await frank.call('SendMessage', message('tck-input-required-1'), { at }));
    expect(asked.status.state).toBe('TASK_STATE_INPUT_REQUIRED');
    const done = taskIn(await frank.call('SendMessage', message('m2', { taskId: asked.id }), { at }));
    expect(done.status).toMatchObject({ state: 'TASK_STATE_COMPLETED' });
  });

  test('tck-stream-ordering is streamed in order, and so are chunks', async () => {
    const { frank } = await scripted();
    const seen = async (id: string): Promise<string[]> => {
      const stream = await frank.stream('SendStreamingMessage', message(id), { at });
      const frames: string[] = [];
      for (let frame = await stream.next(); frame !== undefined; frame = await stream.next()) frames.push(say(frame));
      return frames;
    };
    const [submitted, working, completed] = ['SUBMITTED', 'WORKING', 'COMPLETED'].map((s) => `TASK_STATE_${s}`);
    expect(await seen('tck-stream-ordering-001-1')).toEqual([
      submitted,
      working,
      'Ordered output',
      'More ordered output',
      completed,
    ]);
    expect(await seen('tck-stream-artifact-chunked-1')).toEqual([submitted, working, 'chunk-1 ', 'chunk-2', completed]);
  });
});

test('the slow one works for five seconds', () => {
  expect(scriptFor('test-resubscribe-message-id-7', 'x')).toContainEqual({ waitMs: 5000 });
});
