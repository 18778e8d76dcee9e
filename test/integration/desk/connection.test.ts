import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { openInboxStream } from '../../../main/desk/inbox-stream.ts';
import { DEFAULT_TIMING } from '../../../main/desk/timing.ts';
import { sampleFrame, viewAt } from '../../unit/desk/samples.ts';
import { listed, startScriptedRelay, type ScriptedRelay } from './scripted-relay.ts';
import { accountIs, accountOf, closedPort, listen, openDesk, quietLogger } from './support.ts';

/** Opens a desk and brings it to where it has caught up. */
async function connected(relay: ScriptedRelay, options: Parameters<typeof openDesk>[1] = {}) {
  const opening = openDesk(relay.url, options);
  const stream = await relay.nextStream();
  stream.frame('resync', { cursor: 'e-0' });
  const desk = await opening;
  return { desk, stream, ear: listen(desk) };
}

/** Answers every request with a status and no body of ours. */
function answering(status: number): ScriptedRelay['inbox'] {
  return (_request, response) => void response.writeHead(status).end('<html></html>');
}

describe('connecting', () => {
  it('says who it is, and which desk', async () => {
    const relay = await startScriptedRelay();
    const { stream } = await connected(relay, { apiKey: 'secret', deskId: 'd-1' });
    expect(stream.authorization).toBe('Bearer secret');
    expect(stream.url.searchParams.get('desk_id')).toBe('d-1');
    expect(stream.lastEventId).toBeUndefined();
  });

  it('is connected when it has listed, not when the stream is open', async () => {
    const relay = await startScriptedRelay();
    const asked = Promise.withResolvers<() => void>();
    relay.rpc = ({ id }, response) => {
      relay.rpc = () => listed([]);
      asked.resolve(() => response.end(JSON.stringify({ jsonrpc: '2.0', id, ...Object(listed([])) })));
    };
    const opening = openDesk(relay.url);
    let isOpen = false;
    void opening.then(() => (isOpen = true));
    (await relay.nextStream()).frame('resync', { cursor: 'e-0' });
    const answer = await asked.promise;
    expect(isOpen).toBe(false);
    answer();
    const desk = await opening;
    expect(await accountOf(desk)).toMatchObject({ state: 'connected', handle: 'frank@acme', relay: relay.url });
  });

  it('comes back from a refused connection by itself, and was offline since the first failure', async () => {
    const relay = await startScriptedRelay();
    const { desk, stream, ear } = await connected(relay);
    const before = Date.now();
    relay.inbox = (request) => void request.socket.destroy();
    stream.drop();
    const offline = await accountIs(ear, ({ state }) => state === 'offline');
    expect(offline.detail).toBe('connection lost');
    expect(offline.since).toBeGreaterThanOrEqual(before);
    relay.inbox = () => 'stream';
    await relay.nextStream();
    await accountIs(ear, ({ state, since }) => state === 'connected' && since >= offline.since);
    expect(await accountOf(desk)).toMatchObject({ state: 'connected' });
    // attempts in between were told to nobody
    expect(ear.events.filter(({ type }) => type === 'account')).toHaveLength(3);
  });

  it.each<[string, ScriptedRelay['inbox'], string]>([
    ['a relay that answers with an error', answering(500), 'answered with HTTP 500'],
    ['something that is no relay', answering(200), 'unreadable answer'],
    ['an account that another desk reads', answering(409), 'in use by another desk'],
    ['an answer that is no HTTP', (request) => void request.socket.end('SSH-2.0-OpenSSH_9\r\n'), 'unreadable answer'],
    ['a relay that takes the request and says nothing', () => {}, 'timed out'],
  ])('says why it is offline: %s', async (_what, inbox, detail) => {
    const relay = await startScriptedRelay();
    relay.inbox = inbox;
    const desk = await openDesk(relay.url, { timing: { requestMs: 500 } });
    expect(await accountOf(desk)).toMatchObject({ state: 'offline', detail });
    const ear = listen(desk);
    relay.inbox = (_request, response) =>
      void response
        .writeHead(200, { 'content-type': 'text/event-stream' })
        .write('event: resync\ndata: {"cursor":"e-0"}\n\n');
    await accountIs(ear, ({ state }) => state === 'connected');
  });

  it('says that a port is closed', async () => {
    const desk = await openDesk(await closedPort());
    expect(await accountOf(desk)).toMatchObject({ state: 'offline', detail: 'refused' });
  });

  it('goes on after a mistake of ours, and says where to look', async () => {
    const logger = quietLogger();
    const desk = await openDesk('not an address', { logger });
    expect(await accountOf(desk)).toMatchObject({ state: 'offline', detail: 'internal fault, see the log' });
    const ear = listen(desk);
    const { length: before } = logger.errors;
    desk.wake();
    await accountIs(ear, ({ state }) => state === 'connecting');
    await ear.hear((event) => event.type === 'account' && event.account.state === 'offline' && event.seq > 2);
    expect(logger.errors.length).toBeGreaterThan(before);
  });

  it('gives up a stream that never says where it begins', async () => {
    const relay = await startScriptedRelay();
    const desk = await openDesk(relay.url, { timing: { requestMs: 50 } });
    expect(await accountOf(desk)).toMatchObject({ state: 'offline', detail: 'timed out' });
  });
});

describe('a key that is not accepted', () => {
  const unauthorized: ScriptedRelay['inbox'] = (_request, response) => void response.writeHead(401).end();

  it('is tried once, and not again until somebody says so', async () => {
    const relay = await startScriptedRelay();
    relay.inbox = unauthorized;
    const desk = await openDesk(relay.url, { timing: { firstRetryMs: 1, lastRetryMs: 1 } });
    expect(await accountOf(desk)).toMatchObject({ state: 'key_revoked' });
    const ear = listen(desk);
    // with a pause of 1 ms between attempts, this exchange would see many
    for (let i = 0; i < 20; i += 1) await expect(desk.call('listHandoffs', {}, 'human')).resolves.toBeDefined();
    expect(relay.inboxRequests()).toBe(1);

    relay.inbox = () => 'stream';
    desk.wake();
    (await relay.nextStream()).frame('resync', { cursor: 'e-0' });
    await accountIs(ear, ({ state }) => state === 'connected');
  });

  it('is found out by a command, too', async () => {
    const relay = await startScriptedRelay();
    const { desk, ear } = await connected(relay);
    relay.inbox = unauthorized;
    relay.rpc = (_call, response) => void response.writeHead(401).end();
    await expect(desk.call('listHandoffs', {}, 'human')).rejects.toMatchObject({ reason: 'UNAUTHENTICATED' });
    await accountIs(ear, ({ state }) => state === 'key_revoked');
    const requests = relay.inboxRequests();
    await expect(desk.call('listHandoffs', {}, 'human')).rejects.toMatchObject({ reason: 'UNAUTHENTICATED' });
    expect(relay.inboxRequests()).toBe(requests);
  });
});

describe('a stream', () => {
  it('that falls silent for two and a half heartbeats is replaced, and resumes', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const relay = await startScriptedRelay();
    const { stream, ear } = await connected(relay, { timing: DEFAULT_TIMING });
    vi.advanceTimersByTime(30_000);
    stream.frame('handoff', sampleFrame('t1', 1), 'e-1');
    await ear.hear(({ type }) => type === 'item');
    vi.advanceTimersByTime(37_400);
    stream.frame('handoff', sampleFrame('t1', 2), 'e-2');
    await ear.hear((event) => event.type === 'item' && event.event.version === 2);
    vi.advanceTimersByTime(37_500);
    expect(await accountIs(ear, ({ state }) => state === 'offline')).toMatchObject({ detail: 'no sign of life' });
    await stream.closed;
    vi.advanceTimersByTime(DEFAULT_TIMING.firstRetryMs);
    expect((await relay.nextStream()).lastEventId).toBe('e-2');
  });

  it('lives by heartbeats alone', async () => {
    const relay = await startScriptedRelay();
    const sign = Promise.withResolvers<void>();
    const ignore = () => {};
    const options = { relay: relay.url, apiKey: 'key', deskId: 'd', onOpen: ignore, onFrame: ignore, onEnd: ignore };
    onTestFinished(openInboxStream({ ...options, onSign: sign.resolve }));
    (await relay.nextStream()).write(': ping\n');
    await expect(sign.promise).resolves.toBeUndefined();
  });

  it('that drops resumes after the last frame, and what is sent again is told once', async () => {
    const relay = await startScriptedRelay();
    const { stream, ear } = await connected(relay);
    stream.frame('handoff', sampleFrame('t1', 1), 'e-1');
    stream.frame('handoff', sampleFrame('t1', 2), 'e-2');
    await ear.hear((event) => event.type === 'item' && event.event.version === 2);
    stream.drop();
    const next = await relay.nextStream();
    expect(next.lastEventId).toBe('e-2');
    for (const version of [1, 2, 3]) next.frame('handoff', sampleFrame('t1', version, 3), `e-${version}`);
    await ear.hear((event) => event.type === 'item' && event.event.version === 3);
    const told = ear.events.flatMap((event) => (event.type === 'item' ? [event.event.version] : []));
    expect(told).toEqual([1, 2, 3]);
    expect(ear.events.filter(({ type }) => type === 'reload')).toHaveLength(1);
  });

  it('of a machine that slept is replaced at once, whatever it looks like', async () => {
    const relay = await startScriptedRelay();
    let now = 1_000_000;
    const { stream, ear } = await connected(relay, {
      clock: () => now,
      timing: { tickMs: 5, silenceMs: 60_000, firstRetryMs: 60_000, lastRetryMs: 60_000 },
    });
    stream.frame('handoff', sampleFrame('t1', 1), 'e-1');
    await ear.hear(({ type }) => type === 'item');
    now += 3_600_000;
    await stream.closed;
    // no pause before the new attempt: that would be a minute here
    const next = await relay.nextStream();
    expect(next.lastEventId).toBe('e-1');
    await accountIs(ear, ({ state, since }) => state === 'connected' && since === now);
  });

  it('is replaced when it cannot say where it begins anew', async () => {
    const relay = await startScriptedRelay();
    const { stream, ear } = await connected(relay);
    stream.frame('resync', { cursor: 7 });
    expect(await accountIs(ear, ({ state }) => state === 'offline')).toMatchObject({ detail: 'unreadable answer' });
    await relay.nextStream();
  });

  it('with a frame that cannot be read is listed anew, so that nothing is missing', async () => {
    const relay = await startScriptedRelay();
    const logger = quietLogger();
    const { desk, stream, ear } = await connected(relay, { logger });
    relay.rpc = () => listed([viewAt('t1', 4)]);
    stream.frame('handoff', { task_id: 't1', version: 4, event: { kind: 'applause' } }, 'e-4');
    await ear.hear(({ type, seq }) => type === 'reload' && seq > 2);
    const { items } = await desk.call('getSnapshot', {}, 'human');
    expect(items).toMatchObject([{ task_id: 't1', handoff: { version: 4 } }]);
    expect(logger.warnings).toContain('a frame of the inbox stream cannot be read');
    // it lives on, and goes on from there
    stream.frame('handoff', sampleFrame('t1', 5), 'e-5');
    await ear.hear((event) => event.type === 'item' && event.event.version === 5);
    expect(relay.inboxRequests()).toBe(1);
  });

  it('is not disturbed by frames that it does not know', async () => {
    const relay = await startScriptedRelay();
    const { stream, ear } = await connected(relay);
    stream.frame('applause', { from: 'alice@acme' }, 'e-1');
    stream.frame('presence', { handle: 7 });
    stream.frame('handoff', sampleFrame('t1', 1), 'e-2');
    await ear.hear(({ type }) => type === 'item');
    expect(relay.inboxRequests()).toBe(1);
  });

  it('survives a listener that throws', async () => {
    const relay = await startScriptedRelay();
    const logger = quietLogger();
    const { desk, stream, ear } = await connected(relay, { logger });
    const failing = (): never => {
      throw new Error('listener');
    };
    desk.subscribe(0, failing, 'human');
    stream.frame('handoff', sampleFrame('t1', 1), 'e-1');
    stream.frame('handoff', sampleFrame('t1', 2), 'e-2');
    await ear.hear((event) => event.type === 'item' && event.event.version === 2);
    expect(logger.errors.length).toBeGreaterThan(0);
    expect(relay.inboxRequests()).toBe(1);
  });
});

describe('the list', () => {
  it('is asked for in pages, of what is open and of the newest that is closed, for both roles', async () => {
    const relay = await startScriptedRelay();
    const asked: unknown[] = [];
    relay.rpc = ({ params }) => {
      asked.push(params);
      const { filter, page } = params as { filter: { role: string; status: string[] }; page: { cursor?: string } };
      const isOpen = filter.status.includes('pending');
      const isFirst = page.cursor === undefined;
      const id = `${filter.role}-${isOpen ? 'open' : 'closed'}-${page.cursor ?? 'first'}`;
      return listed([viewAt(id, 1)], isOpen && isFirst ? 'second' : '');
    };
    const { desk } = await connected(relay);
    const { items } = await desk.call('getSnapshot', {}, 'human');
    expect(items.map(({ task_id: id }) => id).toSorted()).toEqual([
      'recipient-closed-first',
      'recipient-open-first',
      'recipient-open-second',
      'sender-closed-first',
      'sender-open-first',
      'sender-open-second',
    ]);
    expect(asked[0]).toEqual({
      filter: { role: 'recipient', status: ['pending', 'accepted', 'input_required'] },
      page: { limit: 100 },
    });
    expect(asked[1]).toMatchObject({ page: { limit: 100, cursor: 'second' } });
  });

  it('ends with the newest 200 of what is closed, however much there is', async () => {
    const relay = await startScriptedRelay();
    let made = 0;
    relay.rpc = ({ params }) => {
      const { filter, page } = params as { filter: { status: string[] }; page: { limit: number } };
      if (filter.status.includes('pending')) return listed([]);
      const views = Array.from({ length: page.limit }, () => viewAt(`t${(made += 1)}`, 1));
      return listed(views, 'more');
    };
    await connected(relay);
    expect(made).toBe(2 * 200);
  });

  it('that fails half-way leaves the picture as it was, and is asked for again', async () => {
    const relay = await startScriptedRelay();
    relay.rpc = () => listed([viewAt('t1', 1)]);
    const { desk, stream, ear } = await connected(relay);
    let asked = 0;
    relay.rpc = (_call, response) => {
      asked += 1;
      return asked === 3 ? void response.destroy() : listed([viewAt('t2', 1)]);
    };
    stream.frame('resync', { cursor: 'e-9' });
    await accountIs(ear, ({ state }) => state === 'offline');
    const ids = async () => (await desk.call('getSnapshot', {}, 'human')).items.map(({ task_id: id }) => id);
    expect(await ids()).toEqual(['t1']);

    const next = await relay.nextStream();
    // what was not caught up with cannot be resumed
    expect(next.lastEventId).toBeUndefined();
    next.frame('resync', { cursor: 'e-9' });
    await accountIs(ear, ({ state, since }) => state === 'connected' && since > 0);
    await ear.hear((event) => event.type === 'reload' && event.seq > 3);
    expect(await ids()).toEqual(['t2']);
  });

  it('keeps frames that overtake it', async () => {
    const relay = await startScriptedRelay();
    const opening = openDesk(relay.url);
    const stream = await relay.nextStream();
    const release = Promise.withResolvers<void>();
    relay.rpc = (call, response) => {
      void release.promise.then(() => {
        response.end(JSON.stringify({ jsonrpc: '2.0', id: call.id, ...Object(listed([viewAt('t1', 1)])) }));
      });
    };
    stream.frame('resync', { cursor: 'e-1' });
    stream.frame('handoff', sampleFrame('t1', 2), 'e-2');
    release.resolve();
    const desk = await opening;
    const ear = listen(desk);
    await ear.hear(({ type }) => type === 'item');
    expect(ear.events.map(({ type }) => type)).toEqual(['reload', 'item', 'account']);
  });

  it('leaves out a task that cannot be read, and says so in the log', async () => {
    const relay = await startScriptedRelay();
    const logger = quietLogger();
    relay.rpc = () => ({ result: { tasks: [{ kind: 'task', id: 'odd' }], next_cursor: '' } });
    const { desk } = await connected(relay, { logger });
    expect((await desk.call('getSnapshot', {}, 'human')).items).toEqual([]);
    expect(logger.warnings).toContain('a task in a list cannot be read and is left out');
  });
});

describe('closing', () => {
  it('ends the stream and what is on its way', async () => {
    const relay = await startScriptedRelay();
    const { desk, stream } = await connected(relay);
    const reached = Promise.withResolvers<void>();
    relay.rpc = () => reached.resolve();
    const call = desk.call('listHandoffs', {}, 'human');
    await reached.promise;
    await Promise.all([expect(call).rejects.toMatchObject({ reason: 'SHUTTING_DOWN' }), desk.close()]);
    await stream.closed;
    await desk.close();
    await expect(desk.call('listHandoffs', {}, 'human')).rejects.toMatchObject({ reason: 'SHUTTING_DOWN' });
  });

  it('does not wait for the next attempt', async () => {
    const desk = await openDesk(await closedPort(), { timing: { firstRetryMs: 60_000, lastRetryMs: 60_000 } });
    await desk.close();
    expect(await accountOf(desk)).toMatchObject({ state: 'offline' });
  });
});
