import { describe, expect, it } from 'vitest';
import { viewAt } from '../../unit/desk/samples.ts';
import { refused, startScriptedRelay, task, type Call, type ScriptedRelay } from './scripted-relay.ts';
import { accountIs, closedPort, listen, openDesk } from './support.ts';

/** A desk that is connected, with what its relay was asked since. */
async function connected() {
  const relay = await startScriptedRelay();
  // this relay says nothing of peers
  const opening = openDesk(relay.url, { timing: { presenceMs: 1 } });
  (await relay.nextStream()).frame('resync', { cursor: 'e-0' });
  const desk = await opening;
  const before = relay.calls.length;
  return { relay, desk, asked: () => relay.calls.slice(before) };
}

/** Answers with `then` after the first `cuts` requests were read and their connections cut. */
function cutting(cuts: number, then: ScriptedRelay['rpc']): ScriptedRelay['rpc'] {
  let left = cuts;
  return (call, response) => {
    if (left === 0) return then(call, response);
    left -= 1;
    return void response.destroy();
  };
}

const sent = (): ReturnType<ScriptedRelay['rpc']> => ({ result: { task: task(viewAt('t1', 1)) } });
const updated = (): ReturnType<ScriptedRelay['rpc']> => ({ result: task(viewAt('t1', 2)) });

/** The request without its JSON-RPC id, which counts requests. */
function request({ method, params }: Call): unknown {
  return { method, params };
}

describe('a write whose connection is lost', () => {
  it('is sent once more, the same to the last byte, and then answers as if nothing had been', async () => {
    const { relay, desk, asked } = await connected();
    relay.rpc = cutting(1, sent);
    const result = await desk.call('sendHandoff', { to: 'alice', body: 'Hello' }, 'human');
    expect(result).toMatchObject({ status: 'sent', task_id: 't1', version: 1 });
    const [first, second, ...rest] = asked().map(request);
    expect(second).toEqual(first);
    expect(rest).toEqual([]);
  });

  it('twice says that it may not have arrived, and under which key it happens once', async () => {
    const { relay, desk, asked } = await connected();
    relay.rpc = cutting(Infinity, sent);
    const call = desk.call('sendHandoff', { to: 'alice', body: 'Hello', idempotency_key: 'my-key' }, 'human');
    await expect(call).rejects.toMatchObject({
      reason: 'RELAY_UNREACHABLE',
      metadata: { idempotency_key: 'my-key' },
      message: expect.stringContaining('connection lost'),
    });
    expect(asked()).toHaveLength(2);
  });

  it('names the key that the desk made when the caller gave none', async () => {
    const { relay, desk, asked } = await connected();
    relay.rpc = cutting(Infinity, updated);
    const call = desk.call('updateHandoff', { task_id: 't1', transition: 'accept' }, 'human');
    const error: unknown = await call.catch((thrown: unknown) => thrown);
    const [{ idempotency_key: key }] = asked().map(({ params }) => params) as [{ idempotency_key: string }];
    expect(key.length).toBeGreaterThanOrEqual(16);
    expect(error).toMatchObject({ metadata: { idempotency_key: key }, message: expect.stringContaining(key) });
  });

  it('under way to a relay that is not there is refused in a sentence that says what to do', async () => {
    const desk = await openDesk(await closedPort());
    const call = desk.call('sendHandoff', { to: 'alice', body: 'Hello', idempotency_key: 'k' }, 'cli');
    await expect(call).rejects.toMatchObject({
      reason: 'RELAY_UNREACHABLE',
      message:
        'The relay of frank@acme cannot be reached (refused), so this may not have arrived. Nothing is lost: when the ' +
        'relay is back, send it again with the idempotency_key k, under which it happens once.',
    });
  });

  it('that says the same however often it is said needs no key', async () => {
    const { relay, desk } = await connected();
    const bodies: string[] = [];
    relay.other = (_path, body, response) => {
      if (body !== '') bodies.push(body);
      return void response.destroy();
    };
    await expect(desk.call('markSurfaced', { task_id: 't1', version: 3 }, 'human')).rejects.toMatchObject({
      reason: 'RELAY_UNREACHABLE',
      metadata: {},
      message: expect.stringMatching(/send it again\.$/),
    });
    expect(bodies).toEqual(Array(2).fill('{"items":[{"task_id":"t1","version":3,"state":"surfaced"}]}'));
  });

  it('is repeated when the answer came and was none', async () => {
    const { relay, desk, asked } = await connected();
    let answers = 0;
    relay.rpc = (_call, response) => {
      answers += 1;
      return answers === 1 ? void response.writeHead(502).end('<html>Bad gateway</html>') : updated();
    };
    const result = await desk.call('updateHandoff', { task_id: 't1', transition: 'accept' }, 'human');
    expect(result).toMatchObject({ status: 'sent', version: 2 });
    expect(asked()).toHaveLength(2);
  });
});

describe('a write that the relay refuses', () => {
  it('is refused with the reason and the sentence of the relay, and not sent again', async () => {
    const { relay, desk, asked } = await connected();
    relay.rpc = () => refused('STATE_CHANGED', 'It is cancelled by now.');
    const call = desk.call('updateHandoff', { task_id: 't1', transition: 'accept' }, 'human');
    await expect(call).rejects.toMatchObject({ reason: 'STATE_CHANGED', message: 'It is cancelled by now.' });
    expect(asked()).toHaveLength(1);
  });

  it('while it shuts down is not hammered', async () => {
    const { relay, desk, asked } = await connected();
    relay.rpc = (call, response) => {
      response.writeHead(503).end(JSON.stringify({ jsonrpc: '2.0', id: call.id, ...Object(refused('SHUTTING_DOWN')) }));
    };
    const call = desk.call('updateHandoff', { task_id: 't1', transition: 'accept' }, 'human');
    await expect(call).rejects.toMatchObject({ reason: 'SHUTTING_DOWN' });
    expect(asked()).toHaveLength(1);
  });
});

describe('a read', () => {
  it('of a relay that is not there says so, and that nothing was lost by it', async () => {
    const desk = await openDesk(await closedPort());
    const reads = [
      () => desk.call('listHandoffs', {}, 'human'),
      () => desk.call('getThread', { task_id: 't1' }, 'human'),
    ];
    for (const read of reads) {
      await expect(read()).rejects.toMatchObject({
        reason: 'RELAY_UNREACHABLE',
        message: 'The relay of frank@acme cannot be reached (refused). Try again when it is back.',
      });
    }
  });

  it('of a thread that never ends is given up', async () => {
    const { relay, desk } = await connected();
    relay.other = () => ({ handoff: viewAt('t1', 3), events: [], more: true });
    const call = desk.call('getThread', { task_id: 't1' }, 'human');
    await expect(call).rejects.toMatchObject({ reason: 'RELAY_UNREACHABLE' });
  });
});

describe('what the desk shows of a write', () => {
  it('is there at once, before the stream tells of it, and told once when it does', async () => {
    const relay = await startScriptedRelay();
    const opening = openDesk(relay.url);
    const stream = await relay.nextStream();
    stream.frame('resync', { cursor: 'e-0' });
    const desk = await opening;
    const ear = listen(desk);
    relay.rpc = sent;
    await desk.call('sendHandoff', { to: 'alice', body: 'Hello' }, 'human');
    expect((await desk.call('getSnapshot', {}, 'human')).items).toMatchObject([{ task_id: 't1' }]);
    const frame = { task_id: 't1', version: 1, handoff: viewAt('t1', 1), event: createdEvent() };
    stream.frame('handoff', frame, 'e-1');
    stream.frame('handoff', frame, 'e-1');
    await ear.hear(({ type }) => type === 'item');
    stream.drop();
    await accountIs(ear, ({ state }) => state === 'offline');
    expect(ear.events.filter(({ type }) => type === 'item')).toHaveLength(1);
  });

  it('is queued, with a reason, when the relay said that the other side is away', async () => {
    const relay = await startScriptedRelay();
    const opening = openDesk(relay.url, { handle: 'frank@acme', timing: { presenceMs: 1 } });
    const stream = await relay.nextStream();
    stream.frame('resync', { cursor: 'e-0' });
    const desk = await opening;
    const ear = listen(desk);
    relay.rpc = sent;
    const send = () => desk.call('sendHandoff', { to: 'alice', body: 'Hello' }, 'human');
    expect(await send()).toMatchObject({ status: 'sent' });

    stream.frame('presence', { handle: 'alice@acme', online: false });
    stream.frame('handoff', { task_id: 't1', version: 1, handoff: viewAt('t1', 1), event: createdEvent() }, 'e-1');
    await ear.hear(({ type }) => type === 'item');
    expect(await send()).toMatchObject({
      status: 'queued',
      reason: 'alice@acme is not connected. It is delivered when alice@acme connects.',
    });

    stream.frame('presence', { handle: 'alice@acme', online: true });
    stream.frame('handoff', { task_id: 't2', version: 1, handoff: viewAt('t2', 1), event: createdEvent() }, 'e-2');
    await ear.hear((event) => event.type === 'item' && event.item.task_id === 't2');
    expect(await send()).toMatchObject({ status: 'sent' });
  });
});

function createdEvent() {
  return {
    kind: 'created',
    version: 1,
    actor: 'sender',
    author: 'human',
    at: 1,
    summary: 'Hello',
    message: { messageId: 'm1', role: 'ROLE_USER', parts: [{ text: 'Hello' }] },
  };
}
