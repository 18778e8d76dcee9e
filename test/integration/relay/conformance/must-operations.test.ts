import { expect } from 'vitest';
import { message } from '../../../support/a2a-client.ts';
import { METHODS } from '../../../support/http-call.ts';
import { frankAndAlice } from '../../../support/frank-and-alice.ts';
import { openInbox } from '../../../support/inbox.ts';
import { isGone } from '../../../support/presence.ts';
import { requirementsOn } from './meets.ts';

/** Requirements on operations that send and read (A2A 1.0.1 sections 3.1.1, 3.1.3, 3.1.5, 3.2 and 5.1). */

let now = Date.UTC(2026, 0, 1);
// every look at the clock is a millisecond later: no two tasks are of one moment
const place = await frankAndAlice({ blockMs: 3_600_000, webhookAllow: ['127.0.0.1'], clock: () => ++now });
const { newId, update } = place;
const { meets } = requirementsOn(place);

const artifact = (text: string) => ({ artifactId: 'a', parts: [{ text }] });

meets(['3.1-1', '5.1-1', '11.3-1'], async ({ frank }) => {
  const { id: taskId } = await frank.send(message(newId()));
  const { id: other } = await frank.send(message(newId()));
  const hook = { taskId, id: 'c', url: 'http://127.0.0.1:9/hook' };
  const params = {
    SendMessage: message(newId()),
    SendStreamingMessage: message(newId()),
    GetTask: { id: taskId },
    ListTasks: {},
    CancelTask: { id: other },
    SubscribeToTask: { id: taskId },
    CreateTaskPushNotificationConfig: hook,
    GetTaskPushNotificationConfig: { taskId, id: 'c' },
    ListTaskPushNotificationConfigs: { taskId },
    DeleteTaskPushNotificationConfig: { taskId, id: 'c' },
    GetExtendedAgentCard: {},
  };
  for (const method of METHODS) {
    if (method === 'SendStreamingMessage' || method === 'SubscribeToTask') {
      const stream = await frank.stream(method, params[method]);
      expect(await stream.next()).toHaveProperty('task.id');
      stream.destroy();
    } else {
      expect(await frank.call(method, params[method])).toBeTypeOf('object');
    }
  }
});

meets(['3.1.1-1', '3.1.1-3'], async ({ frank }) => {
  expect(await frank.call('SendMessage', message(newId()))).toHaveProperty('task.status.state', 'TASK_STATE_SUBMITTED');
  const answer = await frank.call('SendMessage', message(newId()), { at: '/a2a' });
  expect(answer).toHaveProperty('message.role', 'ROLE_AGENT');
});

meets(['3.1.1-2'], async ({ frank }) => {
  for (const steps of [
    [{ transition: 'accept' }, { transition: 'complete' }],
    [{ transition: 'accept' }, { transition: 'fail', reason: 'no' }],
    [{ transition: 'decline', reason: 'no' }],
    [],
  ]) {
    const { id: taskId } = await frank.send(message(newId()));
    for (const step of steps) await update(taskId, step);
    if (steps.length === 0) await frank.call('CancelTask', { id: taskId });
    for (const method of ['SendMessage', 'SendStreamingMessage'] as const) {
      const { reason } = await frank.fail(method, message(newId(), { taskId }));
      expect([method, reason]).toEqual([method, 'UNSUPPORTED_OPERATION']);
    }
  }
});

meets(['3.1.3-1'], async ({ frank }) => {
  const { id } = await frank.send(message(newId()));
  await update(id, { artifacts: [artifact('half')] });
  expect(await frank.call('GetTask', { id })).toMatchObject({
    status: { state: 'TASK_STATE_WORKING' },
    artifacts: [artifact('half')],
  });
  await update(id, { transition: 'complete', message: 'done', artifacts: [artifact('all')] });
  expect(await frank.call('GetTask', { id })).toMatchObject({
    status: { state: 'TASK_STATE_COMPLETED', message: { parts: [{ text: 'done' }] } },
    artifacts: [artifact('all')],
  });
});

meets(['3.1.5-1'], async ({ frank }) => {
  const { id } = await frank.send(message(newId()));
  const cancelled = await frank.call('CancelTask', { id });
  expect([cancelled.id, cancelled.status.state]).toEqual([id, 'TASK_STATE_CANCELED']);
  for (const transition of ['decline', 'complete', 'fail'] as const) {
    const ended = await frank.send(message(newId()));
    if (transition !== 'decline') await update(ended.id, { transition: 'accept' });
    await update(ended.id, { transition });
    expect((await frank.fail('CancelTask', { id: ended.id })).reason).toBe('TASK_NOT_CANCELABLE');
  }
  const accepted = await frank.send(message(newId()));
  await update(accepted.id, { transition: 'accept' });
  const { reason, metadata } = await frank.fail('CancelTask', { id: accepted.id });
  expect([reason, metadata['cause']]).toEqual(['TASK_NOT_CANCELABLE', 'ALREADY_ACCEPTED']);
});

meets(['3.3.1-2'], async ({ frank }) => {
  const { id } = await frank.send(message(newId()));
  const first = await frank.call('CancelTask', { id });
  expect(await frank.call('CancelTask', { id })).toEqual(first);
});

meets(['3.3.1-1'], async ({ frank }) => {
  const params = message(newId());
  const first = await frank.send(params);
  expect(await frank.send(params)).toEqual(first);
});

meets(['3.2.2-2'], async ({ frank }) => {
  const inbox = await openInbox(place.alice);
  const answer = frank.send(message(newId()));
  const { task_id } = await inbox.handoff(({ event }) => event.kind === 'created');
  await update(task_id, { artifacts: [artifact('one')] });
  await update(task_id, {
    transition: 'complete',
    message: 'done',
    artifacts: [{ artifactId: 'b', parts: [{ text: 'two' }] }],
  });
  expect(await answer).toMatchObject({
    id: task_id,
    status: { state: 'TASK_STATE_COMPLETED', message: { parts: [{ text: 'done' }] } },
    artifacts: [artifact('one'), { artifactId: 'b', parts: [{ text: 'two' }] }],
  });
  inbox.destroy();
  await isGone(place.frank, place.alice);
});

meets(['3.2.2-3'], async ({ frank }) => {
  // a recipient who is there: a call that waits would wait for an hour
  const inbox = await openInbox(place.alice);
  const task = await frank.send({ ...message(newId()), configuration: { returnImmediately: true } });
  expect(task.status.state).toBe('TASK_STATE_SUBMITTED');
  inbox.destroy();
  await isGone(place.frank, place.alice);
});

meets(['3.2.4-1', '3.2.4-2'], async ({ frank }) => {
  const ids = [newId(), newId(), newId()];
  const { id: taskId } = await frank.send(message(ids[0] ?? ''));
  for (const one of ids.slice(1)) await frank.send(message(one, { taskId }));
  const idsOf = ({ history }: { readonly history?: readonly { readonly messageId: string }[] } = {}) =>
    history?.map(({ messageId }) => messageId);
  expect(idsOf(await frank.call('GetTask', { id: taskId, historyLength: 2 }))).toEqual(ids.slice(1));
  expect(await frank.call('GetTask', { id: taskId, historyLength: 0 })).not.toHaveProperty('history');
  for (const [historyLength, expected] of [
    [1, ids.slice(2)],
    [0, undefined],
  ] as const) {
    expect(idsOf((await frank.call('ListTasks', { pageSize: 1, historyLength })).tasks[0])).toEqual(expected);
  }
  const last = newId();
  const sent = await frank.send({ ...message(last, { taskId }), configuration: { historyLength: 1 } });
  expect(idsOf(sent)).toEqual([last]);
});
