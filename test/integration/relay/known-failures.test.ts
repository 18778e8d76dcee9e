import { expect, test } from 'vitest';
import { message } from '../../support/a2a-client.ts';
import { frankAndAlice } from '../../support/frank-and-alice.ts';
import { openInbox } from '../../support/inbox.ts';

/**
 * What has gone wrong between other clients and servers of A2A, each from a public report, with what is right. Most of them
 * are among the tests of what they are about; the address of the report stands with each.
 */

const { frank, alice, newId, send, update } = await frankAndAlice();

// https://github.com/jordigilh/kubernaut/issues/1268
test('a client that posts to the root, whatever the card says, reaches the agent whose card is there', async () => {
  const card = JSON.parse((await frank.http('GET', '/', { headers: { 'a2a-version': '1.0' } })).body) as object;
  expect(card).toMatchObject({ name: 'acme guide' });
  expect(await frank.call('SendMessage', message(newId()), { at: '/' })).toMatchObject({
    message: { role: 'ROLE_AGENT' },
  });
  const named = { ...message(newId()), metadata: { recipient: 'alice' } };
  expect(await frank.call('SendMessage', named, { at: '/' })).toHaveProperty('task.id');
});

// https://github.com/a2aproject/A2A/issues/1992
test('a message to a task that is being worked on is delivered, and the work goes on', async () => {
  const { id: taskId } = await send(message(newId()));
  await update(taskId, { transition: 'accept' });
  const inbox = await openInbox(alice);
  const messageId = newId();
  const configuration = { returnImmediately: true };
  expect(await send({ ...message(messageId, { taskId }), configuration })).toMatchObject({
    id: taskId,
    status: { state: 'TASK_STATE_WORKING' },
  });
  const { event } = await inbox.handoff(({ event: { kind } }) => kind === 'message');
  expect(event).toMatchObject({ message: { messageId } });
  inbox.destroy();
});
