import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { threadPageSchema, type ThreadPage } from '../../../relay/contract/event-schema.ts';
import type { Json, JsonObject } from '../../../relay/contract/json.ts';
import { A2aClient, message, type HttpAnswer } from '../../support/a2a-client.ts';
import { relayForTest, startRelay, type TestRelay } from '../../support/relay.ts';

/** What a desk asks of a relay beside A2A: the log of a thread, receipts, registration (docs/extension.md). */

let relay: TestRelay;
let count = 0;

beforeAll(async () => {
  relay = await startRelay();
});
afterAll(() => relay.close());

/** A handoff from frank to alice with one event of each kind: created, accepted, artifact, message, question. */
async function thread() {
  const [alice, frank] = [await relay.agent(`alice-${++count}`), await relay.agent(`frank-${count}`)];
  const answer = await frank.call('SendMessage', message('m1'), { at: `/a/${alice.name}` });
  if (!('task' in answer)) throw new Error('no task');
  const { id } = answer.task;
  const update = (params: JsonObject) => alice.extension('tasks/update', { task_id: id, ...params });
  await update({ transition: 'accept', session_id: 'session-of-alice' });
  await update({ artifacts: [{ artifactId: 'a', parts: [{ text: 'x' }] }] });
  await frank.call('SendMessage', { ...message('m2', { taskId: id }), configuration: { returnImmediately: true } });
  await update({ transition: 'ask', message: 'which?' });
  return { alice, frank, id, update };
}

async function page(client: A2aClient, id: string, query = ''): Promise<ThreadPage> {
  const { status, body } = await client.http('GET', `/v1/tasks/${id}/events${query}`);
  expect(status).toBe(200);
  return threadPageSchema.parse(JSON.parse(body));
}

function receipts(client: A2aClient, ...items: Json[]): Promise<HttpAnswer> {
  return client.http('POST', '/v1/receipts', {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ items }),
  });
}

describe('the log of a thread', () => {
  test('has every event, numbered from 1, and the handoff as it stands', async () => {
    const { alice, frank, id } = await thread();
    for (const [client, role] of [
      [alice, 'recipient'],
      [frank, 'sender'],
    ] as const) {
      const { handoff, events, more } = await page(client, id);
      expect([handoff.role, handoff.state, handoff.version, more]).toEqual([role, 'input_required', 5, false]);
      expect(events.map(({ version, kind }) => [version, kind])).toEqual([
        [1, 'created'],
        [2, 'status'],
        [3, 'artifact'],
        [4, 'message'],
        [5, 'status'],
      ]);
    }
  });

  test('comes in pages of any size', async () => {
    const { alice, id } = await thread();
    const whole = (await page(alice, id)).events;
    for (const limit of [1, 2, 4, 5, 6, 1000]) {
      const read: unknown[] = [];
      let after = 0;
      for (let more = true; more;) {
        const next = await page(alice, id, `?after=${after}&limit=${limit}`);
        expect(next.events.length).toBe(Math.min(limit, 5 - after));
        read.push(...next.events);
        after = next.events.at(-1)?.version ?? 0;
        ({ more } = next);
      }
      expect(read).toEqual(whole);
    }
    expect(await page(alice, id, '?after=5')).toMatchObject({ events: [], more: false });
    expect(await page(alice, id, '?after=999999999')).toMatchObject({ events: [], more: false });
  });

  test('tells the recipient, and nobody else, which session holds it', async () => {
    const { alice, frank, id } = await thread();
    expect(JSON.stringify(await page(alice, id))).toContain('session-of-alice');
    expect(JSON.stringify(await page(frank, id))).not.toContain('session-of-alice');
  });

  test('is read by anybody without changing anything', async () => {
    const { alice, id } = await thread();
    const before = relay.rows();
    const first = await page(alice, id);
    expect(await page(alice, id)).toEqual(first);
    expect(relay.rows()).toEqual(before);
  });
});

describe('receipts', () => {
  const cursors = async (client: A2aClient, id: string) => (await page(client, id)).handoff.receipts;

  test('go forward, never back, and say with which client', async () => {
    const { alice, frank, id } = await thread();
    const own = (version: number, state: string) => ({ task_id: id, version, state, session_label: 'Codex in web/' });
    await receipts(frank, own(5, 'surfaced'));
    expect((await cursors(alice, id)).sender).toEqual({ offered: 5, surfaced: 5, acked: 3, held: false });
    const before = relay.rows();
    for (const item of [own(2, 'surfaced'), own(5, 'surfaced'), own(3, 'acked'), own(1, 'acked')]) {
      const { status, body } = await receipts(frank, item);
      expect([status, JSON.parse(body)]).toEqual([200, { items: [{ task_id: id, version: 6 }] }]);
    }
    expect(relay.rows()).toEqual(before);
    await receipts(frank, own(5, 'acked'));
    expect((await cursors(alice, id)).sender).toEqual({ offered: 5, surfaced: 5, acked: 5, held: false });
    expect((await page(alice, id)).events.at(-1)).toMatchObject({
      kind: 'receipt',
      state: 'acked',
      label: 'Codex in web/',
    });
  });

  test('beyond the end of the thread are about what there is', async () => {
    const { alice, frank, id } = await thread();
    await receipts(frank, { task_id: id, version: 2 ** 40, state: 'surfaced' });
    expect((await cursors(alice, id)).sender.surfaced).toBe(5);
  });

  test('may come after the end', async () => {
    const { alice, frank, id, update } = await thread();
    await update({ transition: 'complete', message: 'done' });
    expect((await receipts(frank, { task_id: id, version: 6, state: 'acked' })).status).toBe(200);
    expect(await cursors(alice, id)).toMatchObject({ sender: { acked: 6 } });
  });

  test('held is lifted by whatever shows that it got through', async () => {
    const { alice, frank, id } = await thread();
    await frank.call('SendMessage', { ...message('m3', { taskId: id }), configuration: { returnImmediately: true } });
    await receipts(alice, { task_id: id, version: 6, state: 'held' });
    expect((await cursors(frank, id)).recipient).toMatchObject({ held: true, offered: 6 });
    await receipts(alice, { task_id: id, version: 6, state: 'surfaced' });
    expect((await cursors(frank, id)).recipient).toMatchObject({ held: false, surfaced: 6 });
  });

  test('are taken all together or not at all', async () => {
    const { frank, id } = await thread();
    const stranger = await thread();
    const before = relay.rows();
    const good = { task_id: id, version: 5, state: 'acked' };
    for (const bad of [
      { ...good, task_id: 'nothing' },
      { ...good, task_id: stranger.id },
      { ...good, state: 'offered' },
      { ...good, state: 'queued' },
      { ...good, version: 0 },
      { ...good, version: 1.5 },
      { ...good, task_id: '' },
      { ...good, session_label: 'x'.repeat(129) },
    ]) {
      for (const items of [
        [good, bad],
        [bad, good],
      ]) {
        expect([400, 404]).toContain((await receipts(frank, ...items)).status);
      }
    }
    expect((await receipts(frank)).status).toBe(400);
    expect((await receipts(frank, ...Array.from({ length: 101 }, () => good))).status).toBe(400);
    expect(relay.rows()).toEqual(before);
    expect((await receipts(frank, ...Array.from({ length: 100 }, () => good))).status).toBe(200);
  });
});

describe('registering over HTTP', () => {
  const register = (at: Pick<TestRelay, 'url'>, body: Json) =>
    new A2aClient({ url: at.url, apiKey: '' }).http('POST', '/v1/register', {
      headers: { 'content-type': 'application/json', authorization: undefined },
      body: JSON.stringify(body),
    });

  test.each([undefined, 'invite', 'closed'] as const)(
    'is refused by a relay whose registration is %s',
    async (registration) => {
      const closed = await relayForTest(registration === undefined ? {} : { registration });
      const before = closed.rows();
      const { status, body } = await register(closed, { handle: 'mia' });
      expect(status).toBe(403);
      expect(JSON.parse(body)).toMatchObject({ error: { details: [{ reason: 'REGISTRATION_CLOSED' }] } });
      expect(closed.rows()).toEqual(before);
    },
  );

  test('makes an agent where it is open, with a key that works at once', async () => {
    const open = await relayForTest({ registration: 'open' });
    for (const kind of ['desk', 'a2a', 'agent', undefined]) {
      const name = `mia-${kind}`;
      const { status, body } = await register(open, { handle: name, name: 'Mia', ...(kind && { kind }) });
      expect(status).toBe(200);
      const { handle, api_key: apiKey, card_url: card } = JSON.parse(body) as Record<string, string>;
      expect([handle, card]).toEqual([`${name}@acme`, `${open.url}/a/${name}/agent-card.json`]);
      const mia = new A2aClient({ url: open.url, apiKey: apiKey ?? '' });
      expect((await mia.call('ListTasks', {}, { at: `/a/${name}` })).tasks).toEqual([]);
      expect(JSON.parse((await mia.http('GET', new URL(card ?? '').pathname)).body)).toMatchObject({ name: 'Mia' });
    }
  });

  test('of a kind that knows nothing of the extension answers to finish', async () => {
    const open = await relayForTest({ registration: 'open' });
    const bot = JSON.parse((await register(open, { handle: 'bot', kind: 'agent', contacts: 'auto' })).body) as {
      api_key: string;
    };
    const client = new A2aClient({ url: open.url, apiKey: bot.api_key });
    const frank = await open.agent('frank');
    const sent = await frank.call('SendMessage', message('m'), { at: '/a/bot' });
    const taskId = 'task' in sent ? sent.task.id : '';
    expect(await client.call('SendMessage', message('answer', { taskId }))).toMatchObject({
      task: { status: { state: 'TASK_STATE_COMPLETED' }, artifacts: [{ artifactId: 'reply' }] },
    });
  });

  test('gives a name once, and none that is the relay’s own', async () => {
    const open = await relayForTest({ registration: 'open', rateLimits: { registrations: 100 } });
    expect((await register(open, { handle: 'mia' })).status).toBe(200);
    const before = open.rows();
    for (const handle of ['mia', 'MIA', 'mia@acme', 'guide', 'admin', 'well-known']) {
      const { status, body } = await register(open, { handle });
      expect([handle, status]).toEqual([handle, 409]);
      expect(JSON.parse(body)).toMatchObject({
        error: { status: 'ALREADY_EXISTS', details: [{ reason: 'HANDLE_TAKEN' }] },
      });
    }
    for (const handle of ['', 'mia@other', 'a b', 'é', '-x', 'x'.repeat(65), 'x@acme@acme', '../x', 'x'.repeat(257)]) {
      expect([handle, (await register(open, { handle })).status]).toEqual([handle, 400]);
    }
    expect(open.rows()).toEqual(before);
  });

  test('of the same name at the same time makes one agent', async () => {
    const open = await relayForTest({ registration: 'open' });
    const answers = await Promise.all(Array.from({ length: 8 }, () => register(open, { handle: 'mia' })));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, ...Array(7).fill(409)]);
    expect(open.rows()).toMatchObject({ agent: 1, api_key: 1 });
  });
});

test('health and readiness are for anybody, and say nothing private', async () => {
  const anybody = new A2aClient({ url: relay.url, apiKey: '' });
  const get = async (path: string) =>
    JSON.parse((await anybody.http('GET', path, { headers: { authorization: undefined } })).body) as unknown;
  expect(await get('/healthz')).toEqual({ status: 'ok' });
  expect(await get('/readyz')).toEqual({ status: 'ready', relay_id: relay.relay.id, name: 'acme' });
});
