import { describe, expect, onTestFinished, test } from 'vitest';
import type { JsonObject } from '../../../relay/contract/json.ts';
import { A2aClient, reasonOf } from '../../support/a2a-client.ts';
import { BINDINGS, BoundClient } from '../../support/bound-client.ts';
import { contactOf } from '../../support/contacts.ts';
import { handedOn, handOn, viewOf } from '../../support/handing-on.ts';
import { openInbox } from '../../support/inbox.ts';
import { narrowed } from '../../support/keys.ts';
import { relayForTest, type TestRelay } from '../../support/relay.ts';
import { auditStore } from '../../support/store-audit.ts';

/** Frank and alice have desks; mia, priya and ext-bot are plain agents of A2A. */
async function people() {
  const relay = await relayForTest();
  const plain = { kind: 'a2a' } as const;
  const [frank, alice] = [await relay.agent('frank'), await relay.agent('alice')];
  const [mia, priya] = [await relay.agent('mia', plain), await relay.agent('priya', plain)];
  return { relay, frank, alice, mia, priya, bot: await relay.agent('ext-bot', plain) };
}

/** Hands work along a way, each time by what came before. The last task. */
async function along(...way: readonly A2aClient[]): Promise<string> {
  let last: string | undefined;
  for (const [index, to] of way.entries()) {
    const from = way[index - 1];
    if (from !== undefined) last = (await handedOn(from, to, last === undefined ? {} : { follows: [last] })).id;
  }
  if (last === undefined) throw new Error('no way');
  return last;
}

async function tasks(relay: TestRelay): Promise<number | undefined> {
  return relay.rows()['task'];
}

describe('a storm of three agents that hand on whatever comes', () => {
  test('stops by itself after five handoffs, with nothing lost', async () => {
    const { relay, mia, priya, bot } = await people();
    const next = new Map([
      [mia, priya],
      [priya, bot],
      [bot, mia],
    ]);
    const stopped = Promise.withResolvers<readonly [A2aClient, unknown]>();
    for (const [agent, to] of next) {
      const inbox = await openInbox(agent);
      onTestFinished(() => inbox.destroy());
      void (async () => {
        for (;;) {
          const { task_id: id } = await inbox.handoff(
            ({ handoff, event }) => handoff.role === 'recipient' && event.kind === 'created',
          );
          const answer = await agent.rpc('SendMessage', handOn(to, { follows: [id] }));
          const { error } = JSON.parse(answer.body) as { error?: unknown };
          if (error !== undefined) stopped.resolve([agent, error]);
        }
      })().catch(stopped.reject);
    }
    const first = await handedOn(mia, priya);
    const [last, error] = await stopped.promise;
    expect(last).toBe(bot);
    expect(error).toMatchObject({
      code: -32000,
      message: expect.stringMatching(/Nothing was stored\. A person has to look at it/),
      data: [{ reason: 'LOOP_STOPPED', metadata: { hops: '6' } }],
    });
    expect(await tasks(relay)).toBe(5);
    // what was handed on is there, for everyone to finish
    const { tasks: open } = await mia.call('ListTasks', {});
    expect(open.map((task) => [viewOf(task).role, viewOf(task).hops])).toEqual([
      ['sender', 4],
      ['recipient', 3],
      ['sender', undefined],
    ]);
    expect(open.at(-1)?.id).toBe(first.id);
    expect(auditStore(`${relay.dataDir}/relay.db`)).toEqual([]);
  });

  test('of two is over after three, and a question back is let through', async () => {
    const { mia, priya, bot } = await people();
    expect(await along(mia, priya, bot, mia)).toEqual(expect.any(String));
    const last = await along(mia, priya, mia, priya);
    expect(reasonOf(await priya.fail('SendMessage', handOn(mia, { follows: [last] })))).toBe('LOOP_STOPPED');
    // to somebody else it may go
    expect(viewOf(await handedOn(priya, bot, { follows: [last] })).hops).toBe(4);
  });
});

describe('a person', () => {
  test.each(['human', 'cli'] as const)('(%s) sends it on, and it begins anew', async (author) => {
    const { relay, frank, alice } = await people();
    const last = await along(frank, alice, frank, alice);
    const how = { follows: [last], messageId: 'the same' };
    const before = await tasks(relay);
    // twice: who is refused has used up no id
    for (const by of ['codex', 'claude-code'] as const) {
      const refused = await alice.fail('SendMessage', handOn(frank, { ...how, author: by }));
      expect(reasonOf(refused)).toBe('LOOP_STOPPED');
    }
    expect(await tasks(relay)).toBe(before);
    const sent = await handedOn(alice, frank, { ...how, author });
    expect(viewOf(sent)).not.toHaveProperty('hops');
    // and from there an agent may go on again
    expect(viewOf(await handedOn(frank, alice, { follows: [sent.id], author: 'codex' })).hops).toBe(2);
    // who repeats what was sent is answered as the first time, whoever it is
    expect((await handedOn(alice, frank, { ...how, author: 'codex' })).id).toBe(sent.id);
  });

  test('is believed from a desk alone', async () => {
    const { mia, priya } = await people();
    const last = await along(mia, priya, mia, priya);
    const refused = await priya.fail('SendMessage', handOn(mia, { follows: [last], author: 'human' }));
    expect(reasonOf(refused)).toBe('LOOP_STOPPED');
  });
});

describe('what counts', () => {
  test('is what the sender is a party to: other ids count for nothing, and are answered alike', async () => {
    const { mia, priya, bot, frank } = await people();
    const theirs = await along(mia, priya, mia, priya);
    for (const follows of [[theirs], ['nothing'], ['nothing', theirs]]) {
      const task = await handedOn(bot, frank, { follows });
      expect(viewOf(task)).not.toHaveProperty('hops');
      expect(task.history?.[0]?.referenceTaskIds).toEqual(follows);
    }
  });

  test('is the longest chain, whatever is named besides, and whatever a message says of itself', async () => {
    const { mia, priya, bot } = await people();
    const short = await along(bot, priya);
    const long = await along(mia, priya, mia, priya);
    for (const follows of [
      [long, short],
      [short, long, 'nothing'],
    ]) {
      expect(viewOf(await handedOn(priya, bot, { follows })).hops).toBe(4);
      expect(reasonOf(await priya.fail('SendMessage', handOn(mia, { follows })))).toBe('LOOP_STOPPED');
    }
    const claimed = handOn(bot, { follows: [long] });
    const { message } = claimed as { message: { metadata: Record<string, JsonObject> } };
    for (const own of Object.values(message.metadata)) Object.assign(own, { hops: 1, chain: null });
    const answer = await priya.call('SendMessage', claimed);
    expect('task' in answer && viewOf(answer.task).hops).toBe(4);
    expect(JSON.stringify(answer)).not.toContain('"hops":1,');
  });

  test('is no handoff that its sender gives again', async () => {
    const { mia, priya } = await people();
    let last = await along(mia, priya, mia, priya);
    for (const _time of [1, 2, 3]) {
      await priya.extension('tasks/update', { task_id: last, transition: 'decline', reason: 'busy' });
      const { status, body } = await mia.http('POST', `/v1/tasks/${last}/redeliver`);
      expect(status).toBe(200);
      last = (JSON.parse(body) as { task_id: string }).task_id;
      expect(viewOf(await priya.call('GetTask', { id: last })).hops).toBe(3);
    }
    // and it is still where it was
    expect(reasonOf(await priya.fail('SendMessage', handOn(mia, { follows: [last] })))).toBe('LOOP_STOPPED');
  });

  test('is the same with a key that shows less, at another endpoint, and after the relay has started anew', async () => {
    const { relay, mia, priya } = await people();
    const last = await along(mia, priya, mia, priya);
    const how = handOn(mia, { follows: [last] });
    const sending = await narrowed(priya, ['send']);
    expect(reasonOf(await sending.fail('SendMessage', how))).toBe('LOOP_STOPPED');
    expect(reasonOf(await priya.fail('SendMessage', how, { at: '/a/mia' }))).toBe('LOOP_STOPPED');
    await relay.relay.close();
    const { url } = await relayForTest({ dataDir: relay.dataDir });
    const later = new A2aClient({ url, apiKey: priya.apiKey });
    expect(reasonOf(await later.fail('SendMessage', how))).toBe('LOOP_STOPPED');
  });
});

describe('what is stopped', () => {
  test('asks nobody to be a contact', async () => {
    const { relay, mia, priya } = await people();
    let last = await along(mia, priya);
    for (let hops = 2; hops <= 16; hops += 1) last = (await handedOn(mia, priya, { follows: [last] })).id;
    const stranger = await relay.agent('zoe', { contacts: 'ask' });
    expect(reasonOf(await mia.fail('SendMessage', handOn(stranger, { follows: [last] })))).toBe('LOOP_STOPPED');
    expect(await contactOf(stranger, mia.handle)).toBeUndefined();
    expect(reasonOf(await mia.fail('SendMessage', handOn(stranger)))).toBe('CONTACT_REQUESTED');
  });

  test('names nobody through whom it came', async () => {
    const { mia, priya, bot, frank } = await people();
    const last = await along(mia, priya, bot, frank);
    for (const client of [bot, frank]) {
      const shown = JSON.stringify(await client.call('GetTask', { id: last }));
      expect(shown).toContain('"hops":3');
      expect(shown).not.toMatch(/mia|priya|"path"/);
    }
    const events = await frank.http('GET', `/v1/tasks/${last}/events`);
    expect(JSON.parse(events.body)).toMatchObject({ handoff: { hops: 3 } });
    expect(events.body).not.toMatch(/mia|priya|"path"/);
  });
});

describe('in each dialect and binding', () => {
  test.each(BINDINGS)('A2A 1.0 over %s', async (binding) => {
    const { mia, priya } = await people();
    const last = await along(mia, priya, mia, priya);
    const client = new BoundClient(binding, priya);
    const refused = await client.fail('SendMessage', handOn(mia, { follows: [last] }), { at: '/a/mia' });
    expect(refused).toMatchObject({ code: binding === 'JSON-RPC' ? -32000 : 409, reason: 'LOOP_STOPPED' });
  });

  test('A2A 0.3, which shows the hops too', async () => {
    const { mia, priya, bot } = await people();
    const last = await along(mia, priya, mia, priya);
    const params = (id: string): JsonObject => ({
      message: {
        kind: 'message',
        messageId: id,
        role: 'user',
        parts: [{ kind: 'text', text: 'x' }],
        referenceTaskIds: [last],
      },
      configuration: { blocking: false },
    });
    const headers = { 'a2a-version': '0.3' };
    expect(reasonOf(await priya.fail('message/send', params('a'), { at: '/a/mia', headers }))).toBe('LOOP_STOPPED');
    const task = await priya.result('message/send', params('b'), { at: '/a/ext-bot', headers });
    expect(task).toMatchObject({ kind: 'task', metadata: { 'urn:agentrelay:handoff:1': { hops: 4 } } });
    expect(viewOf(await bot.call('GetTask', { id: (task as { id: string }).id })).hops).toBe(4);
  });

  test('A2A 0.1, which has no word for what a task follows from, begins a chain each time', async () => {
    const { mia, priya } = await people();
    const last = await along(mia, priya, mia, priya);
    const message = { role: 'user', parts: [{ type: 'text', text: 'x' }], referenceTaskIds: [last] };
    const at = '/a/mia';
    const waiting = priya.rpc('tasks/send', { id: 'mine', message }, { at, headers: { 'a2a-version': undefined } });
    expect((await waiting).status).toBe(200);
    const { tasks: all } = await mia.call('ListTasks', {});
    expect(viewOf(all[0] ?? {})).toMatchObject({ role: 'recipient' });
    expect(viewOf(all[0] ?? {})).not.toHaveProperty('hops');
  });
});
