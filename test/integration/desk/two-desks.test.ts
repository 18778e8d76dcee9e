import { describe, expect, it, onTestFinished } from 'vitest';
import { CLOSED_KEPT } from '../../../main/desk/list-picture.ts';
import type { Desk } from '../../../main/desk/desk.ts';
import type { Timing } from '../../../main/desk/timing.ts';
import type { DeskEvent, InboxItem } from '../../../relay/contract/desk-api.ts';
import type { TypedArtifact } from '../../../relay/contract/artifact.ts';
import { listen, openDesk, startRelay, type Ear, type RunningRelay } from './support.ts';
import { written } from '../../support/written.ts';

/** Alice hands work to Frank, each at a desk of their own, over a real relay. */
async function twoDesks(): Promise<{
  running: RunningRelay;
  alice: Desk;
  frank: Desk;
  hearAlice: Ear;
  hearFrank: Ear;
}> {
  const running = await startRelay();
  const alice = await deskOf(running, 'alice');
  const frank = await deskOf(running, 'frank');
  return { running, alice, frank, hearAlice: listen(alice), hearFrank: listen(frank) };
}

async function deskOf(running: RunningRelay, name: string, timing: Partial<Timing> = {}): Promise<Desk> {
  const { handle, apiKey } = await running.relay.register({ handle: name, contacts: 'auto' });
  return openDesk(running.url, { handle, apiKey, timing });
}

async function rowOf(desk: Desk, taskId: string): Promise<InboxItem | undefined> {
  const { items } = await desk.call('getSnapshot', {}, 'human');
  return items.find((item) => item.task_id === taskId);
}

const tells =
  (taskId: string, kind: string, fits: (event: Extract<DeskEvent, { type: 'item' }>) => boolean = () => true) =>
  (event: DeskEvent): boolean =>
    event.type === 'item' && event.item.task_id === taskId && event.event.kind === kind && fits(event);

/** Until this side has been told of everything that the relay knows of a thread. */
async function settled(desk: Desk, ear: Ear, taskId: string): Promise<void> {
  const { item } = await desk.call('getThread', { task_id: taskId }, 'human');
  await ear.hear((event) => event.type === 'item' && event.event.version >= item.handoff.version);
}

describe('a handoff to somebody new', () => {
  it('who never connected says from the first one on that it waits, and for whom', async () => {
    const running = await startRelay();
    const alice = await deskOf(running, 'alice', { presenceMs: 60_000 });
    await running.relay.register({ handle: 'mia', contacts: 'auto' });
    for (const body of ['First', 'Second']) {
      expect(await alice.call('sendHandoff', { to: 'mia', body }, 'cli')).toMatchObject({
        status: 'queued',
        receipt: 'queued',
        reason: expect.stringContaining('mia@acme is not connected'),
      });
    }
  });

  it('who is connected says from the first one on that it is sent', async () => {
    const running = await startRelay();
    const alice = await deskOf(running, 'alice', { presenceMs: 60_000 });
    await deskOf(running, 'frank');
    expect(await alice.call('sendHandoff', { to: 'frank', body: 'First' }, 'cli')).toMatchObject({ status: 'sent' });
  });
});

describe('an id that no handoff has', () => {
  it.each(['.', '..', '../..', '%2e%2e', 'a/b', 'a?limit=1', 'a#b', ' ', '\ud800', '\u0000', 'x'.repeat(256)])(
    '%j is no other address of the relay, and no fault of ours',
    async (id) => {
      const { alice } = await twoDesks();
      const reasons = /^(?:TASK_NOT_FOUND|INVALID_PARAMS|INVALID_REQUEST)$/;
      const calls = await Promise.allSettled([
        alice.call('getThread', { task_id: id }, 'cli'),
        alice.call('updateHandoff', { task_id: id, transition: 'cancel' }, 'cli'),
        alice.call('sendMessage', { task_id: id, body: 'Hello' }, 'cli'),
        alice.call('markSurfaced', { task_id: id, version: 1 }, 'human'),
      ]);
      const refused = { status: 'rejected', reason: { reason: expect.stringMatching(reasons) } };
      expect(calls).toMatchObject([refused, refused, refused, refused]);
    },
  );
});

describe('a handoff between two desks', () => {
  it('goes from pending to done, and each side always sees on which heap it lies', async () => {
    const { alice, frank, hearAlice, hearFrank } = await twoDesks();
    const sent = written(await alice.call('sendHandoff', { to: 'frank', body: 'The limiter returns 500' }, 'human'));
    const id = sent.task_id;
    expect(sent).toMatchObject({ status: 'sent', version: 1, state: 'pending' });

    await hearFrank.hear(tells(id, 'created'));
    expect(await rowOf(frank, id)).toMatchObject({
      account: 'frank@acme',
      peer: 'alice@acme',
      group: 'needs_you',
      unread: true,
      handoff: { summary: 'The limiter returns 500' },
    });
    expect(await rowOf(alice, id)).toMatchObject({ peer: 'frank@acme', group: 'waiting', unread: false });

    await frank.call('updateHandoff', { task_id: id, transition: 'accept', session_id: 's1' }, 'claude-code');
    await hearAlice.hear(tells(id, 'status'));
    expect(await rowOf(frank, id)).toMatchObject({ group: 'working', unread: false, handoff: { session_id: 's1' } });
    const seen = await rowOf(alice, id);
    expect(seen).toMatchObject({ group: 'waiting', unread: true, handoff: { state: 'accepted' } });
    expect(seen?.handoff).not.toHaveProperty('session_id');

    await frank.call('updateHandoff', { task_id: id, transition: 'ask', body: 'Which header?' }, 'claude-code');
    await hearAlice.hear(tells(id, 'status', ({ item }) => item.handoff.state === 'input_required'));
    expect(await rowOf(alice, id)).toMatchObject({ group: 'needs_you', unread: true });
    expect(await rowOf(frank, id)).toMatchObject({ group: 'waiting', unread: false });

    const reply = written(await alice.call('sendMessage', { task_id: id, body: 'Retry-After' }, 'human'));
    expect(reply).toMatchObject({ state: 'accepted' });
    await hearFrank.hear(tells(id, 'message'));
    expect(await rowOf(frank, id)).toMatchObject({ group: 'working', unread: true });
    expect(await rowOf(alice, id)).toMatchObject({ group: 'waiting', unread: false });

    const artifacts: TypedArtifact[] = [{ type: 'test_result', command: 'npm test', exit_code: 0, passed: 12 }];
    await frank.call('updateHandoff', { task_id: id, transition: 'complete', body: 'Fixed', artifacts }, 'codex');
    await hearAlice.hear(tells(id, 'status', ({ item }) => item.handoff.state === 'completed'));
    expect(await rowOf(alice, id)).toMatchObject({ group: 'done', unread: true });
    expect(await rowOf(frank, id)).toMatchObject({ group: 'done', unread: false });

    const { events } = await alice.call('getThread', { task_id: id }, 'human');
    const told = events.filter(({ kind }) => kind !== 'receipt').map(({ kind, author }) => [kind, author]);
    expect(told).toEqual([
      ['created', 'human'],
      ['status', 'claude-code'],
      ['status', 'claude-code'],
      ['message', 'human'],
      ['artifact', 'codex'],
      ['status', 'codex'],
    ]);
    expect(events.map(({ version }) => version)).toEqual(events.map((_, i) => i + 1));
  });

  it('is told to each desk event by event, in order, once', async () => {
    const { alice, frank, hearAlice, hearFrank } = await twoDesks();
    const { task_id: id } = written(await alice.call('sendHandoff', { to: 'frank', body: 'Hello' }, 'human'));
    await frank.call('updateHandoff', { task_id: id, transition: 'accept' }, 'human');
    await frank.call('sendMessage', { task_id: id, body: 'On it' }, 'human');
    await alice.call('sendMessage', { task_id: id, body: 'Thanks' }, 'human');
    await frank.call('updateHandoff', { task_id: id, transition: 'complete', body: 'Done' }, 'human');
    for (const [desk, ear] of [
      [alice, hearAlice],
      [frank, hearFrank],
    ] as const) {
      await settled(desk, ear, id);
      const versions = ear.events.flatMap((event) => (event.type === 'item' ? [event.event.version] : []));
      expect(versions).toEqual(versions.map((_, i) => i + 1));
      expect(ear.events.map(({ seq }) => seq)).toEqual(ear.events.map((_, i) => i + 1));
    }
  });

  it('carries the artifacts of both sides, and a second batch does not take the place of the first', async () => {
    const { alice, frank } = await twoDesks();
    const diff: TypedArtifact = { type: 'file_diff', path: 'src/limit.ts', diff: '@@ -1 +1 @@' };
    const test: TypedArtifact = { type: 'test_command', command: 'npm test -- limit' };
    const sent = written(
      await alice.call('sendHandoff', { to: 'frank', body: 'See', artifacts: [diff, test] }, 'human'),
    );
    const id = sent.task_id;
    await frank.call('updateHandoff', { task_id: id, transition: 'accept' }, 'human');
    await frank.call('sendMessage', { task_id: id, body: 'A first try', artifacts: [diff] }, 'codex');
    await frank.call('updateHandoff', { task_id: id, transition: 'complete', artifacts: [diff] }, 'codex');

    const { item, events } = await alice.call('getThread', { task_id: id }, 'human');
    expect(item.handoff.artifact_types).toEqual(['file_diff', 'test_command']);
    const artifacts = events.flatMap((event) => (event.kind === 'artifact' ? [event.artifact] : []));
    expect(artifacts.map(({ name }) => name)).toEqual(['src/limit.ts', 'src/limit.ts']);
    expect(new Set(artifacts.map(({ artifactId }) => artifactId)).size).toBe(2);
    expect(artifacts[0]?.parts).toMatchObject([{ data: diff }]);
  });

  it('can be proposed, with what it proposes', async () => {
    const { alice, frank, hearFrank } = await twoDesks();
    const action = { description: 'Set the header first', target_files: ['src/limit.ts'], rationale: 'It is lost' };
    const { task_id: id } = written(
      await alice.call(
        'sendHandoff',
        { to: 'frank@acme', body: 'Fix it', intent: 'propose_action', proposed_action: action },
        'cli',
      ),
    );
    await hearFrank.hear(tells(id, 'created'));
    expect((await rowOf(frank, id))?.handoff.intent).toBe('propose_action');
    const { events } = await frank.call('getThread', { task_id: id }, 'human');
    expect(events[0]).toMatchObject({ kind: 'created', proposedAction: action });
  });
});

describe('receipts', () => {
  it('are not changed by looking, however often', async () => {
    const { alice, frank, hearFrank } = await twoDesks();
    const { task_id: id } = written(await alice.call('sendHandoff', { to: 'frank', body: 'Hello' }, 'human'));
    // the relay notes that it handed the message over; after that there is nothing more to say by itself
    await hearFrank.hear(tells(id, 'receipt'));
    const look = async () => ({
      list: await frank.call('listHandoffs', { role: 'recipient' }, 'claude-code'),
      thread: await frank.call('getThread', { task_id: id }, 'claude-code'),
      snapshot: (await frank.call('getSnapshot', {}, 'human')).items,
      status: await frank.call('getStatus', {}, 'cli'),
    });
    const first = await look();
    expect(await look()).toEqual(first);
    expect(first.list).toMatchObject({ items: [{ task_id: id, unread: true }], next_cursor: '', waiting: 1 });
    expect(first.thread.item.handoff.receipts.recipient).toEqual({ offered: 1, surfaced: 0, acked: 0, held: false });
    expect(first.status.accounts).toEqual([
      { handle: 'frank@acme', relay: first.status.relay.url, state: 'connected', unread: 1 },
    ]);
  });

  it('tell the sender how far the other side has got: offered, surfaced, acked', async () => {
    const { alice, frank, hearAlice } = await twoDesks();
    const { task_id: id } = written(await alice.call('sendHandoff', { to: 'frank', body: 'Hello' }, 'human'));
    const reached = (state: string) =>
      hearAlice.hear(tells(id, 'receipt', ({ event }) => event.kind === 'receipt' && event.state === state));
    await reached('offered');

    await frank.call('markSurfaced', { task_id: id, version: 1 }, 'human');
    await reached('surfaced');
    expect(await rowOf(frank, id)).toMatchObject({ unread: true });
    await frank.call('markSurfaced', { task_id: id, version: 1 }, 'human');

    await frank.call('updateHandoff', { task_id: id, transition: 'accept' }, 'human');
    await hearAlice.hear(tells(id, 'status'));
    const row = await rowOf(alice, id);
    expect(row?.handoff.receipts.recipient).toMatchObject({ surfaced: 1, acked: 1 });
    const receipts = hearAlice.events.filter(tells(id, 'receipt'));
    expect(receipts).toHaveLength(2);
  });

  it('of a result end with its being shown: nobody is left to answer', async () => {
    const { alice, frank, hearAlice } = await twoDesks();
    const { task_id: id } = written(await alice.call('sendHandoff', { to: 'frank', body: 'Hello' }, 'human'));
    await frank.call('updateHandoff', { task_id: id, transition: 'decline', reason: 'On leave' }, 'human');
    await hearAlice.hear(tells(id, 'status'));
    const row = await rowOf(alice, id);
    expect(row).toMatchObject({ group: 'done', unread: true });
    await alice.call('markSurfaced', { task_id: id, version: row?.handoff.last_version ?? 0 }, 'human');
    await hearAlice.hear(
      tells(
        id,
        'receipt',
        ({ event }) => event.actor === 'sender' && event.kind === 'receipt' && event.state === 'surfaced',
      ),
    );
    expect(await rowOf(alice, id)).toMatchObject({ group: 'done', unread: false });
  });
});

describe('a write', () => {
  it('under one key is done once, and answers the same', async () => {
    const { alice, frank } = await twoDesks();
    const send = async (body: string) =>
      written(await alice.call('sendHandoff', { to: 'frank', body, idempotency_key: 'k1' }, 'cli'));
    const first = await send('Hello');
    expect((await send('Hello')).task_id).toBe(first.task_id);
    await expect(send('Something else')).rejects.toMatchObject({ reason: 'IDEMPOTENCY_CONFLICT' });

    const id = first.task_id;
    const accept = { task_id: id, transition: 'accept', session_id: 's1', idempotency_key: 'k1' } as const;
    await frank.call('updateHandoff', accept, 'human');
    await frank.call('updateHandoff', accept, 'human');
    const message = { task_id: id, body: 'On it', idempotency_key: 'k2' } as const;
    await frank.call('sendMessage', message, 'human');
    await frank.call('sendMessage', message, 'human');
    const { events } = await frank.call('getThread', { task_id: id }, 'human');
    expect(events.filter(({ kind }) => kind !== 'receipt').map(({ kind }) => kind)).toEqual([
      'created',
      'status',
      'message',
    ]);
  });

  it('without a key is another each time', async () => {
    const { alice } = await twoDesks();
    const send = async () => written(await alice.call('sendHandoff', { to: 'frank', body: 'Hello' }, 'cli'));
    expect((await send()).task_id).not.toBe((await send()).task_id);
  });

  it('to nobody is a hard error, and nothing is kept of it', async () => {
    const { alice } = await twoDesks();
    const call = alice.call('sendHandoff', { to: 'nobody', body: 'Hello' }, 'human');
    await expect(call).rejects.toMatchObject({ reason: 'RECIPIENT_NOT_FOUND' });
    expect(await alice.call('listHandoffs', {}, 'human')).toEqual({ items: [], next_cursor: '', waiting: 0 });
  });

  it('that came too late says what happened meanwhile', async () => {
    const { alice, frank } = await twoDesks();
    const { task_id: id } = written(await alice.call('sendHandoff', { to: 'frank', body: 'Hello' }, 'human'));
    await alice.call('updateHandoff', { task_id: id, transition: 'cancel' }, 'human');
    const call = frank.call('updateHandoff', { task_id: id, transition: 'accept' }, 'human');
    await expect(call).rejects.toMatchObject({ reason: 'STATE_CHANGED' });
  });

  it('answers in its own form when the handoff was answered without becoming work', async () => {
    const { alice, frank } = await twoDesks();
    const send = async () =>
      written(await alice.call('sendHandoff', { to: 'frank', body: 'Which port?', idempotency_key: 'k' }, 'human'));
    const { task_id: id } = await send();
    await frank.call('updateHandoff', { task_id: id, transition: 'reply_only', body: '7319' }, 'human');
    expect(await send()).toMatchObject({ status: 'sent', task_id: id, state: 'completed' });
  });
});

describe('the account that acts', () => {
  it('may be named in any form, and is refused when it is not ours, with those that are', async () => {
    const { alice } = await twoDesks();
    for (const as of ['alice', 'alice@acme', 'ALICE']) {
      await expect(alice.call('listHandoffs', { as }, 'cli')).resolves.toBeDefined();
    }
    for (const as of ['frank', 'alice@vendor']) {
      await expect(alice.call('sendHandoff', { as, to: 'frank', body: 'x' }, 'cli')).rejects.toMatchObject({
        reason: 'INVALID_PARAMS',
        message: `as: ${as} is no account of this desk. It has: alice@acme.`,
      });
    }
  });
});

describe('lists', () => {
  it('page through everything, newest first, and say how many wait', async () => {
    const { alice, frank, hearFrank } = await twoDesks();
    const bodies = Array.from({ length: 7 }, (_, i) => `Handoff ${i}`);
    for (const body of bodies) await alice.call('sendHandoff', { to: 'frank', body }, 'human');
    await hearFrank.hear((event) => event.type === 'item' && event.item.handoff.summary === 'Handoff 6');

    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page: Awaited<ReturnType<typeof list>> = await list(frank, cursor);
      expect(page.waiting).toBe(7);
      seen.push(...page.items.map(({ handoff }) => handoff.summary));
      cursor = page.next_cursor;
    } while (cursor !== '');
    expect(seen).toEqual(bodies.toReversed());
  });

  it('are narrowed by role and state', async () => {
    const { alice, frank } = await twoDesks();
    const { task_id: id } = written(await alice.call('sendHandoff', { to: 'frank', body: 'One' }, 'human'));
    await alice.call('sendHandoff', { to: 'frank', body: 'Two' }, 'human');
    await frank.call('updateHandoff', { task_id: id, transition: 'accept' }, 'human');
    const count = async (input: { role?: 'sender' | 'recipient'; status?: ['accepted'] }) =>
      (await frank.call('listHandoffs', input, 'human')).items.length;
    expect(await count({})).toBe(2);
    expect(await count({ status: ['accepted'] })).toBe(1);
    expect(await count({ role: 'sender' })).toBe(0);
  });

  it('of a desk that starts hold everything that is open, however many pages that is', async () => {
    const running = await startRelay();
    const alice = await deskOf(running, 'alice');
    const { handle, apiKey } = await running.relay.register({ handle: 'frank', contacts: 'auto' });
    await inBatches(105, (i) => alice.call('sendHandoff', { to: 'frank', body: `Handoff ${i}` }, 'cli'));
    const frank = await openDesk(running.url, { handle, apiKey });
    const { items, done_total: done } = await frank.call('getSnapshot', {}, 'human');
    expect(items).toHaveLength(105);
    expect(done).toBe(0);
  });

  it('of a desk that starts hold the newest of what is closed, and its number', { timeout: 30_000 }, async () => {
    const running = await startRelay();
    const alice = await deskOf(running, 'alice');
    const { handle, apiKey } = await running.relay.register({ handle: 'frank', contacts: 'auto' });
    await inBatches(CLOSED_KEPT + 3, async (i) => {
      const { task_id: id } = written(await alice.call('sendHandoff', { to: 'frank', body: `Handoff ${i}` }, 'cli'));
      await alice.call('updateHandoff', { task_id: id, transition: 'cancel' }, 'cli');
    });
    const frank = await openDesk(running.url, { handle, apiKey });
    const { items, done_total: done } = await frank.call('getSnapshot', {}, 'human');
    expect(items).toHaveLength(CLOSED_KEPT);
    expect(done).toBe(CLOSED_KEPT + 3);
  });

  it('of a long thread are read to their end', async () => {
    const { alice } = await twoDesks();
    const { task_id: id } = written(await alice.call('sendHandoff', { to: 'frank', body: 'Hello' }, 'human'));
    await inBatches(205, (i) => alice.call('sendMessage', { task_id: id, body: `Message ${i}` }, 'cli'));
    const { item, events } = await alice.call('getThread', { task_id: id }, 'human');
    expect(events.filter(({ kind }) => kind === 'message')).toHaveLength(205);
    expect(events.map(({ version }) => version)).toEqual(events.map((_, i) => i + 1));
    expect(events).toHaveLength(item.handoff.version);
  });
});

/** Many calls, a few at a time, so that none waits long for its answer. */
async function inBatches(count: number, call: (i: number) => Promise<unknown>): Promise<void> {
  const numbers = Array.from({ length: count }, (_, i) => i);
  for (let i = 0; i < count; i += 15) await Promise.all(numbers.slice(i, i + 15).map(call));
}

function list(desk: Desk, cursor: string | undefined) {
  return desk.call('listHandoffs', { limit: 3, ...(cursor === undefined ? {} : { cursor }) }, 'human');
}

describe('what the desk passes on', () => {
  it('is the window, the status and the making of agents', async () => {
    const running = await startRelay();
    const { handle, apiKey } = await running.relay.register({ handle: 'frank', contacts: 'auto' });
    const made: unknown[] = [];
    const desk = await openDesk(running.url, {
      handle,
      apiKey,
      registerAgent: (input) => {
        made.push(input);
        return Promise.resolve({ handle: 'ext-bot@acme', endpoint: 'e', card_url: 'c', api_key: 'k' });
      },
    });
    onTestFinished(() => desk.close());
    expect(await desk.call('openWindow', {}, 'cli')).toEqual({ url: 'http://127.0.0.1:1/#once' });
    expect(await desk.call('registerAgent', { handle: 'ext-bot', kind: 'a2a' }, 'cli')).toMatchObject({ api_key: 'k' });
    expect(made).toEqual([{ handle: 'ext-bot', kind: 'a2a' }]);
    await expect(desk.call('registerAgent', { handle: 'no handle' }, 'cli')).rejects.toMatchObject({
      reason: 'INVALID_PARAMS',
      violations: [{ field: 'handle' }],
    });
    expect(await desk.call('getStatus', {}, 'cli')).toEqual({
      version: '0.0.0-test',
      relay: { url: running.url, name: 'acme', id: 'relay-id' },
      mcp: { socket: 'mcp.sock' },
      window: { url: 'http://127.0.0.1:1/' },
      accounts: [{ handle: 'frank@acme', relay: running.url, state: 'connected', unread: 0 }],
      sessions: [],
      pairings: [],
    });
  });
});
