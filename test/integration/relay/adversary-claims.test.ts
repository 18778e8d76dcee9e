import { describe, expect, test } from 'vitest';
import { EXTENSION_URI } from '../../../relay/contract/handoff.ts';
import type { JsonObject } from '../../../relay/contract/json.ts';
import { message, reasonOf, type A2aClient } from '../../support/a2a-client.ts';
import { frankAndAlice } from '../../support/frank-and-alice.ts';
import { RawConnection, rawRequest } from '../../support/raw-connection.ts';

/** Who somebody is comes from the key alone: whatever a request says of itself besides decides nothing. */

const { relay, frank, alice, newId, send, update } = await frankAndAlice({ registration: 'open' });
const mia = await relay.agent('mia', { kind: 'a2a' });

interface Thread {
  readonly events: readonly { readonly kind: string; readonly actor: string; readonly author?: string }[];
}
const threadOf = async (client: A2aClient, id: string): Promise<Thread> =>
  JSON.parse((await client.http('GET', `/v1/tasks/${id}/events`)).body) as Thread;

/** The sender and the recipient of a task, as the relay names them to a client. */
async function partiesOf(client: A2aClient, id: string): Promise<readonly unknown[]> {
  const { metadata } = await client.call('GetTask', { id });
  const own = metadata?.[EXTENSION_URI];
  return typeof own === 'object' && own !== null && 'sender' in own ? [own['sender'], own['recipient']] : [];
}

const M = (own: JsonObject): JsonObject => ({ metadata: { [EXTENSION_URI]: own } });

/** Mia says that she is frank, in each way that a protocol or a program has ever had for that. */
const CLAIMS: readonly (readonly [string, JsonObject, JsonObject])[] = [
  ['a member "from"', { from: 'frank@acme' }, { from: 'frank@acme' }],
  ['a member "sender"', { sender: { handle: 'frank', id: 1 } }, { sender: 'frank@acme' }],
  ['the metadata', { metadata: { from: 'frank@acme', sender: 'frank', author: 'human', userId: 1 } }, {}],
  ['our own metadata', M({ from: 'frank@acme', sender: 'frank@acme', author: 'human' }), {}],
  ['the role of the other side', { role: 'ROLE_AGENT' }, {}],
  ['the name of the author', M({ author: 'claude-code' }), {}],
  ['receipts of its own', M({ receipts: { recipient: 'acked' }, live: { state: 'active' } }), {}],
  ['the metadata of the request', {}, { metadata: { principal: 'frank', agent: 'frank@acme', admin: true } }],
];

describe('a sender who claims to be somebody else', () => {
  test.each(CLAIMS)('by %s is who it is', async (_, inMessage, inParams) => {
    const task = await send(
      { ...message(newId(), inMessage), ...inParams, configuration: { returnImmediately: true } },
      mia,
    );
    const { events } = await threadOf(alice, task.id);
    expect(events.map(({ kind, actor, author }) => [kind, actor, author])).toEqual([['created', 'sender', 'a2a']]);
    expect(await partiesOf(alice, task.id)).toEqual(['mia@acme', 'alice@acme']);
    // frank has no part in it
    expect((await frank.fail('GetTask', { id: task.id })).code).toBe(-32001);
    expect((await frank.call('ListTasks', {})).tasks.map(({ id }) => id)).not.toContain(task.id);
    const read = JSON.stringify(await alice.call('GetTask', { id: task.id }));
    expect(read).not.toMatch(/"(?:recipient)":"acked"|"state":"active"/);
  });

  test.each([
    ['x-forwarded-user', 'frank'],
    ['x-forwarded-for', '127.0.0.1'],
    ['x-real-ip', '127.0.0.1'],
    ['x-remote-user', 'frank@acme'],
    ['remote-user', 'frank'],
    ['x-agent', 'frank@acme'],
    ['from', 'frank@acme'],
    ['x-api-key', 'KEY'],
    ['cookie', 'key=KEY; session=KEY'],
    ['proxy-authorization', 'Bearer KEY'],
    ['x-original-url', '/a/frank'],
    ['x-rewrite-url', '/admin/agents'],
    ['x-http-method-override', 'DELETE'],
  ])('by the header %s is who it is, and without a key nobody', async (name, value) => {
    const headers = { [name]: value.replace('KEY', frank.apiKey) };
    const params = { ...message(newId()), configuration: { returnImmediately: true } };
    const answer = await mia.rpc('SendMessage', params, { at: '/a/alice', headers });
    expect(answer.status).toBe(200);
    const { result } = JSON.parse(answer.body) as { result: { task: { id: string } } };
    expect(await partiesOf(alice, result.task.id)).toEqual(['mia@acme', 'alice@acme']);
    const nobody = await mia.rpc('ListTasks', {}, { headers: { ...headers, authorization: undefined } });
    expect(nobody.status).toBe(401);
  });

  test('with two keys is refused, or is the first: never a mixture', async () => {
    const before = relay.rows();
    const host = `127.0.0.1:${relay.port}`;
    for (const value of [
      `Bearer ${mia.apiKey}, Bearer ${frank.apiKey}`,
      `Bearer ${mia.apiKey} ${frank.apiKey}`,
      `Bearer  ${mia.apiKey}${frank.apiKey}`,
      `Basic ${frank.apiKey}`,
      `Bearer ${frank.apiKey.toUpperCase()}`,
      `Bearer ${frank.apiKey.slice(0, -1)}`,
      'Bearer ',
      'Bearer null',
      `bearer\t${frank.apiKey}x`,
    ]) {
      const connection = await RawConnection.open(relay.port);
      connection.write(rawRequest('GET', '/v1/keys', { host, authorization: value }));
      expect([value.length, (await connection.answer())?.status]).toEqual([value.length, 401]);
      connection.destroy();
    }
    const connection = await RawConnection.open(relay.port);
    connection.write(
      `GET /v1/keys HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${mia.apiKey}\r\nAuthorization: Bearer ${frank.apiKey}\r\n\r\n`,
    );
    const { status = 0, body = '' } = (await connection.answer()) ?? {};
    const own = (await mia.http('GET', '/v1/keys')).body;
    expect([200, 400, 401]).toContain(status);
    if (status === 200) expect(keyIds(body)).toEqual(keyIds(own));
    connection.destroy();
    expect(relay.rows()).toEqual(before);
  });
});

/** The keys in a list, by their ids: the times of their last use go on. */
function keyIds(text: string): readonly string[] {
  return (JSON.parse(text) as { keys: { id: string }[] }).keys.map(({ id }) => id);
}

describe('a sender who claims to be the recipient', () => {
  test.each(['accept', 'ask', 'complete', 'fail', 'decline', 'take_over', 'reply_only'])(
    'may not %s its own handoff',
    async (transition) => {
      const { id } = await send({ ...message(newId()), configuration: { returnImmediately: true } });
      const before = relay.rows();
      for (const claim of [{}, { role: 'recipient' }, { as: 'alice' }, { author: 'human', from: 'alice@acme' }]) {
        const params = { task_id: id, transition, session_id: 's', reason: 'r', message: 'x', ...claim };
        const error = await frank.fail('tasks/update', params);
        expect(error.code).toBeLessThan(0);
      }
      const asAgent = message(newId(), {
        taskId: id,
        role: 'ROLE_AGENT',
        ...M({ transition, session_id: 's', reason: 'r' }),
      });
      expect((await frank.rpc('SendMessage', asAgent)).body).toContain('"error"');
      expect(relay.rows()).toEqual(before);
      expect((await alice.call('GetTask', { id })).status.state).toBe('TASK_STATE_SUBMITTED');
    },
  );

  test('and the recipient, whatever role it writes under, is the recipient', async () => {
    const { id } = await send({ ...message(newId()), configuration: { returnImmediately: true } });
    await update(id, { transition: 'accept', session_id: 's' });
    await alice.call('SendMessage', {
      ...message(newId(), { taskId: id, role: 'ROLE_USER', metadata: { from: 'frank@acme' } }),
      configuration: { returnImmediately: true },
    });
    const { events } = await threadOf(frank, id);
    expect(events.at(-1)?.actor).toBe('recipient');
  });
});

/** Names that a person, or a program that tidies Unicode, takes for "alice". */
const LOOK_ALIKES: readonly string[] = [
  '\u0430lice',
  'al\u0456ce',
  'alic\u0435',
  '\uff41\uff4c\uff49\uff43\uff45',
  '\u{1d41a}lice',
  '\u24d0lice',
  'al\u0131ce',
  'ali\u200bce',
  'alice\u200d',
  '\ufeffalice',
  'alice\u00ad',
  '\u202ealice',
  'a\u0301lice',
  '\u00e1lice',
  'alice\u0000',
  'alice ',
  ' alice',
  'alice\n',
  'alice@acme\u0430',
  'alice@\uff41cme',
  'alice\uff20acme',
  'alice@acme@acme',
  '@alice',
  'alice@',
  'alice/',
  'alice.',
  '-alice',
  'alice%40acme',
];

describe('a handle that looks like another', () => {
  test.each(LOOK_ALIKES)('%j is nobody’s, and reaches nobody', async (handle) => {
    const before = relay.rows();
    const params = message(newId());
    for (const answer of [
      await frank.rpc('SendMessage', { ...params, recipient: handle }),
      await frank.rpc('SendMessage', { ...message(newId(), { metadata: { recipient: handle } }) }),
      await frank.rpc('SendMessage', { ...params, tenant: handle }),
      await frank.rpc('SendMessage', params, { at: `/a/${encodeURIComponent(handle)}` }),
    ]) {
      expect([handle, answer.body]).toEqual([handle, expect.stringMatching(/"error"/)]);
      expect(answer.body).not.toContain('"task"');
    }
    const card = await frank.http('GET', `/a/${encodeURIComponent(handle)}`);
    expect([handle, card.status]).toEqual([handle, 404]);
    expect(relay.rows()).toEqual(before);
  });

  test.each(LOOK_ALIKES)('%j cannot be registered', async (handle) => {
    const before = relay.rows();
    const answer = await frank.http('POST', '/v1/register', {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ handle }),
    });
    // of many that are tried from one address no more is said
    expect([handle, answer.status]).toEqual([
      handle,
      expect.toSatisfy((status) => [400, 429].includes(Number(status))),
    ]);
    expect(relay.rows()).toEqual(before);
  });

  test.each(['ALICE', 'Alice', 'aLiCe@ACME'])('%s is alice: in ASCII, case is no difference', async (handle) => {
    const params = { ...message(newId()), recipient: handle, configuration: { returnImmediately: true } };
    const sent = await frank.call('SendMessage', params);
    if (!('task' in sent)) throw new Error('no task');
    expect(await partiesOf(alice, sent.task.id)).toEqual(['frank@acme', 'alice@acme']);
  });

  test('the Kelvin sign makes no "k", nor a long s an "s", of somebody’s name', async () => {
    await relay.agent('kess');
    for (const handle of ['\u212aess', 'ke\u017f\u017f', 'KE\u1e9e']) {
      const error = await frank.fail('SendMessage', { ...message(newId()), recipient: handle });
      expect([handle, reasonOf(error)]).toEqual([handle, expect.stringMatching(/RECIPIENT_NOT_FOUND|INVALID_PARAMS/)]);
    }
  });

  test('a display name may be anything, and is never an address', async () => {
    const impostor = await relay.agent('impostor', { displayName: 'alice@acme' });
    const { id } = await send({ ...message(newId()), configuration: { returnImmediately: true } }, impostor);
    expect(await partiesOf(alice, id)).toEqual(['impostor@acme', 'alice@acme']);
    const error = await frank.fail('SendMessage', { ...message(newId()), recipient: 'Alice@Acme Alice' });
    expect(error.code).toBeLessThan(0);
  });
});
