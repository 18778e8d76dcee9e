import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EXTENSION_URI } from '../../../relay/contract/handoff.ts';
import type { JsonObject } from '../../../relay/contract/json.ts';
import { fieldsOf, message, reasonOf, type A2aClient } from '../../support/a2a-client.ts';
import { startRelay, type TestRelay } from '../../support/relay.ts';

let relay: TestRelay;
let alice: A2aClient;
let frank: A2aClient;
let mia: A2aClient;
let sent = 0;

beforeAll(async () => {
  relay = await startRelay();
  alice = await relay.agent('alice');
  frank = await relay.agent('frank');
  mia = await relay.agent('mia');
});
afterAll(() => relay.close());

/** A send by frank, and who got it. */
async function recipientOf(at: string, more: JsonObject = {}, params: JsonObject = {}): Promise<unknown> {
  const body = { ...message(`m${++sent}`, more), ...params };
  const answer = await frank.call('SendMessage', body, { at });
  return 'task' in answer ? ownMeta(answer.task.metadata)['recipient'] : 'a message';
}

function ownMeta(metadata: JsonObject | undefined): JsonObject {
  return metadata?.[EXTENSION_URI] as JsonObject;
}

describe('a handle in the path', () => {
  // without a redirect, which many clients do not follow: https://github.com/a2aproject/a2a-tck/pull/230
  test.each([
    '/a/alice',
    '/a/alice/',
    '/a/alice@acme',
    '/a/alice@acme/',
    '/a/alice%40acme',
    '/a/alice%40acme/',
    '/a/ALICE@Acme',
    '/a/%61lice',
    '/a2a/alice',
    '/a2a/alice/',
    '/a2a/alice%40acme',
    '/a2a/alice@acme/',
    '/a/alice?A2A-Version=1.0',
  ])('%s is alice', async (at) => {
    expect(await recipientOf(at)).toBe('alice@acme');
  });

  test.each([
    '/a/nobody',
    '/a/alice@other',
    '/a/alice:1',
    '/a/alice%2Fmia',
    '/a/alice%00',
    '/a/..%2Falice',
    '/a/alice%20',
    '/a/al%C3%ADce',
    '/a/__proto__',
    '/a/constructor',
    `/a/${'a'.repeat(10_000)}`,
    '/a2a/nobody',
  ])('%s is nobody, and nothing is sent', async (at) => {
    const before = relay.rows();
    for (const method of ['SendMessage', 'SendStreamingMessage']) {
      expect(reasonOf(await frank.fail(method, message('m'), { at }))).toBe('RECIPIENT_NOT_FOUND');
    }
    expect(relay.rows()).toEqual(before);
  });

  test.each(['/a/alice/mia', '/a', '/a/', '/b/alice', '//a/alice', '/a2a/alice/x', '/a/alice/agent-card.json'])(
    '%s is no endpoint',
    async (at) => {
      const { status, body } = await frank.rpc('SendMessage', message('m'), { at });
      expect([404, 405]).toContain(status);
      expect(JSON.parse(body)).toMatchObject({ error: { code: status, details: [{ domain: 'agentrelay.dev' }] } });
    },
  );
});

describe('at the relay-wide endpoint', () => {
  const own = (recipient: string): JsonObject => ({ metadata: { [EXTENSION_URI]: { recipient } } });

  test.each([
    ['params.recipient', {}, { recipient: 'alice' }],
    ['params.recipient in full', {}, { recipient: 'alice@acme' }],
    ['the metadata of the message', { metadata: { recipient: 'alice@acme' } }, {}],
    ['our metadata of the message', own('alice'), {}],
    ['the metadata of the params', {}, { metadata: { recipient: 'alice' } }],
    ['our metadata of the params', {}, own('alice@acme')],
    ['all of them', own('alice'), { recipient: 'alice@acme', ...own('ALICE') }],
    ['tenant', {}, { tenant: 'alice' }],
    ['tenant and params.recipient', {}, { tenant: 'alice@acme', recipient: 'alice' }],
  ] as const)('the recipient is named by %s', async (_, more, params) => {
    for (const at of ['/a2a', '/a2a/', '/']) expect(await recipientOf(at, more, params)).toBe('alice@acme');
  });

  test('one that nobody has is refused before anything is stored', async () => {
    const before = relay.rows();
    for (const params of [{ recipient: 'nobody' }, { recipient: 'alice@other' }, { tenant: 'nobody' }]) {
      const error = await frank.fail('SendMessage', { ...message('m'), ...params });
      expect(reasonOf(error)).toBe('RECIPIENT_NOT_FOUND');
      expect(error.code).toBe(-32000);
    }
    expect(relay.rows()).toEqual(before);
  });

  test('two that differ contradict each other', async () => {
    const error = await frank.fail('SendMessage', { ...message('m', own('alice')), recipient: 'mia' });
    expect(error.code).toBe(-32602);
    expect(fieldsOf(error)).toEqual(['recipient']);
  });

  test('words for nobody are answered by the guide, and kept nowhere', async () => {
    const before = relay.rows();
    const answer = await frank.call('SendMessage', message('m', { contextId: 'c-1' }));
    expect(answer).toMatchObject({ message: { role: 'ROLE_AGENT', contextId: 'c-1' } });
    expect(relay.rows()).toEqual(before);
  });

  test.each([
    ['a file', { parts: [{ raw: 'aGk=', filename: 'a.txt' }] }, {}],
    ['data', { parts: [{ text: 'see' }, { data: { a: 1 } }] }, {}],
    ['an intent', {}, { intent: 'inform' }],
  ] as const)('%s for nobody is refused', async (_, more, params) => {
    const error = await frank.fail('SendMessage', { ...message('m', more), ...params });
    expect([error.code, reasonOf(error)]).toEqual([-32602, 'RECIPIENT_REQUIRED']);
    expect(fieldsOf(error)).toEqual(['recipient']);
  });

  test.each([
    ['a transition', { transition: 'accept' }],
    ['artifacts', { artifacts: [{ artifactId: 'a', parts: [{ text: 'x' }] }] }],
    ['a chunk', { append: true }],
  ] as const)('%s without a task is refused, whoever it is for', async (_, step) => {
    for (const at of ['/a2a', '/a/alice']) {
      const error = await frank.fail('SendMessage', message('m', { metadata: { [EXTENSION_URI]: step } }), { at });
      expect([error.code, fieldsOf(error)]).toEqual([-32602, ['message.taskId']]);
    }
  });
});

describe('at an agent’s endpoint', () => {
  test('the path and what the call says of the recipient have to agree', async () => {
    const at = '/a/alice';
    expect(await recipientOf(at, {}, { recipient: 'alice', tenant: 'alice@acme' })).toBe('alice@acme');
    for (const [field, params] of [
      ['recipient', { recipient: 'mia' }],
      ['tenant', { tenant: 'mia' }],
      ['tenant', { tenant: 'nobody' }],
    ] as const) {
      const error = await frank.fail('SendMessage', { ...message('m'), ...params }, { at });
      expect([error.code, fieldsOf(error)]).toEqual([-32602, [field]]);
    }
  });

  test('and so on every method', async () => {
    const { task } = (await frank.call('SendMessage', message(`m${++sent}`), { at: '/a/alice' })) as {
      task: { id: string };
    };
    const calls: [string, JsonObject][] = [
      ['GetTask', { id: task.id }],
      ['CancelTask', { id: task.id }],
      ['SubscribeToTask', { id: task.id }],
      ['ListTasks', {}],
      ['SendStreamingMessage', message(`m${++sent}`)],
    ];
    for (const [method, params] of calls) {
      const error = await frank.fail(method, { ...params, tenant: 'mia' }, { at: '/a/alice' });
      expect([method, error.code, fieldsOf(error)]).toEqual([method, -32602, ['tenant']]);
    }
    expect(await frank.call('GetTask', { id: task.id, tenant: 'alice' })).toMatchObject({ id: task.id });
  });

  test('nobody hands work to themselves', async () => {
    const before = relay.rows();
    for (const [at, params] of [
      ['/a/frank', {}],
      ['/a2a', { recipient: 'frank' }],
    ] as const) {
      const error = await frank.fail('SendMessage', { ...message('m'), ...params }, { at });
      expect([error.code, fieldsOf(error)]).toEqual([-32602, ['recipient']]);
    }
    expect(relay.rows()).toEqual(before);
  });

  test('only what was sent to that agent is there', async () => {
    const { task } = (await frank.call('SendMessage', message(`m${++sent}`), { at: '/a/mia' })) as {
      task: { id: string };
    };
    const seenAt = async (client: A2aClient, at: string): Promise<boolean> => {
      const list = await client.call('ListTasks', { pageSize: 100 }, { at });
      const isListed = list.tasks.some(({ id }) => id === task.id);
      const got = await client.rpc('GetTask', { id: task.id }, { at });
      expect('result' in JSON.parse(got.body)).toBe(isListed);
      return isListed;
    };
    expect(await seenAt(frank, '/a/mia')).toBe(true);
    expect(await seenAt(frank, '/a2a')).toBe(true);
    expect(await seenAt(mia, '/a/mia')).toBe(true);
    expect(await seenAt(mia, '/a2a')).toBe(true);
    // frank's own door holds what others sent to frank, alice's what was sent to alice
    expect(await seenAt(frank, '/a/frank')).toBe(false);
    expect(await seenAt(frank, '/a/alice')).toBe(false);
    expect(await seenAt(mia, '/a/frank')).toBe(false);
    expect(await seenAt(alice, '/a/mia')).toBe(false);
    expect(await seenAt(alice, '/a2a')).toBe(false);
  });
});
