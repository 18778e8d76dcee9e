import { expect, test } from 'vitest';
import { EXTENSION_URI } from '../../../relay/contract/handoff.ts';
import type { JsonObject } from '../../../relay/contract/json.ts';
import { message, reasonOf } from '../../support/a2a-client.ts';
import { frankAndAlice } from '../../support/frank-and-alice.ts';

/** A handoff that one session of an agent holds, and another session of that agent, over the wire. */

const { relay, alice, send, update, newId } = await frankAndAlice();

async function held(): Promise<string> {
  const { id } = await send(message(newId()));
  await update(id, { transition: 'accept', session_id: 's1' });
  return id;
}

const artifacts = [{ artifactId: 'a', parts: [{ text: 'x' }] }];
const CALLS: readonly (readonly [string, string, (taskId: string, session?: string) => JsonObject])[] = [
  ...[
    { artifacts },
    { artifacts, append: true, last_chunk: false },
    { message: 'words' },
    { message: 'which?', kind: 'question' },
    { message: 'going on', kind: 'information' },
    { transition: 'ask', message: 'which?' },
    { transition: 'complete', message: 'done', artifacts },
  ].map(
    (step) =>
      [
        `tasks/update ${JSON.stringify(step)}`,
        'tasks/update',
        (task_id: string, session_id?: string) => ({ task_id, ...step, ...(session_id && { session_id }) }),
      ] as const,
  ),
  ...[{}, { kind: 'question' }, { kind: 'information' }, { artifacts }, { append: false }, { transition: 'fail' }].map(
    (words) =>
      [
        `SendMessage ${JSON.stringify(words)}`,
        'SendMessage',
        (taskId: string, session_id?: string) =>
          message(newId(), {
            taskId,
            metadata: { [EXTENSION_URI]: { ...words, ...(session_id && { session_id }) } },
          }),
      ] as const,
  ),
];

test.each(CALLS)('%s of another session is refused and stores nothing', async (_name, method, params) => {
  const taskId = await held();
  const before = relay.rows();
  const error = await alice.fail(method, params(taskId, 's2'));
  expect(reasonOf(error)).toBe('HELD_BY_OTHER_SESSION');
  expect(relay.rows()).toEqual(before);
});

test.each(CALLS)('%s of its own session, or of none, is carried out', async (_name, method, params) => {
  for (const session of ['s1', undefined]) {
    const taskId = await held();
    const before = relay.rows()['task_event'] ?? 0;
    const { status, body } = await alice.rpc(method, params(taskId, session));
    expect([status, body]).toEqual([200, expect.stringContaining('"result"')]);
    expect(relay.rows()['task_event']).toBeGreaterThan(before);
  }
});
