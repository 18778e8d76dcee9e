import { randomBytes } from 'node:crypto';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createKey } from '../../../relay/identity/keys.ts';
import { A2aClient, message, readError, reasonOf, rpcBody, type HttpAnswer } from '../../support/a2a-client.ts';
import { relayForTest, type TestRelay } from '../../support/relay.ts';

const at = '/a/alice';
const JSON_1_0 = { 'content-type': 'application/json', 'a2a-version': '1.0' };

/** Callers come from addresses that the test gives: the relay believes its proxy, which is the test. */
async function acme(options: Parameters<typeof relayForTest>[0] = {}) {
  const relay = await relayForTest({ edge: { proxies: ['loopback'] }, ...options });
  return { relay, alice: await relay.agent('alice'), frank: await relay.agent('frank') };
}

const from = (address: string) => ({ 'x-forwarded-for': address });

/** A look at one's tasks. */
function look(client: A2aClient, address: string): Promise<HttpAnswer> {
  return client.http('GET', '/a2a/tasks', { headers: { 'a2a-version': '1.0', ...from(address) } });
}

function stranger({ url }: TestRelay): A2aClient {
  return new A2aClient({ url, apiKey: createKey(randomBytes) });
}

async function statuses(times: number, ask: () => Promise<HttpAnswer>): Promise<number[]> {
  const all: number[] = [];
  for (let n = 0; n < times; n++) all.push((await ask()).status);
  return all;
}

describe('an address that asks too often', () => {
  test('is told to wait, and for how long, over JSON-RPC', async () => {
    const { frank } = await acme({ rateLimits: { perAddress: 2 } });
    expect(await statuses(2, () => look(frank, '192.0.2.1'))).toEqual([200, 200]);
    const answer = await frank.rpc('SendMessage', message('m'), { at, id: 'mine', headers: from('192.0.2.1') });
    // the body is not read any more: nobody knows what its id would have been
    const error = readError(answer, { id: null }, 429);
    expect(error).toMatchObject({ code: -32000, message: expect.stringMatching(/Try again in \d+ seconds?\.$/) });
    expect(reasonOf(error)).toBe('RATE_LIMITED');
    const seconds = Number(answer.headers['retry-after']);
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(60);
    expect(error.data).toContainEqual({
      '@type': 'type.googleapis.com/google.rpc.RetryInfo',
      retryDelay: `${seconds}s`,
    });
  });

  test('is told the same over HTTP+JSON, and on every other route', async () => {
    const { frank } = await acme({ rateLimits: { perAddress: 1 } });
    await look(frank, '192.0.2.1');
    for (const [method, path] of [
      ['GET', '/a2a/tasks'],
      ['GET', '/a/alice'],
      ['GET', '/v1/inbox/events?desk_id=d'],
      ['POST', '/v1/register'],
      ['GET', '/healthz'],
      ['OPTIONS', '/a2a'],
      ['PATCH', '/a2a'],
      ['GET', '/nowhere'],
    ] as const) {
      const answer = await frank.http(method, path, { headers: from('192.0.2.1') });
      expect([path, answer.status]).toEqual([path, 429]);
      expect(answer.headers['retry-after']).toMatch(/^\d+$/);
      expect(JSON.parse(answer.body)).toMatchObject({
        error: {
          code: 429,
          status: 'RESOURCE_EXHAUSTED',
          details: [
            { retryDelay: expect.stringMatching(/^\d+s$/) },
            { reason: 'RATE_LIMITED', metadata: { limit: '1' } },
          ],
        },
      });
    }
  });

  test('keeps out no other', async () => {
    const { frank, alice } = await acme({ rateLimits: { perAddress: 1 } });
    await look(frank, '192.0.2.1');
    expect((await look(alice, '192.0.2.1')).status).toBe(429);
    expect((await look(frank, '192.0.2.2')).status).toBe(200);
  });

  test('is, for IPv6, the network that one caller is given', async () => {
    const { frank } = await acme({ rateLimits: { perAddress: 1 } });
    await look(frank, '2001:db8::1');
    expect((await look(frank, '2001:db8::2')).status).toBe(429);
    expect((await look(frank, '2001:db8:0:1::1')).status).toBe(200);
  });

  test('is the proxy’s own where nobody said that there is one', async () => {
    const { frank } = await acme({ edge: {}, rateLimits: { perAddress: 1 } });
    await look(frank, '192.0.2.1');
    expect((await look(frank, '192.0.2.2')).status).toBe(429);
  });
});

describe('a key that is used too often', () => {
  test('is told to wait, wherever it is used, and nobody else is', async () => {
    const { frank, alice } = await acme({ rateLimits: { perKey: 2 } });
    expect((await look(frank, '192.0.2.1')).status).toBe(200);
    expect((await look(frank, '192.0.2.2')).status).toBe(200);
    expect((await look(frank, '192.0.2.3')).status).toBe(429);
    expect((await look(alice, '192.0.2.1')).status).toBe(200);
  });

  test('pays for a stream as for one request, however much it carries', async () => {
    const { frank, alice } = await acme({ rateLimits: { perKey: 30 } });
    const stream = await frank.stream('SendStreamingMessage', message('m'), { at });
    const first = await stream.next();
    if (first === undefined || !('task' in first)) throw new Error('the task comes first');
    for (let n = 0; n < 29; n++) {
      await alice.extension('tasks/update', {
        task_id: first.task.id,
        artifacts: [{ artifactId: 'a', parts: [{ text: `${n}` }] }],
        ...(n > 0 && { append: true }),
      });
      await stream.next();
    }
    stream.destroy();
    expect(await statuses(30, () => look(frank, '192.0.2.1'))).toEqual([...Array<number>(29).fill(200), 429]);
  });
});

describe('when nothing else is said', () => {
  test('callers on the relay’s own machine may ask as often as they like, but for wrong keys', async () => {
    const relay = await relayForTest();
    const frank = await relay.agent('frank');
    const unknown = stranger(relay);
    const wrong = await statuses(31, () => unknown.http('GET', '/v1/tasks/x/events'));
    expect(wrong).toEqual([...Array<number>(30).fill(401), 429]);
    expect((await frank.http('GET', '/v1/tasks/x/events')).status).toBe(429);
  });
});

describe('wrong keys', () => {
  test('are looked at so often, and then no key from there is, be it a right one', async () => {
    const { relay, frank } = await acme({ rateLimits: { wrongKeys: 3 } });
    const guesses = await statuses(5, () => look(stranger(relay), '192.0.2.1'));
    expect(guesses).toEqual([401, 401, 401, 429, 429]);
    expect((await look(frank, '192.0.2.1')).status).toBe(429);
    expect((await look(frank, '192.0.2.2')).status).toBe(200);
  });

  test('shut nobody out who was served from there before', async () => {
    const { relay, frank, alice } = await acme({ rateLimits: { wrongKeys: 1 } });
    await look(frank, '192.0.2.1');
    expect(await statuses(3, () => look(stranger(relay), '192.0.2.1'))).toEqual([401, 429, 429]);
    expect((await look(frank, '192.0.2.1')).status).toBe(200);
    expect((await look(alice, '192.0.2.1')).status).toBe(429);
  });

  test('are those that could be one, too; no key at all is no guess', async () => {
    const { relay } = await acme({ rateLimits: { wrongKeys: 1 } });
    const ask = (authorization: string | undefined) =>
      stranger(relay).http('GET', '/v1/tasks/x/events', { headers: { authorization, ...from('192.0.2.1') } });
    for (const header of [undefined, '', 'Basic x', undefined, undefined]) expect((await ask(header)).status).toBe(401);
    expect((await ask('Bearer hunter2')).status).toBe(401);
    expect((await ask('Bearer hunter3')).status).toBe(429);
    expect((await ask(undefined)).status).toBe(401);
  });
});

describe('registrations', () => {
  const register = ({ url }: TestRelay, handle: string, address: string) =>
    new A2aClient({ url, apiKey: '' }).http('POST', '/v1/register', {
      headers: { authorization: undefined, 'content-type': 'application/json', ...from(address) },
      body: JSON.stringify({ handle }),
    });

  test('are ten a minute from one address, the refused ones among them', async () => {
    const { relay } = await acme({ registration: 'open' });
    let n = 0;
    const all = await statuses(11, () => register(relay, n++ % 2 === 0 ? `bot-${n}` : 'alice', '192.0.2.1'));
    expect(all).toEqual([200, 409, 200, 409, 200, 409, 200, 409, 200, 409, 429]);
    expect((await register(relay, 'bot-other', '192.0.2.2')).status).toBe(200);
  });

  test('are counted also where none is taken', async () => {
    const { relay } = await acme({ rateLimits: { registrations: 1 } });
    expect(await statuses(2, () => register(relay, 'mia', '192.0.2.1'))).toEqual([403, 429]);
  });
});

describe('after a minute', () => {
  afterEach(() => void vi.useRealTimers());

  test('everything begins anew', async () => {
    const { relay, frank } = await acme({ rateLimits: { perAddress: 2, wrongKeys: 1 } });
    await look(stranger(relay), '192.0.2.1');
    await look(stranger(relay), '192.0.2.1');
    const refused = await look(frank, '192.0.2.1');
    expect(refused.status).toBe(429);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + Number(refused.headers['retry-after']) * 1000 });
    expect((await look(frank, '192.0.2.1')).status).toBe(200);
  });
});

test('a refusal is before the body: nobody makes a relay read what it will not serve', async () => {
  const { frank } = await acme({ rateLimits: { perKey: 1 } });
  await look(frank, '192.0.2.1');
  const large = await frank.http('POST', '/a2a', {
    headers: { ...JSON_1_0, ...from('192.0.2.1') },
    body: rpcBody('SendMessage', message('m', { parts: [{ text: 'x'.repeat(2 ** 21) }] })),
  });
  expect(large.status).toBe(429);
});
