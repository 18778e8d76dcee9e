import { expect, test } from 'vitest';
import { EXTENSION_URI } from '../../../relay/contract/handoff.ts';
import type { JsonObject } from '../../../relay/contract/json.ts';
import { message, type A2aClient } from '../../support/a2a-client.ts';
import { openInbox } from '../../support/inbox.ts';
import { relayForTest } from '../../support/relay.ts';

const SESSIONS = ['session-one', 'session-two', 'session-three'] as const;

test('no byte that a sender ever receives names a session of the recipient', async () => {
  const relay = await relayForTest();
  const [alice, frank] = [await relay.agent('alice'), await relay.agent('frank')];
  const at = '/a/alice';
  const received: string[] = [];
  /** Anything that frank asks: the whole answer is kept, whatever it says. */
  const ask = async (method: string, params: JsonObject, path = '/a2a'): Promise<void> => {
    const { body, headers } = await frank.rpc(method, params, { at: path });
    received.push(body, JSON.stringify(headers));
  };
  const inbox = await openInbox(frank);
  const stream = await frank.stream('SendStreamingMessage', message('m1'), { at });
  const first = await stream.next();
  if (first === undefined || !('task' in first)) throw new Error('the task comes first');
  const { id } = first.task;
  const subscribed = await frank.stream('SubscribeToTask', { id });
  await subscribed.next();

  const steps: readonly ((client: A2aClient) => Promise<unknown>)[] = [
    (client) =>
      client.http('POST', '/v1/receipts', {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          items: [
            { task_id: id, version: 1, state: 'surfaced', session_id: SESSIONS[0], session_label: 'Codex in web/' },
          ],
        }),
      }),
    (client) =>
      client.extension('tasks/update', { task_id: id, transition: 'accept', session_id: SESSIONS[0], message: 'mine' }),
    // refused, with the holder's name, to the recipient alone
    (client) => client.rpc('tasks/update', { task_id: id, transition: 'accept', session_id: SESSIONS[1] }),
    (client) => client.extension('tasks/update', { task_id: id, transition: 'take_over', session_id: SESSIONS[1] }),
    (client) =>
      client.extension('tasks/update', { task_id: id, message: 'note', session_id: SESSIONS[1], kind: 'information' }),
    (client) =>
      client.call(
        'SendMessage',
        message('r1', {
          taskId: id,
          metadata: { [EXTENSION_URI]: { transition: 'ask', session_id: SESSIONS[1], sessionId: SESSIONS[1] } },
        }),
      ),
    (client) =>
      client.call('SendMessage', {
        ...message('r2', { taskId: id }),
        metadata: { [EXTENSION_URI]: { transition: 'take_over', session_id: SESSIONS[2] } },
      }),
    (client) =>
      client.extension('tasks/update', {
        task_id: id,
        transition: 'complete',
        session_id: SESSIONS[2],
        idempotency_key: SESSIONS[2],
      }),
  ];
  for (const step of steps) {
    await step(alice);
    for (const path of ['/a2a', at]) {
      await ask('GetTask', { id }, path);
      await ask('ListTasks', { includeArtifacts: true }, path);
      await ask('tasks/list', {}, path);
    }
    // whoever guesses learns nothing, and is not told whether the guess was right
    for (const session_id of SESSIONS) {
      for (const transition of ['accept', 'take_over', 'complete', 'ask']) {
        const refused = await frank.rpc('tasks/update', { task_id: id, transition, session_id });
        const other = await frank.rpc('tasks/update', { task_id: id, transition, session_id: 'another' });
        expect(refused.body).toBe(other.body);
        received.push(refused.body);
      }
    }
    const log = await frank.http('GET', `/v1/tasks/${id}/events`);
    received.push(log.body);
  }
  await ask('CancelTask', { id });
  await ask('SendMessage', message('m1'), at);
  await ask('SendMessage', message('m2', { taskId: id }), at);
  await stream.rest();
  await subscribed.rest();
  await inbox.handoff(({ handoff }) => handoff.state === 'completed');
  received.push(stream.sse.raw, subscribed.sse.raw, inbox.sse.raw);

  const everything = received.join('\n');
  const found = [...SESSIONS, 'session_id', 'sessionId', 'Codex in web/'].filter((text) => everything.includes(text));
  // the label is for the sender to see: what was searched is what was received
  expect(found).toEqual(['Codex in web/']);
  // while the recipient does see it
  expect((await alice.http('GET', `/v1/tasks/${id}/events`)).body).toContain(SESSIONS[2]);
});
