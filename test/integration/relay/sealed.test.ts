import { expect, test } from 'vitest';
import { EXTENSION_URI } from '../../../relay/contract/handoff.ts';
import type { JsonObject } from '../../../relay/contract/json.ts';
import { at, frankAndAlice } from '../../support/frank-and-alice.ts';

const { frank, alice, newId, send } = await frankAndAlice();

const SEALED = 'application/vnd.example.sealed+json';
const parts: JsonObject[] = [
  { text: 'eyJhbGciOiJkaXIi', mediaType: SEALED, filename: 'for-alice', metadata: { kid: 1 } },
  { data: { ciphertext: 'eyJhbGciOiJkaXIi', 'odd key': [null, { n: 1.5 }] }, mediaType: SEALED },
  { raw: 'AA==', mediaType: 'application/x-unheard-of' },
];

test('content of a media type that nobody knows arrives as it was sent, and stands in no list', async () => {
  const message = { messageId: newId(), role: 'ROLE_USER', parts };
  const { id } = await send({ message, configuration: { returnImmediately: true } });
  const task = await alice.call('GetTask', { id }, { at });
  expect(task.history?.[0]?.parts).toEqual(parts);
  const old = await alice.result('tasks/get', { id }, { at, headers: { 'a2a-version': '0.3' } });
  expect(old).toMatchObject({
    history: [
      {
        parts: [
          { kind: 'text', text: 'eyJhbGciOiJkaXIi', metadata: { kid: 1, mediaType: SEALED, filename: 'for-alice' } },
          { kind: 'data', data: parts[1]?.['data'], metadata: { mediaType: SEALED } },
          { kind: 'file', file: { bytes: 'AA==', mimeType: 'application/x-unheard-of' } },
        ],
      },
    ],
  });
  const { tasks } = (await alice.extension('tasks/list', {})) as { tasks: JsonObject[] };
  expect(tasks).toMatchObject([{ metadata: { [EXTENSION_URI]: { summary: 'for-alice' } } }]);
  expect(JSON.stringify(tasks)).not.toContain('eyJhbGciOiJkaXIi');
});

test('words that are sealed are no question for the guide, and no reason in a list', async () => {
  const question = { messageId: newId(), role: 'ROLE_USER', parts: [parts[0] ?? {}] };
  expect((await frank.fail('SendMessage', { message: question })).code).toBe(-32602);
  const message = { messageId: newId(), role: 'ROLE_USER', parts: [{ text: 'hi' }] };
  const { id } = await send({ message, configuration: { returnImmediately: true } });
  const sealed = { messageId: newId(), role: 'ROLE_AGENT', parts: [parts[0] ?? {}] };
  await alice.extension('tasks/update', { task_id: id, transition: 'decline', message: sealed });
  const { tasks } = (await frank.extension('tasks/list', { filter: { status: ['declined'] } })) as {
    tasks: JsonObject[];
  };
  expect(tasks).toHaveLength(1);
  expect(JSON.stringify(tasks)).not.toContain('eyJhbGciOiJkaXIi');
});
