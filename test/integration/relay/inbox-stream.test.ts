import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import {
  inboxAccountSchema,
  inboxPresenceSchema,
  inboxResyncSchema,
  threadPageSchema,
  type InboxHandoff,
} from '../../../relay/contract/event-schema.ts';
import type { JsonObject } from '../../../relay/contract/json.ts';
import { message, type A2aClient } from '../../support/a2a-client.ts';
import { befriend } from '../../support/contacts.ts';
import { openInbox, type Inbox } from '../../support/inbox.ts';
import { isGone } from '../../support/presence.ts';
import { relayForTest, startRelay, type TestRelay } from '../../support/relay.ts';

/** `GET /v1/inbox/events` (docs/extension.md, Inbox stream). */

let relay: TestRelay;
let count = 0;

beforeAll(async () => {
  relay = await startRelay();
});
afterAll(() => relay.close());

/** Two agents that nothing has happened to yet. */
async function pair() {
  const [alice, frank] = [await relay.agent(`alice-${++count}`), await relay.agent(`frank-${count}`)];
  return { alice, frank };
}

async function send(from: A2aClient, to: A2aClient, more: JsonObject = {}): Promise<string> {
  const params = { ...message(`m${++count}`, more), configuration: { returnImmediately: true } };
  const answer = await from.call('SendMessage', params, { at: `/a/${to.name}` });
  if (!('task' in answer)) throw new Error('no task');
  return answer.task.id;
}

const isCreated = ({ event }: InboxHandoff): boolean => event.kind === 'created';
const seqOf = (id: string): number => Number(id.split('-')[1]);

/** The next `n` frames that carry an id. */
async function take(inbox: Inbox, n: number): Promise<{ id: string; data: string }[]> {
  const frames: { id: string; data: string }[] = [];
  while (frames.length < n) {
    const { id = '', data } = await inbox.next('handoff');
    frames.push({ id, data });
  }
  return frames;
}

describe('the first stream of a desk', () => {
  test('begins with a resync that says where it begins, then shows each event with an id', async () => {
    const { alice, frank } = await pair();
    const earlier = await send(frank, alice);
    const inbox = await openInbox(alice);
    const first = await inbox.sse.next();
    expect([first?.event, first?.id]).toEqual(['resync', undefined]);
    const { cursor } = inboxResyncSchema.parse(JSON.parse(first?.data ?? ''));
    // behind the contact that they have become, and the message
    expect(cursor).toMatch(/^[0-9a-f]{8}-2$/);

    const taskId = await send(frank, alice);
    const created = await inbox.handoff();
    expect(created).toMatchObject({
      task_id: taskId,
      version: 1,
      handoff: { role: 'recipient', sender: frank.handle, recipient: alice.handle, state: 'pending' },
      event: { kind: 'created', actor: 'sender', message: { role: 'ROLE_USER', taskId } },
    });
    expect(created.id).toBe(cursor.replace(/2$/, '3'));
    // what was there before is for the list
    expect(inbox.sse.raw).not.toContain(earlier);
    inbox.destroy();
  });

  test('has the headers of an event stream, for pages of any origin', async () => {
    const { alice } = await pair();
    const inbox = await openInbox(alice);
    expect(inbox.sse.response.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache',
      'x-accel-buffering': 'no',
      'access-control-allow-origin': '*',
    });
    inbox.destroy();
  });

  // https://github.com/a2aproject/a2a-go/issues/99
  test('lives: comments come, and no blank line ends one', async () => {
    const quick = await relayForTest({ heartbeatMs: 5 });
    const [mia, priya] = [await quick.agent('mia'), await quick.agent('priya')];
    const inbox = await openInbox(mia);
    await send(priya, mia);
    await inbox.handoff();
    const { comments } = inbox.sse;
    while (inbox.sse.comments < comments + 3) await inbox.sse.news();
    expect(inbox.sse.raw).not.toMatch(/: ping\n\n/);
  });

  test('shows both sides all that happens, in the order of the thread', async () => {
    const { alice, frank } = await pair();
    const [hers, his] = [await openInbox(alice), await openInbox(frank)];
    const task_id = await send(frank, alice);
    await alice.extension('tasks/update', { task_id, transition: 'accept', session_id: 's' });
    await alice.extension('tasks/update', { task_id, artifacts: [{ artifactId: 'a', parts: [{ text: 'x' }] }] });
    await send(frank, alice, { taskId: task_id });
    await alice.extension('tasks/update', { task_id, transition: 'complete', message: 'done' });
    for (const [inbox, role] of [
      [hers, 'recipient'],
      [his, 'sender'],
    ] as const) {
      const versions: number[] = [];
      const kinds: string[] = [];
      let state = '';
      while (state !== 'completed') {
        const { event, version, handoff } = await inbox.handoff();
        expect(handoff.role).toBe(role);
        versions.push(version);
        if (event.kind !== 'receipt') kinds.push(event.kind);
        if (event.kind === 'status') ({ state } = event);
      }
      expect(versions).toEqual(versions.map((_, n) => n + 1));
      expect(kinds).toEqual(['created', 'status', 'artifact', 'message', 'status']);
      inbox.destroy();
    }
  });
});

describe('resuming', () => {
  test('goes on after any frame, exactly once and in order', async () => {
    const { alice, frank } = await pair();
    await befriend(alice, frank);
    const inbox = await openInbox(alice);
    for (let n = 0; n < 4; n++) await send(frank, alice);
    // each message, and the note that it was offered
    const seen = await take(inbox, 8);
    expect(seen.map(({ id }) => seqOf(id))).toEqual(seen.map((_, n) => n + 3));
    inbox.destroy();
    for (const [n, { id }] of seen.entries()) {
      const resumed = await openInbox(alice, { lastEventId: id });
      const rest = await take(resumed, seen.length - 1 - n);
      expect(rest.map((frame) => frame.id)).toEqual(seen.slice(n + 1).map((frame) => frame.id));
      expect(resumed.sse.raw).not.toContain('resync');
      resumed.destroy();
    }
  });

  test('replays a long absence whole, and goes on live without a seam', async () => {
    const { alice, frank } = await pair();
    const inbox = await openInbox(alice);
    await send(frank, alice);
    const { id } = await inbox.handoff();
    inbox.destroy();
    const task_id = await send(frank, alice);
    const ABSENT = 600;
    // one call, many events
    for (let n = 0; n < ABSENT; n += 60) {
      const artifacts = Array.from({ length: 60 }, (_, k) => ({ artifactId: `a${n + k}`, parts: [{ text: 'x' }] }));
      await alice.extension('tasks/update', { task_id, artifacts });
    }
    const resumed = await openInbox(alice, { lastEventId: id });
    const live = send(frank, alice);
    const seqs: number[] = [];
    for (let last = ''; last !== (await live);) {
      const frame = await resumed.handoff();
      seqs.push(seqOf(frame.id));
      if (isCreated(frame)) last = frame.task_id;
    }
    expect(seqs.length).toBeGreaterThan(ABSENT);
    expect(seqs).toEqual(seqs.map((_, n) => seqOf(id) + 1 + n));
    resumed.destroy();
  });

  test('with an id of another store, one that is ahead, or none at all begins anew, once', async () => {
    const { alice, frank } = await pair();
    await send(frank, alice);
    const fresh = await openInbox(alice);
    const { cursor } = inboxResyncSchema.parse(JSON.parse((await fresh.next('resync')).data));
    fresh.destroy();
    const [epoch = '', head = ''] = cursor.split('-');
    for (const lastEventId of [
      `00000000-${head}`,
      `${epoch}-${Number(head) + 1}`,
      `${epoch}-999999999999999`,
      `${epoch}-9999999999999999`,
      `${epoch}--1`,
      `${epoch}-1.5`,
      `${epoch}-`,
      `${epoch}`,
      `-${head}`,
      `${epoch}-1-2`,
      `${epoch} -1`,
      'garbage',
      '',
    ]) {
      const inbox = await openInbox(alice, { lastEventId });
      const first = await inbox.sse.next();
      expect([lastEventId, first?.event, first?.data]).toEqual([lastEventId, 'resync', JSON.stringify({ cursor })]);
      inbox.destroy();
    }
    // from the very beginning, and from just now, there is nothing to list
    for (const lastEventId of [`${epoch}-0`, cursor]) {
      const inbox = await openInbox(alice, { lastEventId });
      const task_id = await send(frank, alice);
      expect((await inbox.handoff((frame) => frame.task_id === task_id)).event.kind).toBe('created');
      expect(inbox.sse.raw).not.toContain('resync');
      inbox.destroy();
    }
  });
});

describe('one desk an account', () => {
  test('the same desk takes the place of its dead stream at once', async () => {
    const { alice, frank } = await pair();
    const dead = await openInbox(alice, { deskId: 'desk' });
    const alive = await openInbox(alice, { deskId: 'desk' });
    expect((await dead.sse.rest()).map(({ event }) => event)).toEqual(['resync']);
    await send(frank, alice);
    expect(isCreated(await alive.handoff())).toBe(true);
    alive.destroy();
  });

  test('another desk is refused while the first is there, unless it takes over, and the first is told', async () => {
    const { alice, frank } = await pair();
    const first = await openInbox(alice, { deskId: 'first' });
    const refused = await alice.http('GET', '/v1/inbox/events?desk_id=second');
    expect(refused.status).toBe(409);
    expect(JSON.parse(refused.body)).toMatchObject({
      error: { code: 409, status: 'ABORTED', details: [{ reason: 'ACCOUNT_IN_USE' }] },
    });

    const second = await openInbox(alice, { deskId: 'second', takeOver: true });
    const told = (await first.sse.rest()).at(-1);
    expect([told?.event, told?.id]).toEqual(['account', undefined]);
    expect(inboxAccountSchema.parse(JSON.parse(told?.data ?? '')).reason).toBe('ACCOUNT_IN_USE');
    expect(first.sse.response.complete).toBe(true);
    // now it is the first one's turn to be refused
    expect((await alice.http('GET', '/v1/inbox/events?desk_id=first')).status).toBe(409);
    await send(frank, alice);
    expect(isCreated(await second.handoff())).toBe(true);
    second.destroy();
  });

  test('a place that was left is free', async () => {
    const { alice, frank } = await pair();
    const first = await openInbox(alice, { deskId: 'first' });
    first.destroy();
    await isGone(frank, alice);
    const second = await openInbox(alice, { deskId: 'second' });
    expect((await second.sse.next())?.event).toBe('resync');
    second.destroy();
  });

  test('other accounts are not concerned', async () => {
    const { alice, frank } = await pair();
    const [hers, his] = [await openInbox(alice, { deskId: 'a' }), await openInbox(frank, { deskId: 'b' })];
    await send(frank, alice);
    expect((await hers.handoff()).handoff.role).toBe('recipient');
    expect((await his.handoff()).handoff.role).toBe('sender');
    hers.destroy();
    his.destroy();
  });
});

describe('what was handed over', () => {
  const receipts = async (client: A2aClient, id: string) => {
    const log = await client.http('GET', `/v1/tasks/${id}/events`);
    return threadPageSchema.parse(JSON.parse(log.body)).handoff.receipts;
  };
  const NONE = { offered: 0, surfaced: 0, acked: 0, held: false };

  test('is noted as offered, and as no more', async () => {
    const { alice, frank } = await pair();
    const [hers, his] = [await openInbox(alice), await openInbox(frank)];
    const id = await send(frank, alice);
    expect(await his.handoff(({ event }) => event.kind === 'receipt')).toMatchObject({
      task_id: id,
      event: { kind: 'receipt', actor: 'recipient', state: 'offered', upTo: 1 },
    });
    expect(await receipts(frank, id)).toEqual({ sender: NONE, recipient: { ...NONE, offered: 1 } });
    await alice.call('SendMessage', message(`m${++count}`, { taskId: id }));
    await his.handoff(({ event }) => event.kind === 'receipt' && event.actor === 'sender');
    expect(await receipts(alice, id)).toEqual({
      sender: { ...NONE, offered: 3 },
      // who answers has read what came before
      recipient: { offered: 1, surfaced: 1, acked: 1, held: false },
    });
    hers.destroy();
    his.destroy();
  });

  test('is noted once, also when it is read again', async () => {
    const { alice, frank } = await pair();
    const inbox = await openInbox(alice);
    await send(frank, alice);
    const [created, noted] = await take(inbox, 2);
    inbox.destroy();
    const again = await openInbox(alice, { lastEventId: created?.id.replace(/-\d+$/, '-0') ?? '' });
    expect(await take(again, 2)).toMatchObject([{ id: created?.id }, noted]);
    const next = await send(frank, alice);
    expect((await again.handoff()).task_id).toBe(next);
    again.destroy();
  });

  test.each<[string, (client: A2aClient, id: string) => Promise<unknown>]>([
    ['a read', (alice, id) => alice.call('GetTask', { id })],
    ['a list', (alice) => alice.call('ListTasks', {})],
    [
      'a stream',
      async (alice, id) => {
        const stream = await alice.stream('SubscribeToTask', { id });
        await stream.next();
        onTestFinished(() => stream.destroy());
      },
    ],
  ])('by %s is offered, and no more', async (_, read) => {
    const { alice, frank } = await pair();
    const id = await send(frank, alice);
    await read(alice, id);
    await expect.poll(() => receipts(frank, id)).toEqual({ sender: NONE, recipient: { ...NONE, offered: 1 } });
  });

  test('to the sender is what the recipient said, by a stream and by the answer to a call that waited', async () => {
    const { alice, frank } = await pair();
    const id = await send(frank, alice);
    const stream = await frank.stream('SubscribeToTask', { id });
    await stream.next();
    await alice.extension('tasks/update', { task_id: id, transition: 'accept', message: 'on it' });
    await stream.next();
    await expect.poll(async () => (await receipts(alice, id)).sender.offered).toBe(2);
    stream.destroy();

    const inbox = await openInbox(alice);
    const waiting = frank.call('SendMessage', message(`m${++count}`), { at: `/a/${alice.name}` });
    const { task_id } = await inbox.handoff(({ event }) => event.kind === 'created');
    await alice.extension('tasks/update', { task_id, transition: 'decline', reason: 'later' });
    await waiting;
    await expect.poll(async () => (await receipts(alice, task_id)).sender.offered).toBeGreaterThan(1);
    inbox.destroy();
  });

  test('in chunks is noted with the first and with the last of them', async () => {
    const { alice, frank } = await pair();
    const id = await send(frank, alice);
    const stream = await frank.stream('SubscribeToTask', { id });
    await stream.next();
    const chunk = (text: string, more: JsonObject) =>
      alice.extension('tasks/update', { task_id: id, artifacts: [{ artifactId: 'a', parts: [{ text }] }], ...more });
    await chunk('0', { append: false });
    for (let n = 1; n <= 8; n++) await chunk(String(n), { append: true });
    await chunk('9', { append: true, last_chunk: true });
    // the acceptance, and ten chunks
    for (let n = 0; n < 11; n++) await stream.next();
    await expect.poll(async () => (await receipts(alice, id)).sender.offered).toBeGreaterThan(11);
    const log = await alice.http('GET', `/v1/tasks/${id}/events`);
    const { events } = threadPageSchema.parse(JSON.parse(log.body));
    const notes = events.filter(({ kind, actor }) => kind === 'receipt' && actor === 'sender');
    expect(notes.length).toBeLessThanOrEqual(3);
    stream.destroy();
  });

  test('by a list of our extension, which has no content, is not offered', async () => {
    const { alice, frank } = await pair();
    const id = await send(frank, alice);
    await alice.extension('tasks/list', {});
    await alice.call('GetTask', { id, historyLength: 0 });
    expect(await receipts(frank, id)).toEqual({ sender: NONE, recipient: NONE });
  });
});

describe('who is there', () => {
  test('is who reads the inbox: a call waits for them, and for nobody who has left', async () => {
    const { alice, frank } = await pair();
    const inbox = await openInbox(alice);
    const waiting = frank.call('SendMessage', message(`m${++count}`), { at: `/a/${alice.name}` });
    const { task_id } = await inbox.handoff();
    const isOpen = await Promise.race([waiting.then(() => false), frank.call('ListTasks', {}).then(() => true)]);
    expect(isOpen).toBe(true);
    await alice.extension('tasks/update', { task_id, transition: 'decline' });
    await waiting;
    inbox.destroy();
    await isGone(frank, alice);
  });

  const presence = async (inbox: Inbox) => inboxPresenceSchema.parse(JSON.parse((await inbox.next('presence')).data));

  test('is told of those with whom something is open, then when it changes', async () => {
    const { alice, frank } = await pair();
    const mia = await relay.agent(`mia-${count}`);
    await befriend(alice, mia);
    await send(frank, alice);
    const closed = await send(mia, alice);
    await alice.extension('tasks/update', { task_id: closed, transition: 'decline' });

    const hers = await openInbox(alice);
    expect((await hers.sse.next())?.event).toBe('resync');
    const first = await hers.sse.next();
    expect([first?.event, first?.id, first?.data]).toEqual([
      'presence',
      undefined,
      JSON.stringify({ handle: frank.handle, online: false }),
    ]);
    const his = await openInbox(frank);
    expect(await presence(hers)).toEqual({ handle: frank.handle, online: true });
    expect(await presence(his)).toEqual({ handle: alice.handle, online: true });
    his.destroy();
    expect(await presence(hers)).toEqual({ handle: frank.handle, online: false });

    // somebody new, with the first thing that they have in common
    const stream = await mia.stream('SendStreamingMessage', message(`m${++count}`), { at: `/a/${alice.name}` });
    await stream.next();
    // the message is there a moment before its sender
    const met = await presence(hers);
    expect(met.online ? met : await presence(hers)).toEqual({ handle: mia.handle, online: true });
    stream.destroy();
    expect(await presence(hers)).toEqual({ handle: mia.handle, online: false });
    hers.destroy();
  });

  test('is nothing for strangers', async () => {
    const { alice } = await pair();
    const inbox = await openInbox(alice);
    const { frank, alice: other } = await pair();
    const his = await openInbox(frank);
    await send(other, frank);
    await his.handoff();
    his.destroy();
    await isGone(other, frank);
    await send(other, alice);
    await inbox.handoff();
    expect(inbox.sse.raw).not.toContain(frank.handle);
    inbox.destroy();
  });

  test('does not blink while a desk replaces its own stream', async () => {
    const { alice, frank } = await pair();
    await send(frank, alice);
    const hers = await openInbox(alice);
    let his = await openInbox(frank);
    const told: boolean[] = [];
    while (!told.at(-1)) told.push((await presence(hers)).online);
    for (let n = 0; n < 5; n++) {
      const next = await openInbox(frank);
      await his.sse.rest();
      his = next;
    }
    his.destroy();
    expect(await presence(hers)).toEqual({ handle: frank.handle, online: false });
    hers.destroy();
  });
});
