import { expect } from 'vitest';
import type { JsonObject } from '../../../../relay/contract/json.ts';
import { assertStreamResponse } from '../../../support/a2a-1.0-schema.ts';
import { message } from '../../../support/a2a-client.ts';
import { BoundClient } from '../../../support/bound-client.ts';
import { frankAndAlice } from '../../../support/frank-and-alice.ts';
import { startWebhook } from '../../../support/webhook.ts';
import { requirementsOn } from './meets.ts';

/** Requirements on push notifications (A2A 1.0.1 sections 3.1.7 to 3.1.10, 4.3 and 13.2). */

const patience = { firstRetryMs: 1, lastRetryMs: 2, attempts: 5, ageMs: 60_000 };
const place = await frankAndAlice({ webhookAllow: ['127.0.0.1'], patience });
const { relay, newId, update } = place;
const { meets } = requirementsOn(place);

/** A handoff of which each change is pushed. */
async function pushed(frank: BoundClient, config: JsonObject): Promise<string> {
  const { id: taskId } = await frank.send(message(newId()));
  await frank.call('CreateTaskPushNotificationConfig', { taskId, ...config });
  return taskId;
}

/** What each push says of the state, else what it is. */
const states = (bodies: readonly unknown[]): readonly unknown[] =>
  bodies.map((body) => {
    assertStreamResponse(body);
    return 'statusUpdate' in body ? body.statusUpdate.status.state : Object.keys(body);
  });

meets(['3.1.7-1', '3.1.7-2', '4.3.3-5'], async ({ frank }) => {
  const hook = await startWebhook();
  const id = await pushed(frank, { id: 'c', url: hook.url });
  await update(id, { transition: 'accept' });
  await update(id, { artifacts: [{ artifactId: 'a', parts: [{ text: 'x' }] }] });
  await hook.seen(2);
  expect((await frank.call('GetTaskPushNotificationConfig', { taskId: id, id: 'c' })).url).toBe(hook.url);
  await update(id, { transition: 'complete' });
  expect(states((await hook.seen(3)).map(({ body }) => body))).toEqual([
    'TASK_STATE_WORKING',
    ['artifactUpdate'],
    'TASK_STATE_COMPLETED',
  ]);
  for (const { headers } of hook.pushed) expect(headers['content-type']).toBe('application/a2a+json');
});

// https://github.com/a2aproject/a2a-python/issues/585
meets(['4.3.3-1', '13.2-1'], async ({ frank }) => {
  const hook = await startWebhook();
  const id = await pushed(frank, {
    url: hook.url,
    token: 'whose',
    authentication: { scheme: 'Basic', credentials: 'eDp5' },
  });
  await update(id, { transition: 'decline' });
  const [first] = await hook.seen(1);
  expect(first?.headers).toMatchObject({ authorization: 'Basic eDp5', 'x-a2a-notification-token': 'whose' });
});

meets(['4.3.3-2', '4.3.3-4', '13.2-3'], async ({ frank }) => {
  const hook = await startWebhook((_pushed, response, index) => response.writeHead(index < 2 ? 500 : 200).end());
  const id = await pushed(frank, { url: hook.url });
  await update(id, { transition: 'decline' });
  const bodies = (await hook.seen(3)).map(({ body }) => body);
  expect(states(bodies)).toEqual(Array.from({ length: 3 }, () => 'TASK_STATE_REJECTED'));
});

meets(['13.2-4'], async ({ frank }) => {
  const hook = await startWebhook((_pushed, response) => response.writeHead(500).end());
  const id = await pushed(frank, { url: hook.url });
  await update(id, { transition: 'decline' });
  await hook.seen(patience.attempts);
  const dead = async () => (await frank.client.http('GET', '/v1/dead-letters')).body;
  await expect.poll(dead).toContain(id);
  expect(hook.pushed).toHaveLength(patience.attempts);
});

// https://github.com/a2aproject/A2A/issues/1988
meets(['3.1.8-1', '13.2-7'], async ({ frank }) => {
  const url = 'http://127.0.0.1:9/hook';
  const authentication = { scheme: 'Bearer', credentials: 'hush-1' };
  const taskId = await pushed(frank, { id: 'c', url, token: 'hush-2', authentication });
  const shown = { id: 'c', taskId, url, authentication: { scheme: 'Bearer' } };
  expect(await frank.call('GetTaskPushNotificationConfig', { taskId, id: 'c' })).toEqual(shown);
  const { configs } = await frank.call('ListTaskPushNotificationConfigs', { taskId });
  expect(configs).toEqual([shown]);
});

meets(['3.1.8-2'], async ({ frank, alice, binding }) => {
  const taskId = await pushed(frank, { id: 'c', url: 'http://127.0.0.1:9/hook' });
  const mia = new BoundClient(binding, await relay.agent(newId()));
  for (const [client, id] of [
    [frank, 'other'],
    [alice, 'c'],
    [mia, 'c'],
  ] as const) {
    expect((await client.fail('GetTaskPushNotificationConfig', { taskId, id })).reason).toBe('TASK_NOT_FOUND');
  }
});

meets(['3.1.9-1'], async ({ frank }) => {
  const taskId = await pushed(frank, { id: 'a', url: 'http://127.0.0.1:9/a' });
  for (const id of ['b', 'c']) {
    await frank.call('CreateTaskPushNotificationConfig', { taskId, id, url: `http://127.0.0.1:9/${id}` });
  }
  const { configs, nextPageToken } = await frank.call('ListTaskPushNotificationConfigs', { taskId });
  expect([configs.map(({ id }) => id), nextPageToken]).toEqual([['a', 'b', 'c'], '']);
});

meets(['3.1.10-1', '3.1.10-2'], async ({ frank }) => {
  const [hook, other] = [await startWebhook(), await startWebhook()];
  const taskId = await pushed(frank, { id: 'c', url: hook.url });
  for (let n = 0; n < 2; n++) {
    expect(await frank.call('DeleteTaskPushNotificationConfig', { taskId, id: 'c' })).toEqual({});
  }
  expect((await frank.fail('GetTaskPushNotificationConfig', { taskId, id: 'c' })).reason).toBe('TASK_NOT_FOUND');
  await frank.call('CreateTaskPushNotificationConfig', { taskId, id: 'd', url: other.url });
  await update(taskId, { transition: 'decline' });
  await other.seen(1);
  expect(hook.pushed).toEqual([]);
});

meets(['4.3.1-1'], async ({ frank }) => {
  const { id: taskId } = await frank.send(message(newId()));
  const { violations } = await frank.fail('CreateTaskPushNotificationConfig', { taskId, id: 'c' });
  expect(Object.keys(violations)).toEqual(['url']);
});

meets(['4.3.2-1'], async ({ frank }) => {
  const { id: taskId } = await frank.send(message(newId()));
  const config = { taskId, url: 'http://127.0.0.1:9/hook', authentication: { credentials: 'x' } };
  const { violations } = await frank.fail('CreateTaskPushNotificationConfig', config);
  expect(Object.keys(violations)).toEqual(['authentication.scheme']);
});

// https://github.com/a2aproject/a2a-js/issues/584
meets(['13.2-5', 'streaming-1'], async ({ frank }) => {
  const { id: taskId } = await frank.send(message(newId()));
  for (const host of ['10.0.0.1', '172.16.0.1', '192.168.1.1', '127.0.0.2', '169.254.169.254', '[::1]']) {
    const config = { taskId, url: `http://${host}/hook` };
    expect([host, (await frank.fail('CreateTaskPushNotificationConfig', config)).reason]).toEqual([
      host,
      'INVALID_PARAMS',
    ]);
    const configuration = { taskPushNotificationConfig: { url: config.url } };
    const { violations } = await frank.fail('SendMessage', { ...message(newId()), configuration });
    expect(Object.keys(violations)).toEqual(['configuration.taskPushNotificationConfig.url']);
  }
});

meets(['streaming-2'], async ({ frank }) => {
  const hook = await startWebhook();
  await update(await pushed(frank, { url: hook.url }), { transition: 'decline' });
  const [first] = await hook.seen(1);
  expect(first?.body).toMatchObject({ statusUpdate: { status: { timestamp: expect.stringMatching(/Z$/) } } });
});
