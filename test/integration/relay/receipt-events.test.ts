import { expect, test } from 'vitest';
import type { StreamResponse } from '../../../relay/contract/a2a.ts';
import { EXTENSION_URI } from '../../../relay/contract/handoff.ts';
import { message, type A2aStream } from '../../support/a2a-client.ts';
import { at, frankAndAlice } from '../../support/frank-and-alice.ts';

const { frank, alice, newId, update } = await frankAndAlice();

const surface = (task_id: string, version: number, session_label: string) =>
  alice.http('POST', '/v1/receipts', {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ items: [{ task_id, version, state: 'surfaced', session_label }] }),
  });

async function rest(stream: A2aStream): Promise<readonly StreamResponse[]> {
  const frames: StreamResponse[] = [];
  for (let frame = await stream.next(); frame !== undefined; frame = await stream.next()) frames.push(frame);
  return frames;
}

/** A stream of a new task, on which alice has looked at it, and declined. */
async function streamed(headers: Readonly<Record<string, string>>): Promise<readonly StreamResponse[]> {
  const stream = await frank.stream('SendStreamingMessage', message(newId()), { at, headers });
  const first = await stream.next();
  if (first === undefined || !('task' in first)) throw new Error('the task comes first');
  await surface(first.task.id, 1, 'Codex in web/');
  await update(first.task.id, { transition: 'decline', reason: 'no' });
  return rest(stream);
}

test('who knows our extension sees on a stream how far the other side has got, before what it does', async () => {
  const [receipt, declined, ...more] = await streamed({ 'a2a-extensions': `https://example.com/x, ${EXTENSION_URI}` });
  expect(receipt).toMatchObject({
    statusUpdate: {
      status: { state: 'TASK_STATE_SUBMITTED' },
      metadata: {
        [EXTENSION_URI]: {
          version: 2,
          receipt: { state: 'surfaced', up_to: 1, label: 'Codex in web/' },
          receipts: { recipient: { offered: 1, surfaced: 1, acked: 0, held: false } },
        },
      },
    },
  });
  expect(receipt).not.toHaveProperty('statusUpdate.status.message');
  expect(declined).toMatchObject({ statusUpdate: { status: { state: 'TASK_STATE_REJECTED' } } });
  expect(more).toEqual([]);
});

test('who does not know it sees nothing of that', async () => {
  expect(await streamed({})).toMatchObject([{ statusUpdate: { status: { state: 'TASK_STATE_REJECTED' } } }]);
  expect(await streamed({ 'a2a-extensions': 'https://example.com/x' })).toHaveLength(1);
});

test('nobody is told of their own receipts', async () => {
  const headers = { 'a2a-extensions': EXTENSION_URI };
  const sent = await frank.call(
    'SendMessage',
    { ...message(newId()), configuration: { returnImmediately: true } },
    { at },
  );
  if (!('task' in sent)) throw new Error('no task');
  const { id } = sent.task;
  const stream = await alice.stream('SubscribeToTask', { id }, { at, headers });
  await stream.next();
  await surface(id, 1, 'mine');
  await frank.call('CancelTask', { id }, { at });
  expect(await rest(stream)).toMatchObject([{ statusUpdate: { status: { state: 'TASK_STATE_CANCELED' } } }]);
});
