import { expect } from 'vitest';
import { EXTENSION_URI } from '../../../../relay/contract/handoff.ts';
import type { JsonObject } from '../../../../relay/contract/json.ts';
import { message } from '../../../support/a2a-client.ts';
import { BoundClient, type Binding, type Failure } from '../../../support/bound-client.ts';
import { METHODS, type Method } from '../../../support/http-call.ts';
import { frankAndAlice } from '../../../support/frank-and-alice.ts';
import { requirementsOn, type Bound } from './meets.ts';

/** Requirements on errors and on who may do what (A2A 1.0.1 sections 3.3.2, 5.4, 7.4, 9.5, 11.6 and 13.1). */

const place = await frankAndAlice({ webhookAllow: ['127.0.0.1'] });
const { relay, newId, update } = place;
const { meets, meetsOver } = requirementsOn(place);

const NEEDED = 'https://acme.example/ext/needed/v2';
const strict = await relay.agent('strict');
await strict.http('PUT', '/v1/agents/me/card', {
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ extensions: [{ uri: NEEDED, required: true }] }),
});

/** Params that fit every method, so that whether it is refused does not hang on them. */
const params = (id: string): Record<Method, JsonObject> => ({
  SendMessage: message(newId(), { taskId: id }),
  SendStreamingMessage: message(newId(), { taskId: id }),
  GetTask: { id },
  ListTasks: {},
  CancelTask: { id },
  SubscribeToTask: { id },
  CreateTaskPushNotificationConfig: { taskId: id, url: 'http://127.0.0.1:9/hook' },
  GetTaskPushNotificationConfig: { taskId: id, id: 'c' },
  ListTaskPushNotificationConfigs: { taskId: id },
  DeleteTaskPushNotificationConfig: { taskId: id, id: 'c' },
  GetExtendedAgentCard: {},
});
const ON_A_TASK = METHODS.filter((method) => method !== 'ListTasks' && method !== 'GetExtendedAgentCard');

/** A failure of each kind that A2A has and the relay knows. */
async function failures({ frank }: Bound): Promise<readonly Failure[]> {
  const { id: declined } = await frank.send(message(newId()));
  await update(declined, { transition: 'decline' });
  return [
    await frank.fail('GetTask', { id: 'nothing' }),
    await frank.fail('CancelTask', { id: declined }),
    await frank.fail('SubscribeToTask', { id: declined }),
    await frank.fail('SendMessage', message(newId()), { at: '/a/strict' }),
    await frank.fail('ListTasks', {}, { headers: { 'a2a-version': '2.0' } }),
  ];
}

const TABLE: Readonly<Record<Binding, readonly (readonly [reason: string, code: number])[]>> = {
  'JSON-RPC': [
    ['TASK_NOT_FOUND', -32001],
    ['TASK_NOT_CANCELABLE', -32002],
    ['UNSUPPORTED_OPERATION', -32004],
    ['EXTENSION_SUPPORT_REQUIRED', -32008],
    ['VERSION_NOT_SUPPORTED', -32009],
  ],
  'HTTP+JSON': [
    ['TASK_NOT_FOUND', 404],
    ['TASK_NOT_CANCELABLE', 400],
    ['UNSUPPORTED_OPERATION', 400],
    ['EXTENSION_SUPPORT_REQUIRED', 400],
    ['VERSION_NOT_SUPPORTED', 400],
  ],
};

meets(['5.4-1', '3.3.2-18', '5.1-3'], async (by) => {
  expect((await failures(by)).map(({ reason, code }) => [reason, code])).toEqual(TABLE[by.binding]);
});

meets(['3.3.2-1', '3.3.2-15'], async (by) => {
  for (const { message: words } of await failures(by)) expect(words).toMatch(/^[A-Z].{20,}\.$/);
  const { message: version } = await by.frank.fail('ListTasks', {}, { headers: { 'a2a-version': '2.0' } });
  expect(version).toContain('A2A-Version: 1.0');
});

meetsOver('JSON-RPC', ['9.5-2', '9.5-3', '3.3.2-16', '3.3.2-17'], async ({ frank }) => {
  const { body } = await frank.answer('SendMessage', { message: {} });
  const { error } = JSON.parse(body) as { error: { data: object[] } };
  expect(error.data.map((detail) => ('@type' in detail ? detail['@type'] : ''))).toEqual([
    'type.googleapis.com/google.rpc.BadRequest',
    'type.googleapis.com/google.rpc.ErrorInfo',
  ]);
});

meetsOver('HTTP+JSON', ['11.6-1', '11.6-2', '11.6-4'], async ({ frank }) => {
  const { status, body } = await frank.answer('SendMessage', { message: {} });
  expect([status, JSON.parse(body)]).toEqual([
    400,
    {
      error: {
        code: 400,
        status: 'INVALID_ARGUMENT',
        message: expect.any(String),
        details: [
          {
            '@type': 'type.googleapis.com/google.rpc.BadRequest',
            fieldViolations: expect.arrayContaining([{ field: 'message.parts', description: expect.any(String) }]),
          },
          expect.objectContaining({ '@type': 'type.googleapis.com/google.rpc.ErrorInfo' }),
        ],
      },
    },
  ]);
});

meetsOver('HTTP+JSON', ['11.6-3'], async ({ frank }) => {
  const { status, body } = await frank.answer('GetTask', { id: 'nothing' });
  expect([status, JSON.parse(body)]).toMatchObject([
    404,
    {
      error: {
        code: 404,
        status: 'NOT_FOUND',
        details: [
          {
            '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
            reason: 'TASK_NOT_FOUND',
            domain: 'a2a-protocol.org',
            metadata: { taskId: 'nothing' },
          },
        ],
      },
    },
  ]);
});

meets(['3.3.2-2', '7.4-1', '13.1-2', '14.1.1-5', '7.4-2'], async ({ frank }) => {
  const { id } = await frank.send(message(newId()));
  const before = relay.rows();
  for (const authorization of [undefined, 'Basic eDp5', `Bearer ar_${'A'.repeat(43)}`]) {
    for (const method of METHODS) {
      const answer = await frank.answer(method, params(id)[method], { headers: { authorization } });
      const { reason } = frank.failure(answer);
      expect([method, answer.status, reason]).toEqual([method, 401, 'UNAUTHENTICATED']);
    }
  }
  expect(relay.rows()).toEqual(before);
});

meets(['3.3.2-3', '3.3.2-4', '7.4-3'], async ({ frank }) => {
  const answer = await frank.answer('ListTasks', {}, { headers: { authorization: undefined } });
  expect(answer.headers['www-authenticate']).toMatch(/^Bearer\b/);
  expect(frank.failure(answer).message).toContain('Authorization: Bearer');
});

meets(['5.1-4'], async ({ frank }) => {
  const { body } = await frank.client.http('GET', '/a/alice', { headers: { 'a2a-version': '1.0' } });
  const card = JSON.parse(body) as { securitySchemes: object; securityRequirements: object[] };
  expect(card.securityRequirements).toEqual([{ schemes: { bearer: { list: [] } } }]);
  expect(card.securitySchemes).toMatchObject({ bearer: { httpAuthSecurityScheme: { scheme: 'Bearer' } } });
  const headers = { authorization: `bearer ${frank.client.apiKey}` };
  expect((await frank.answer('ListTasks', {}, { headers })).status).toBe(200);
});

meets(['3.3.2-5', '3.3.2-6'], async ({ frank, binding }) => {
  const { id: taskId } = await frank.send(message(newId()));
  const step = message(newId(), { taskId, metadata: { [EXTENSION_URI]: { transition: 'accept' } } });
  const { reason, code, metadata } = await frank.fail('SendMessage', step);
  expect([reason, metadata['allowed']]).toEqual(['TRANSITION_NOT_ALLOWED', 'recipient']);
  expect(code).toBe(binding === 'HTTP+JSON' ? 403 : -32000);
});

meets(['3.3.2-7', '3.3.2-11', '3.3.2-12', '13.1-1', '13.1-4', '13.1-5', '13.1-6'], async ({ frank, binding }) => {
  const mia = new BoundClient(binding, await relay.agent(newId()));
  const { id } = await frank.send(message(newId()));
  await frank.call('CreateTaskPushNotificationConfig', { taskId: id, id: 'c', url: 'http://127.0.0.1:9/hook' });
  const before = relay.rows();
  const [theirs, none] = [params(id), params(`${id.slice(0, -4)}0000`)];
  for (const method of ON_A_TASK) {
    const { metadata, ...notYours } = await mia.fail(method, theirs[method]);
    const { metadata: _other, ...notThere } = await mia.fail(method, none[method]);
    expect([method, notYours, metadata]).toEqual([method, notThere, { taskId: id }]);
    expect(notYours.reason).toBe('TASK_NOT_FOUND');
  }
  expect(relay.rows()).toEqual(before);
});

meets(['3.3.2-8', '13.4-5', '14.1.1-2', '5.7-2'], async ({ frank }) => {
  const { id: taskId } = await frank.send(message(newId()));
  const before = relay.rows();
  const parts = [{ text: 'x' }];
  const wrong: readonly (readonly [Method, JsonObject])[] = [
    ['SendMessage', {}],
    ['SendMessage', { message: { role: 'ROLE_USER', parts } }],
    ['SendMessage', { message: { messageId: newId(), parts } }],
    ['SendMessage', { message: { messageId: newId(), role: 'ROLE_USER' } }],
    ['SendMessage', { message: { messageId: newId(), role: 'user', parts } }],
    ['SendMessage', { message: { messageId: newId(), role: 'ROLE_USER', parts: [{ text: 7 }] } }],
    ['SendStreamingMessage', { message: { messageId: newId(), role: 'ROLE_USER', parts: [] } }],
    ['ListTasks', { pageSize: 101 }],
    ['CreateTaskPushNotificationConfig', { taskId }],
    ['ListTaskPushNotificationConfigs', { taskId, pageSize: 0 }],
  ];
  for (const [method, value] of wrong) {
    const { reason, violations } = await frank.fail(method, value);
    expect([method, value, reason]).toEqual([method, value, 'INVALID_PARAMS']);
    expect(Object.keys(violations)).not.toEqual([]);
  }
  expect(relay.rows()).toEqual(before);
});

meets(['3.3.2-9', '3.3.2-10'], async ({ frank }) => {
  const query = { pageSize: 150, historyLength: -5, status: 'TASK_STATE_RUNNING' };
  expect((await frank.fail('ListTasks', query)).violations).toEqual({
    pageSize: expect.stringContaining('100'),
    historyLength: expect.stringContaining('0'),
    status: expect.stringContaining('TASK_STATE_WORKING'),
  });
});

meets(['3.3.4-5', '4.6.3-4'], async ({ frank }) => {
  const at = '/a/strict';
  for (const asked of [undefined, 'urn:other', NEEDED.replace('v2', 'v1')]) {
    for (const method of ['SendMessage', 'SendStreamingMessage'] as const) {
      const headers = { 'a2a-extensions': asked };
      const { reason, metadata } = await frank.fail(method, message(newId()), { at, headers });
      expect([reason, metadata['extensions']]).toEqual(['EXTENSION_SUPPORT_REQUIRED', NEEDED]);
    }
  }
  const headers = { 'a2a-extensions': NEEDED };
  expect(await frank.send(message(newId()), { at, headers })).toHaveProperty('id');
});
