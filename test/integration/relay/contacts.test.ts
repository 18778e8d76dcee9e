import { describe, expect, test } from 'vitest';
import { inboxContactSchema } from '../../../relay/contract/contact.ts';
import type { JsonObject } from '../../../relay/contract/json.ts';
import { reasonOf, type A2aClient } from '../../support/a2a-client.ts';
import { befriend, contactOf, decide } from '../../support/contacts.ts';
import { frankAndAlice } from '../../support/frank-and-alice.ts';
import { openInbox } from '../../support/inbox.ts';
import { relayForTest } from '../../support/relay.ts';

/** Contacts first (docs/extension.md, Contacts): who does not know one another exchanges a line, and nothing else. */

const { relay, newId } = await frankAndAlice();
let count = 0;

/** Two who do not know one another. */
async function strangers(mode: 'ask' | 'auto' | 'closed' = 'ask') {
  const n = ++count;
  const alice = await relay.agent(`alice-${n}`, { contacts: mode });
  const frank = await relay.agent(`frank-${n}`, { contacts: 'ask' });
  return { alice, frank };
}

function message(text: string, more: JsonObject = {}): JsonObject {
  return {
    message: { messageId: newId(), role: 'ROLE_USER', parts: [{ text }], ...more },
    configuration: { returnImmediately: true },
  };
}

/** The reason for which a send is refused. */
async function refused(from: A2aClient, to: A2aClient, params = message('Please look\nat this.')) {
  return reasonOf(await from.fail('SendMessage', params, { at: `/a/${to.name}` }));
}

async function sent(from: A2aClient, to: A2aClient, params = message('Hello.')): Promise<string> {
  const answer = await from.call('SendMessage', params, { at: `/a/${to.name}` });
  if (!('task' in answer)) throw new Error('no task');
  return answer.task.id;
}

async function block(agent: A2aClient, other: A2aClient, on = true): Promise<void> {
  const answer = on
    ? await agent.http('POST', '/v1/blocks', {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ handle: other.handle }),
      })
    : await agent.http('DELETE', `/v1/blocks/${other.handle}`);
  expect(answer.status).toBe(200);
}

const tasksOf = async (agent: A2aClient) =>
  (await agent.extension('tasks/list', { filter: { role: 'recipient' } }))['tasks'];

describe('a first message', () => {
  test('stores its first line as a request, and nothing else', async () => {
    const { alice, frank } = await strangers();
    const before = relay.rows();
    expect(await refused(frank, alice, message('May I hand you the rate limiter?\nSECRET-BODY'))).toBe(
      'CONTACT_REQUESTED',
    );
    const after = relay.rows();
    expect(after).toEqual({ ...before, contact: (before['contact'] ?? 0) + 2, feed: (before['feed'] ?? 0) + 2 });
    expect(await tasksOf(alice)).toEqual([]);
    expect(await contactOf(alice, frank.handle)).toMatchObject({
      incoming: 'requested',
      outgoing: 'accepted',
      note: 'May I hand you the rate limiter?',
      name: frank.name,
      card_url: `${relay.url}/a/${frank.name}/agent-card.json`,
    });
    expect(await contactOf(frank, alice.handle)).toMatchObject({ incoming: 'accepted', outgoing: 'requested' });
  });

  test('is one request, however often it is sent, in the words of the first', async () => {
    const { alice, frank } = await strangers();
    await refused(frank, alice, message('first'));
    const rows = relay.rows();
    expect(await refused(frank, alice, message('second'))).toBe('CONTACT_REQUESTED');
    expect(relay.rows()).toEqual(rows);
    expect(await contactOf(alice, frank.handle)).toMatchObject({ note: 'first' });
  });

  test('is sent again once it is accepted, under the same id', async () => {
    const { alice, frank } = await strangers();
    const params = message('The limiter returns 500.');
    expect(await refused(frank, alice, params)).toBe('CONTACT_REQUESTED');
    expect((await decide(alice, frank.handle)).status).toBe(200);
    const id = await sent(frank, alice, params);
    expect(await sent(frank, alice, params)).toBe(id);
    expect(await tasksOf(alice)).toMatchObject([{ id }]);
  });

  test('lets the one who is asked answer with a handoff of its own', async () => {
    const { alice, frank } = await strangers();
    await refused(frank, alice);
    expect(await sent(alice, frank)).not.toBe('');
    expect(await contactOf(alice, frank.handle)).toMatchObject({ incoming: 'requested' });
  });

  test.each(['JSON-RPC', 'HTTP+JSON', '0.3', '0.1', 'streaming'] as const)('is refused over %s alike', async (way) => {
    const { alice, frank } = await strangers();
    const part = { kind: 'text', text: 'hi' };
    const old = { message: { messageId: newId(), role: 'user', kind: 'message', parts: [part] } };
    const at = `/a/${alice.name}`;
    const answer = await {
      'JSON-RPC': () => frank.rpc('SendMessage', message('hi'), { at }),
      'HTTP+JSON': () =>
        frank.http('POST', `${at}/message:send`, {
          headers: { 'content-type': 'application/json', 'a2a-version': '1.0' },
          body: JSON.stringify(message('hi')),
        }),
      '0.3': () => frank.rpc('message/send', old, { at, headers: { 'a2a-version': undefined } }),
      '0.1': () =>
        frank.rpc(
          'tasks/send',
          { id: newId(), message: { role: 'user', parts: [{ type: 'text', text: 'hi' }] } },
          {
            at,
            headers: { 'a2a-version': undefined },
          },
        ),
      streaming: () => frank.rpc('SendStreamingMessage', message('hi'), { at }),
    }[way]();
    expect(answer.body).toContain('"CONTACT_REQUESTED"');
    expect(answer.body).toContain(alice.handle);
    expect(await tasksOf(alice)).toEqual([]);
  });

  test('to everybody at once is delivered once a pair, in the mode that takes everybody', async () => {
    const { alice, frank } = await strangers('auto');
    const ids = await Promise.all(Array.from({ length: 20 }, (_, n) => sent(frank, alice, message(`no. ${n}`))));
    expect(new Set(ids).size).toBe(20);
    expect(await contactOf(alice, frank.handle)).toMatchObject({ incoming: 'accepted', outgoing: 'accepted' });
  });

  test('to somebody who takes nobody is declined, and not even noted', async () => {
    const { alice, frank } = await strangers('closed');
    const rows = relay.rows();
    expect(await refused(frank, alice)).toBe('CONTACT_DECLINED');
    expect(relay.rows()).toEqual(rows);
    expect(await contactOf(alice, frank.handle)).toBeUndefined();
  });

  test('at the same moment as it is accepted is delivered or asked for, and never lost', async () => {
    for (let n = 0; n < 10; n++) {
      const { alice, frank } = await strangers();
      const params = message('race');
      const [answer] = await Promise.all([
        frank.rpc('SendMessage', params, { at: `/a/${alice.name}` }),
        decide(alice, frank.handle),
      ]);
      if (answer.body.includes('CONTACT_REQUESTED')) await sent(frank, alice, params);
      expect(await tasksOf(alice)).toHaveLength(1);
    }
  });
});

describe('an agent’s word', () => {
  test('declined is an answer, which lasts until it says otherwise', async () => {
    const { alice, frank } = await strangers();
    await refused(frank, alice);
    await decide(alice, frank.handle, 'decline');
    expect(await refused(frank, alice)).toBe('CONTACT_DECLINED');
    expect(await contactOf(frank, alice.handle)).toMatchObject({ outgoing: 'declined' });
    expect(await contactOf(alice, frank.handle)).not.toHaveProperty('note');
    await decide(alice, frank.handle, 'accept');
    expect(await sent(frank, alice)).not.toBe('');
  });

  test('needs no request before it, and is about one direction alone', async () => {
    const { alice, frank } = await strangers();
    await decide(alice, frank.handle);
    expect(await sent(frank, alice)).not.toBe('');
    const { frank: mia } = await strangers();
    await decide(alice, mia.handle);
    expect(await refused(alice, mia)).toBe('CONTACT_REQUESTED');
  });

  test('taken back makes the other one a stranger, whose threads go on', async () => {
    const { alice, frank } = await strangers();
    await befriend(alice, frank);
    const taskId = await sent(frank, alice);
    const { status, body } = await alice.http('DELETE', `/v1/contacts/${frank.handle}`);
    expect([status, JSON.parse(body)]).toMatchObject([200, { incoming: 'none', outgoing: 'accepted' }]);
    expect(await sent(frank, alice, message('one more thing', { taskId }))).toBe(taskId);
    expect(await refused(frank, alice)).toBe('CONTACT_REQUESTED');
  });

  test.each([
    ['nobody', 'nobody-here@acme', 'RECIPIENT_NOT_FOUND'],
    ['somebody of another relay', 'frank@other', 'RECIPIENT_NOT_FOUND'],
    ['what is no handle', 'Fränk', 'INVALID_PARAMS'],
    ['a letter that only looks like one', 'fran\u212a', 'INVALID_PARAMS'],
  ])('about %s is refused', async (_who, handle, reason) => {
    const { alice } = await strangers();
    const answer = await decide(alice, handle);
    expect(answer.body).toContain(`"${reason}"`);
  });

  test('about itself is refused', async () => {
    const { alice } = await strangers();
    expect((await decide(alice, alice.handle)).body).toContain('INVALID_PARAMS');
  });

  test('is said with JSON and a key, and by nobody else', async () => {
    const { alice, frank } = await strangers();
    const body = JSON.stringify({ handle: frank.handle });
    for (const path of ['/v1/contacts', '/v1/blocks']) {
      expect((await alice.http('POST', path, { headers: { 'content-type': 'text/plain' }, body })).status).toBe(415);
      const headers = { 'content-type': 'application/json', authorization: undefined };
      expect((await alice.http('POST', path, { headers, body })).status).toBe(401);
    }
    expect(await contactOf(alice, frank.handle)).toBeUndefined();
  });
});

describe('a block', () => {
  test('is answered as a refusal, stores nothing, and is told to nobody', async () => {
    const { alice, frank } = await strangers();
    await befriend(alice, frank);
    await block(alice, frank);
    const rows = relay.rows();
    expect(await refused(frank, alice)).toBe('CONTACT_DECLINED');
    expect(relay.rows()).toEqual(rows);
    expect(await contactOf(alice, frank.handle)).toMatchObject({ blocked: true, incoming: 'accepted' });
    expect(await contactOf(frank, alice.handle)).toMatchObject({ blocked: false, outgoing: 'declined' });
  });

  test('holds in threads that are open, for words and not for a withdrawal', async () => {
    const { alice, frank } = await strangers();
    await befriend(alice, frank);
    const taskId = await sent(frank, alice);
    await block(alice, frank);
    expect(await refused(frank, alice, message('and this', { taskId }))).toBe('CONTACT_DECLINED');
    const cancelled = await frank.call('CancelTask', { id: taskId }, { at: `/a/${alice.name}` });
    expect(cancelled.status.state).toBe('TASK_STATE_CANCELED');
  });

  test('stands between an answer and who asked, too', async () => {
    const { alice, frank } = await strangers();
    await befriend(alice, frank);
    const taskId = await sent(frank, alice);
    await block(frank, alice);
    for (const step of [
      { transition: 'complete', message: 'done' },
      { transition: 'decline', reason: 'no' },
      { artifacts: [{ artifactId: 'a', parts: [{ text: 'x' }] }] },
    ]) {
      const { error } = JSON.parse(
        (await alice.rpc('tasks/update', { task_id: taskId, ...step }, { headers: { 'a2a-version': undefined } })).body,
      ) as { error: JsonObject };
      expect(JSON.stringify(error)).toContain('CONTACT_DECLINED');
    }
  });

  test('is in the way of who has set it, and says so', async () => {
    const { alice, frank } = await strangers();
    await befriend(alice, frank);
    await block(alice, frank);
    const error = await alice.fail('SendMessage', message('hi'), { at: `/a/${frank.name}` });
    expect(reasonOf(error)).toBe('CONTACT_REQUIRED');
    expect(JSON.stringify(error)).toContain('"BLOCKED"');
  });

  test('is fulfilled for what was committed before it', async () => {
    const { alice, frank } = await strangers();
    await befriend(alice, frank);
    const params = message('before');
    const id = await sent(frank, alice, params);
    await block(alice, frank);
    expect(await sent(frank, alice, params)).toBe(id);
  });

  test('once lifted leaves everything as it was', async () => {
    const { alice, frank } = await strangers();
    await befriend(alice, frank);
    await block(alice, frank);
    await block(alice, frank, false);
    expect(await sent(frank, alice)).not.toBe('');
  });

  test('is a fence: of what races it, nothing is stored that is answered later', async () => {
    const { alice, frank } = await strangers();
    await befriend(alice, frank);
    let isBlocked = false;
    const late: number[] = [];
    const sends = Array.from({ length: 40 }, async (_, n) => {
      const began = isBlocked;
      const answer = await frank.rpc('SendMessage', message(`m ${n}`), { at: `/a/${alice.name}` });
      if (began && !answer.body.includes('CONTACT_DECLINED')) late.push(n);
    });
    const blocking = block(alice, frank).then(() => {
      isBlocked = true;
    });
    await blocking;
    await Promise.all(sends);
    expect(await refused(frank, alice)).toBe('CONTACT_DECLINED');
    expect(late).toEqual([]);
  });
});

describe('the inbox stream', () => {
  test('tells both of a request and of the answer, resumable, in one order with handoffs', async () => {
    const { alice, frank } = await strangers();
    const hers = await openInbox(alice);
    const his = await openInbox(frank);
    await refused(frank, alice, message('May I?'));
    const asked = await hers.next('contact');
    expect(inboxContactSchema.parse(JSON.parse(asked.data))).toMatchObject({
      handle: frank.handle,
      incoming: 'requested',
      note: 'May I?',
    });
    expect(JSON.parse((await his.next('contact')).data)).toMatchObject({ outgoing: 'requested' });
    await decide(alice, frank.handle);
    expect(JSON.parse((await his.next('contact')).data)).toMatchObject({ handle: alice.handle, outgoing: 'accepted' });
    await sent(frank, alice);
    const { id } = await hers.handoff(({ event }) => event.kind === 'created');
    hers.destroy();
    his.destroy();
    const again = await openInbox(alice, { lastEventId: asked.id ?? '' });
    const accepted = await again.next('contact');
    expect(JSON.parse(accepted.data)).toMatchObject({ incoming: 'accepted' });
    expect((await again.handoff(({ event }) => event.kind === 'created')).id).toBe(id);
    again.destroy();
  });

  test('tells who has blocked, and not who is blocked', async () => {
    const { alice, frank } = await strangers();
    await befriend(alice, frank);
    const hers = await openInbox(alice);
    const his = await openInbox(frank);
    await block(alice, frank);
    expect(JSON.parse((await hers.next('contact')).data)).toMatchObject({ handle: frank.handle, blocked: true });
    await sent(alice, await relay.agent(`witness-${++count}`));
    await decide(alice, frank.handle, 'decline');
    expect(JSON.parse((await his.next('contact')).data)).toMatchObject({ outgoing: 'declined', blocked: false });
    expect(his.sse.raw.match(/event: contact/g)).toHaveLength(1);
    hers.destroy();
    his.destroy();
  });
});

describe('an agent that is not listed', () => {
  test('shows its cards to itself and to those whom it has accepted, and is not there for others', async () => {
    const { frank } = await strangers();
    const hidden = await relay.agent(`hidden-${++count}`, { listed: false, contacts: 'ask' });
    const seen = async (by: A2aClient | undefined, path: string) =>
      (await frank.http('GET', path, { headers: { authorization: by && `Bearer ${by.apiKey}` } })).status;
    const places = [`/a/${hidden.name}`, `/.well-known/agent-card.json?id=${hidden.handle}`];
    for (const path of places) {
      expect([await seen(undefined, path), await seen(frank, path), await seen(hidden, path)]).toEqual([404, 404, 200]);
    }
    const extended = await frank.rpc('GetExtendedAgentCard', undefined, { at: `/a/${hidden.name}` });
    expect([extended.status, extended.body]).toEqual([404, expect.stringContaining('ROUTE_NOT_FOUND')]);
    await decide(hidden, frank.handle);
    for (const path of places) expect([await seen(undefined, path), await seen(frank, path)]).toEqual([404, 200]);
    const { headers } = await frank.http('GET', `/a/${hidden.name}`);
    expect(headers['cache-control']).toMatch(/^private/);
    expect(headers['vary']).toMatch(/authorization/i);
    const found = JSON.parse((await frank.http('GET', `/v1/directory?q=${hidden.name}`)).body) as { agents: unknown[] };
    expect(found.agents).toHaveLength(1);
  });

  test('is asked by whoever knows its handle, and then sees the card of who asks', async () => {
    const hidden = await relay.agent(`hidden-${++count}`, { listed: false, contacts: 'ask' });
    const asker = await relay.agent(`asker-${count}`, { listed: false, contacts: 'ask' });
    expect(await refused(asker, hidden)).toBe('CONTACT_REQUESTED');
    expect((await hidden.http('GET', `/a/${asker.name}`)).status).toBe(200);
    expect((await asker.http('GET', `/a/${hidden.name}`)).status).toBe(404);
  });
});

test('a list has pages, in the order of the handles', async () => {
  const alice = await relay.agent(`lister-${++count}`, { contacts: 'ask' });
  const others = await Promise.all([3, 1, 2].map((n) => relay.agent(`page-${count}-${n}`)));
  for (const other of others) await decide(alice, other.handle);
  const names: string[] = [];
  let cursor = '';
  do {
    const { body } = await alice.http('GET', `/v1/contacts?limit=2&cursor=${cursor}`);
    const page = JSON.parse(body) as { contacts: { handle: string }[]; next_cursor: string };
    names.push(...page.contacts.map(({ handle }) => handle));
    cursor = page.next_cursor;
  } while (cursor !== '');
  expect(names).toEqual(others.map(({ handle }) => handle).toSorted());
  expect((await alice.http('GET', '/v1/contacts?cursor=%00')).status).toBe(400);
});

test('an agent chooses by its card what becomes of strangers', async () => {
  const { alice, frank } = await strangers();
  const put = (contacts: unknown) =>
    alice.http('PUT', '/v1/agents/me/card', {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ contacts }),
    });
  expect((await put('closed')).status).toBe(200);
  expect(await refused(frank, alice)).toBe('CONTACT_DECLINED');
  expect((await put('auto')).status).toBe(200);
  expect(await sent(frank, alice)).not.toBe('');
  expect((await put('everybody')).status).toBe(400);
});

test('who has a thousand requests that wait is asked no more, until it has decided some', async () => {
  const full = await relayForTest();
  const alice = await full.agent('alice', { contacts: 'ask' });
  const askers = await Promise.all(Array.from({ length: 1_001 }, (_, n) => full.relay.register({ handle: `a${n}` })));
  const ask = (at: number) => {
    const asker = askers[at];
    if (asker === undefined) throw new Error('nobody');
    return fetch(`${full.url}/a/alice`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${asker.apiKey}`,
        'content-type': 'application/json',
        'a2a-version': '1.0',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SendMessage', params: message(`from ${at}`) }),
    }).then((answer) => answer.text());
  };
  for (let n = 0; n < 1_000; n += 50) {
    const answers = await Promise.all(Array.from({ length: 50 }, (_, at) => ask(n + at)));
    for (const answer of answers) expect(answer).toContain('CONTACT_REQUESTED');
  }
  expect(await ask(1_000)).toContain('RATE_LIMITED');
  await decide(alice, 'a0@acme', 'decline');
  expect(await ask(1_000)).toContain('CONTACT_REQUESTED');
});
