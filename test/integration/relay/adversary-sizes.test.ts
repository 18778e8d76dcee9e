import { deepStrictEqual } from 'node:assert';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../relay/contract/json.ts';
import { fieldsOf, message, rpcBody, type A2aClient } from '../../support/a2a-client.ts';
import { frankAndAlice } from '../../support/frank-and-alice.ts';
import { heapInUse } from '../../support/memory.ts';
import { stillServes } from '../../support/still-serves.ts';

/** Too much of everything, and the right size of what costs most: the relay says no in time, and keeps nothing of it. */

const { relay, frank, alice, newId, send } = await frankAndAlice();

let before: Record<string, number>;
beforeEach(() => {
  before = relay.rows();
});
afterEach(() => deepStrictEqual(relay.rows(), before));

const JSON_TYPE = { 'content-type': 'application/json', 'a2a-version': '1.0' };
const MEGABYTE = 1024 * 1024;

const post = (path: string, body: Json, method = 'POST') =>
  frank.http(method, path, { headers: JSON_TYPE, body: JSON.stringify(body) });
const many = <T>(count: number, one: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => one(n));
const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;

describe('too much', () => {
  test.each<[string, () => Promise<{ status: number; body: string }>, number]>([
    ['of a body', () => post('/a/alice', 'x'.repeat(MEGABYTE)), 413],
    ['of a body, to a route of ours', () => post('/v1/receipts', 'x'.repeat(MEGABYTE)), 413],
    ['of a header', () => frank.http('GET', '/healthz', { headers: { 'x-a': 'x'.repeat(17_000) } }), 431],
    [
      'of a key',
      () => frank.http('GET', '/v1/keys', { headers: { authorization: `Bearer ${'x'.repeat(15_000)}` } }),
      401,
    ],
    ['of a path', () => frank.http('GET', `/a/${'x'.repeat(17_000)}`), 431],
    ['of a query', () => frank.http('GET', `/v1/directory?q=${'x'.repeat(5000)}`), 400],
    ['of a filter for skills', () => frank.http('GET', `/v1/directory?skill=${'x'.repeat(5000)}`), 400],
    ['of a filter for repositories', () => frank.http('GET', `/v1/directory?repo=${'x'.repeat(5000)}`), 400],
    ['of a cursor', () => frank.http('GET', `/v1/directory?cursor=${'x'.repeat(5000)}`), 400],
    ['of a page', () => frank.http('GET', '/v1/directory?limit=101'), 400],
    ['of a page of contacts', () => frank.http('GET', '/v1/contacts?limit=100000'), 400],
    [
      'of receipts',
      () => post('/v1/receipts', { items: many(10_001, () => ({ task_id: 't', version: 1, state: 'acked' })) }),
      400,
    ],
    [
      'of skills',
      () =>
        post(
          '/v1/agents/me/card',
          { skills: many(5000, (n) => ({ id: `s${n}`, name: 'n', description: 'd', tags: [] })) },
          'PUT',
        ),
      400,
    ],
    ['of a name', () => post('/v1/agents/me/card', { name: 'x'.repeat(100_000) }, 'PUT'), 400],
    ['of a note about a contact', () => post('/v1/contacts', { handle: 'x'.repeat(100_000) }), 400],
    ['of the desk’s id', () => frank.http('GET', `/v1/inbox/events?desk_id=${'x'.repeat(5000)}`), 400],
    ['of a worker’s name', () => post('/v1/leases', { worker: 'x'.repeat(100_000), wait_s: 0 }), 400],
  ])('%s is refused, and not sent back', async (_, attempt, status) => {
    const answer = await attempt();
    expect([answer.status, answer.body.length < 4000]).toEqual([status, true]);
  });

  const parts = (list: readonly Json[]): JsonObject => message('too much', { parts: list });
  test.each<[string, string, () => JsonObject]>([
    ['of a message’s id', 'SendMessage', () => message('x'.repeat(10_000))],
    ['of a context’s id', 'SendMessage', () => message('m', { contextId: 'x'.repeat(10_000) })],
    ['of a task’s id', 'GetTask', () => ({ id: 'x'.repeat(10_000) })],
    ['of a recipient', 'SendMessage', () => ({ ...message('m'), recipient: 'x'.repeat(10_000) })],
    ['of states in a filter', 'ListTasks', () => ({ status: many(10_000, () => 'TASK_STATE_WORKING') })],
    ['of a page', 'ListTasks', () => ({ pageSize: 1_000_000_000 })],
    ['of a page’s token', 'ListTasks', () => ({ pageToken: 'x'.repeat(100_000) })],
    ['of history', 'ListTasks', () => ({ historyLength: 1e21 })],
    ['of a filter of ours', 'tasks/list', () => ({ filter: { status: many(10_000, () => 'pending') } })],
    [
      'of a webhook’s address',
      'SendMessage',
      () => ({
        ...message('m'),
        configuration: { taskPushNotificationConfig: { url: `http://127.0.0.1/${'x'.repeat(100_000)}` } },
      }),
    ],
    [
      'of an artifact that is none',
      'tasks/update',
      () => ({ task_id: 'none', artifacts: many(5000, () => ({ artifactId: 'a', parts: [] })) }),
    ],
    ['of depth', 'SendMessage', () => parts([{ data: JSON.parse(nested(99)) as Json }])],
  ])('%s in a call is refused, and not sent back', async (_, method, params) => {
    const answer = await frank.rpc(method, params(), { at: '/a/alice' });
    expect([answer.status, JSON.parse(answer.body)]).toEqual([
      200,
      expect.objectContaining({ error: expect.anything() }),
    ]);
    expect(answer.body.length).toBeLessThan(4000);
  });

  test('of JSON is read no deeper than it may be: a megabyte of brackets takes no longer than a megabyte of text', async () => {
    const time = async (body: string): Promise<number> => {
      const from = performance.now();
      await frank.http('POST', '/a/alice', { headers: JSON_TYPE, body });
      return performance.now() - from;
    };
    const size = MEGABYTE - 100;
    const text = JSON.stringify('x'.repeat(size));
    const bombs = [
      '['.repeat(size),
      nested(size / 2),
      '{"a":'.repeat(size / 5),
      `[${'{},'.repeat(size / 3 - 1)}{}]`,
      `[${'0,'.repeat(size / 2 - 1)}0]`,
      `{${many(size / 12, (n) => `"${String(n).padStart(6, '0')}":0`).join(',')}}`,
      `"${'\\u0000'.repeat(size / 6)}"`,
      `[1${'0'.repeat(size - 10)}]`,
      `[-1e${'9'.repeat(size - 10)}]`,
    ];
    await time(text);
    const plain = Math.max(await time(text), await time(text), await time(text));
    for (const [n, bomb] of bombs.entries()) {
      expect([n, Math.min(await time(bomb), await time(bomb)) < plain * 20 + 250]).toEqual([n, true]);
    }
  });
});

describe('a search', () => {
  const QUERIES = [
    '%',
    '_',
    '%_%_%_%',
    "' OR 1=1 --",
    '"; DROP TABLE agent; --',
    '* OR name:*',
    'NEAR(a b, 10)',
    '(a+)+$',
    '((((((((a*)*)*)*)*)*)*)*',
    '[[[[',
    '\\',
    '\u0000',
    '🦊'.repeat(30),
    'e\u0301'.repeat(40),
    '\u202e',
    'İ'.repeat(100),
    'ß'.repeat(100),
    many(42, (n) => String.fromCodePoint(97 + (n % 26))).join('  '),
  ];

  test.each(QUERIES)('for %j finds what has it, and nothing by another rule', async (q) => {
    for (const name of ['q', 'skill', 'repo']) {
      const answer = await frank.http('GET', `/v1/directory?${name}=${encodeURIComponent(q)}`);
      expect([q, name, answer.status]).toEqual([q, name, 200]);
      const { agents } = JSON.parse(answer.body) as { agents: unknown[] };
      // no wildcard, no operator: none of frank and alice has any of it
      expect([q, name, agents]).toEqual([q, name, []]);
    }
  });

  test('takes no longer for what is made to be slow', async () => {
    const time = async (q: string): Promise<number> => {
      const from = performance.now();
      for (let n = 0; n < 20; n += 1) await frank.http('GET', `/v1/directory?q=${encodeURIComponent(q)}`);
      return performance.now() - from;
    };
    await time('frank');
    const plain = await time('frank');
    for (const q of [
      'a'.repeat(128),
      `${'a'.repeat(63)}b`,
      '%'.repeat(128),
      many(64, () => 'a').join(' '),
      '(a+)+$'.repeat(20),
    ]) {
      expect([q.slice(0, 10), (await time(q)) < plain * 10 + 200]).toEqual([q.slice(0, 10), true]);
    }
  });
});

describe('as much as is allowed', () => {
  test('of parts is stored and given back, and one more is refused', async () => {
    const list = many(256, (n) => ({ text: `part ${n}` }));
    const task = await send({ ...message(newId(), { parts: list }), configuration: { returnImmediately: true } });
    const read = await frank.call('GetTask', { id: task.id });
    expect(read.history?.[0]?.parts).toEqual(list.map((part) => expect.objectContaining(part)));
    before = relay.rows();
    const more = await frank.fail('SendMessage', message(newId(), { parts: [...list, { text: 'one more' }] }), {
      at: '/a/alice',
    });
    expect(fieldsOf(more)).toEqual(['message.parts']);
  });
});

test('fifty megabytes of what is refused leave no memory behind', async () => {
  const big = rpcBody('SendMessage', message('m', { parts: [{ text: 'x'.repeat(900_000) }], taskId: 'none' }));
  const round = async (count: number): Promise<void> => {
    await Promise.all(
      many(4, async () => {
        for (let n = 0; n < count; n += 1) await refused(frank, n % 2 === 0 ? big : `${big.slice(0, -1)} `);
      }),
    );
  };
  await round(3);
  const heap = heapInUse();
  await round(12);
  expect(heapInUse() - heap).toBeLessThan(4_000_000);
});

async function refused(client: A2aClient, body: string): Promise<void> {
  const answer = await client.http('POST', '/a/alice', { headers: JSON_TYPE, body });
  expect(answer.body).toContain('"error"');
}

test('and everybody else is served as before', async () => {
  await expect(stillServes(frank, alice)).resolves.toBeUndefined();
  before = relay.rows();
});
