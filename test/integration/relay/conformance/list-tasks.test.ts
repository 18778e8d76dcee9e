import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Task } from '../../../../relay/contract/a2a.ts';
import type { JsonObject } from '../../../../relay/contract/json.ts';
import { fieldsOf, message, type A2aClient } from '../../../support/a2a-client.ts';
import { startRelay, type TestRelay } from '../../../support/relay.ts';

/** ListTasks (A2A 1.0.1 section 3.1.4). */

const SENT = 9;

let relay: TestRelay;
let frank: A2aClient;
let alice: A2aClient;
let now = Date.UTC(2026, 0, 1);
/** Ids in the order in which they were sent. The clock stands still for three at a time: their times are alike. */
const ids: string[] = [];

beforeAll(async () => {
  relay = await startRelay({ clock: () => now });
  alice = await relay.agent('alice');
  frank = await relay.agent('frank');
  for (let n = 0; n < SENT; n++) {
    if (n % 3 === 0) now += 1000;
    const answer = await frank.call('SendMessage', message(`m${n}`, n < 2 ? { contextId: 'c-1' } : {}), {
      at: '/a/alice',
    });
    if ('task' in answer) ids.push(answer.task.id);
  }
  now += 1000;
  // the first becomes the newest, with an artifact
  await alice.extension('tasks/update', {
    task_id: ids[0] ?? '',
    artifacts: [{ artifactId: 'a', parts: [{ text: 'x' }] }],
  });
});
afterAll(() => relay.close());

const list = (params: JsonObject = {}, at = '/a/alice') => frank.call('ListTasks', params, { at });
const idsOf = (tasks: readonly Task[]): string[] => tasks.map(({ id }) => id);

/** All pages, one after the other. */
async function pages(params: JsonObject): Promise<Task[][]> {
  const all: Task[][] = [];
  let pageToken = '';
  do {
    const page = await list({ ...params, pageToken });
    all.push([...page.tasks]);
    pageToken = page.nextPageToken;
  } while (pageToken !== '');
  return all;
}

describe('a list', () => {
  test('has all four members, also where there is nothing in it', async () => {
    expect(await list({ contextId: 'nothing' })).toEqual({ tasks: [], nextPageToken: '', pageSize: 50, totalSize: 0 });
    expect(await list()).toMatchObject({ nextPageToken: '', pageSize: 50, totalSize: SENT });
  });

  test('has the newest status first, and the same order every time', async () => {
    const { tasks } = await list();
    const [first = '', ...others] = ids;
    expect(idsOf(tasks)).toEqual([first, ...others.toReversed()]);
    const times = tasks.map(({ status }) => Date.parse(status.timestamp ?? ''));
    expect(times).toEqual(times.toSorted((a, b) => b - a));
    expect(await list()).toEqual(await list());
  });

  test('has no artifacts, not even an empty list, unless it is asked for them', async () => {
    for (const params of [{}, { includeArtifacts: false }, { includeArtifacts: null }]) {
      for (const task of (await list(params)).tasks) expect(task).not.toHaveProperty('artifacts');
    }
    const [first, second] = (await list({ includeArtifacts: true })).tasks;
    expect(first?.artifacts).toEqual([{ artifactId: 'a', parts: [{ text: 'x' }] }]);
    expect(second).not.toHaveProperty('artifacts');
  });

  test('has the history that it is asked for', async () => {
    expect((await list({ historyLength: 1 })).tasks[0]?.history).toHaveLength(1);
    expect((await list({ historyLength: 0 })).tasks[0]).not.toHaveProperty('history');
  });
});

describe('pages', () => {
  test.each([1, 2, 3, 4, 8, 9, 10, 100])('of %i hold each task once, in the order of the list', async (pageSize) => {
    const all = await pages({ pageSize });
    expect(idsOf(all.flat())).toEqual(idsOf((await list()).tasks));
    expect(all.map(({ length }) => length)).toEqual(
      Array.from({ length: Math.ceil(SENT / pageSize) }, (_, n) => Math.min(pageSize, SENT - n * pageSize)),
    );
  });

  test('go on after the task with which a page ended, whatever became of it', async () => {
    const page = await list({ pageSize: 5 });
    const moved = page.tasks.at(-1)?.id ?? '';
    now += 1000;
    await alice.extension('tasks/update', { task_id: moved, transition: 'accept' });
    const rest = await list({ pageSize: 50, pageToken: page.nextPageToken });
    expect(idsOf([...page.tasks, ...rest.tasks]).toSorted()).toEqual(ids.toSorted());
    now += 1000;
    await alice.extension('tasks/update', { task_id: moved, transition: 'complete' });
    expect(idsOf((await list({ pageSize: 50, pageToken: page.nextPageToken })).tasks)).toEqual(idsOf(rest.tasks));
  });

  test('go on from a token that another list gave', async () => {
    const { nextPageToken } = await list({ pageSize: 3 });
    const filtered = await list({ pageToken: nextPageToken, status: 'TASK_STATE_SUBMITTED' });
    expect(filtered.tasks.length).toBeGreaterThan(0);
  });
});

describe('filters', () => {
  test('by state, by name or number', async () => {
    const { tasks } = await list();
    for (const [state, number] of [
      ['TASK_STATE_SUBMITTED', 1],
      ['TASK_STATE_WORKING', 2],
      ['TASK_STATE_COMPLETED', 3],
      ['TASK_STATE_AUTH_REQUIRED', 8],
    ] as const) {
      const expected = idsOf(tasks.filter(({ status }) => status.state === state));
      for (const status of [state, number]) {
        const filtered = await list({ status });
        expect(idsOf(filtered.tasks)).toEqual(expected);
        expect(filtered.totalSize).toBe(expected.length);
      }
    }
    for (const status of ['TASK_STATE_UNSPECIFIED', 0, null]) expect((await list({ status })).totalSize).toBe(SENT);
  });

  test('by the time of the status, that time included', async () => {
    const all = (await list()).tasks;
    for (const { status } of all) {
      const statusTimestampAfter = status.timestamp ?? '';
      const expected = all.filter((task) => (task.status.timestamp ?? '') >= statusTimestampAfter);
      expect(idsOf((await list({ statusTimestampAfter })).tasks)).toEqual(idsOf(expected));
    }
    expect((await list({ statusTimestampAfter: '2030-01-01T00:00:00Z' })).tasks).toEqual([]);
    expect((await list({ statusTimestampAfter: '1970-01-01T01:00:00+01:00' })).totalSize).toBe(SENT);
  });

  test('by context, and all of them together', async () => {
    expect(idsOf((await list({ contextId: 'c-1' })).tasks).toSorted()).toEqual(ids.slice(0, 2).toSorted());
    const { totalSize } = await list({
      contextId: 'c-1',
      status: 'TASK_STATE_SUBMITTED',
      statusTimestampAfter: '2026-01-01T00:00:01Z',
    });
    expect(totalSize).toBe(1);
  });
});

describe('what cannot be is refused', () => {
  test.each<[JsonObject, string]>([
    [{ pageSize: 0 }, 'pageSize'],
    [{ pageSize: -1 }, 'pageSize'],
    [{ pageSize: 101 }, 'pageSize'],
    [{ pageSize: 1e9 }, 'pageSize'],
    [{ pageSize: 1.5 }, 'pageSize'],
    [{ pageSize: 'many' }, 'pageSize'],
    [{ pageSize: '101' }, 'pageSize'],
    [{ historyLength: -1 }, 'historyLength'],
    [{ historyLength: 2 ** 31 }, 'historyLength'],
    [{ status: 'working' }, 'status'],
    [{ status: 9 }, 'status'],
    [{ status: -1 }, 'status'],
    [{ status: {} }, 'status'],
    [{ statusTimestampAfter: 'yesterday' }, 'statusTimestampAfter'],
    [{ statusTimestampAfter: '2026-02-30T00:00:00Z' }, 'statusTimestampAfter'],
    [{ statusTimestampAfter: 0 }, 'statusTimestampAfter'],
    [{ includeArtifacts: 'true' }, 'includeArtifacts'],
    [{ contextId: 7 }, 'contextId'],
    [{ pageToken: 'garbage' }, 'pageToken'],
    [{ pageToken: 'W10' }, 'pageToken'],
    [{ pageToken: Buffer.from('[1e99,"x"]').toString('base64url') }, 'pageToken'],
    [{ pageToken: Buffer.from('[-1,"x"]').toString('base64url') }, 'pageToken'],
    [{ pageToken: Buffer.from('{"__proto__":[]}').toString('base64url') }, 'pageToken'],
    [{ pageToken: 'x'.repeat(1025) }, 'pageToken'],
    [{ pageToken: 7 }, 'pageToken'],
  ])('%j', async (params, field) => {
    const error = await frank.fail('ListTasks', params, { at: '/a/alice' });
    expect([error.code, fieldsOf(error)]).toEqual([-32602, [field]]);
  });
});

describe('a page of large tasks', () => {
  test(
    'ends early, says so by its token, and the pages together hold each task once',
    { timeout: 30_000 },
    async () => {
      const other = await relay.agent('mia');
      const priya = await relay.agent('priya');
      const large = 'x'.repeat(950_000);
      const sent: string[] = [];
      for (let n = 0; n < 11; n++) {
        const params = {
          ...message(`large ${n}`, { parts: [{ text: large }] }),
          configuration: { returnImmediately: true },
        };
        const answer = await other.call('SendMessage', params, { at: '/a/priya' });
        if ('task' in answer) sent.push(answer.task.id);
      }
      const first = await priya.call('ListTasks', { pageSize: 100 }, { at: '/a/priya' });
      expect(first.tasks.length).toBeLessThan(11);
      expect(first.tasks.length).toBeGreaterThan(1);
      const rest = await priya.call('ListTasks', { pageSize: 100, pageToken: first.nextPageToken }, { at: '/a/priya' });
      expect(rest.nextPageToken).toBe('');
      expect(idsOf([...first.tasks, ...rest.tasks]).toSorted()).toEqual(sent.toSorted());
      // without the words they are small
      const bare = await priya.call('ListTasks', { pageSize: 100, historyLength: 0 }, { at: '/a/priya' });
      expect(bare.tasks).toHaveLength(11);
    },
  );
});
