import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../relay/contract/json.ts';
import { message, readError, reasonOf, type A2aClient } from '../../../support/a2a-client.ts';
import { startRelay, type TestRelay } from '../../../support/relay.ts';

/** Version negotiation (A2A 1.0.1 section 3.6), on every method. */

let relay: TestRelay;
let frank: A2aClient;

beforeAll(async () => {
  relay = await startRelay();
  await relay.agent('alice');
  frank = await relay.agent('frank');
});
afterAll(() => relay.close());

const at = '/a/alice';
const id = '01a22d06-0c74-728d-b94d-edaf775ead4d';

/** Every method of A2A 1.0, and what it answers to a caller who is understood: an error's code, or a result. */
const METHODS: readonly (readonly [method: string, params: JsonObject, code: number | undefined])[] = [
  ['SendMessage', message('m'), undefined],
  ['GetTask', { id }, -32001],
  ['ListTasks', {}, undefined],
  ['CancelTask', { id }, -32001],
  ['SubscribeToTask', { id }, -32001],
  ['SendStreamingMessage', { message: {} }, -32602],
  ['CreateTaskPushNotificationConfig', { taskId: id, url: 'https://example.com' }, -32001],
  ['GetTaskPushNotificationConfig', { taskId: id, id: 'c' }, -32001],
  ['ListTaskPushNotificationConfigs', { taskId: id }, -32001],
  ['DeleteTaskPushNotificationConfig', { taskId: id, id: 'c' }, -32001],
  ['GetExtendedAgentCard', {}, undefined],
];

async function codeOf(method: string, params: JsonObject, headers: Record<string, string | undefined>, path = at) {
  const { body } = await frank.rpc(method, params, { at: path, headers });
  return (JSON.parse(body) as { error?: { code: number } }).error?.code;
}

// https://github.com/a2aproject/a2a-python/issues/856
describe.each(METHODS)('%s', (method, params, code) => {
  test.each(['1.0', '1.0.1', '1.0.0-rc.1', ' 1.0 '])('is served under A2A-Version "%s"', async (version) => {
    expect(await codeOf(method, params, { 'a2a-version': version })).toBe(code);
  });

  test('is served when the version is in the query', async () => {
    const path = `${at}?A2A-Version=1.0`;
    expect(await codeOf(method, params, { 'a2a-version': undefined }, path)).toBe(code);
    expect(await codeOf(method, params, { 'a2a-version': '' }, path)).toBe(code);
  });

  test.each([
    undefined,
    '',
    '0.3',
    '0.3.0',
    '99.0',
    '2.0',
    '1',
    '1.1',
    '10.0',
    '1.00',
    'v1.0',
    '1.0, 1.0',
    '1.0;q=1',
    'latest',
  ])('is refused under A2A-Version "%s"', async (version) => {
    const before = relay.rows();
    const answer = await frank.rpc(method, params, { at, headers: { 'a2a-version': version } });
    const error = readError(answer);
    expect([error.code, reasonOf(error)]).toEqual([-32009, 'VERSION_NOT_SUPPORTED']);
    expect(error.message).toContain('A2A-Version: 1.0');
    expect(relay.rows()).toEqual(before);
  });

  test('is refused under another version, whatever the query says', async () => {
    expect(await codeOf(method, params, { 'a2a-version': '99.0' }, `${at}?A2A-Version=1.0`)).toBe(-32009);
    expect(await codeOf(method, params, { 'a2a-version': undefined }, `${at}?A2A-Version=99.0`)).toBe(-32009);
    // two versions are none
    expect(await codeOf(method, params, { 'a2a-version': undefined }, `${at}?A2A-Version=1.0&A2A-Version=1.0`)).toBe(
      -32009,
    );
  });
});

test.each([
  'message/send',
  'tasks/get',
  'sendMessage',
  'send_message',
  'SendMessage ',
  'Nothing',
  '__proto__',
  'constructor',
  'é',
])('a method that 1.0 does not have is not found: "%s"', async (method) => {
  const error = await frank.fail(method, message('m'), { at });
  expect([error.code, reasonOf(error)]).toEqual([-32601, 'METHOD_NOT_FOUND']);
});

test.each(['tasks/list', 'tasks/update'])(
  '%s of our extension answers under any version that exists',
  async (method) => {
    const expected = method === 'tasks/list' ? undefined : -32602;
    for (const version of ['1.0', '0.3', '', undefined]) {
      expect(await codeOf(method, {}, { 'a2a-version': version })).toBe(expected);
    }
    expect(await codeOf(method, {}, { 'a2a-version': '99.0' })).toBe(-32009);
  },
);

test('a relay that is told to be lenient serves a 1.0 method without a version', async () => {
  const lenient = await startRelay({ lenientVersion: true });
  try {
    const mia = await lenient.agent('mia');
    expect(await mia.call('ListTasks', {}, { headers: { 'a2a-version': undefined } })).toMatchObject({ tasks: [] });
    expect(await mia.call('ListTasks', {}, { headers: { 'a2a-version': '' } })).toMatchObject({ tasks: [] });
    // a version that is named is meant
    expect((await mia.fail('ListTasks', {}, { headers: { 'a2a-version': '0.3' } })).code).toBe(-32009);
  } finally {
    await lenient.close();
  }
});
