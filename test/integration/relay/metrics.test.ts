import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createAdminToken } from '../../../relay/identity/admin-token.ts';
import { createKey } from '../../../relay/identity/keys.ts';
import { message, type A2aClient } from '../../support/a2a-client.ts';
import { openInbox } from '../../support/inbox.ts';
import { isStored } from '../../support/presence.ts';
import { relayForTest } from '../../support/relay.ts';

const at = '/a/alice';

async function acme(options: Parameters<typeof relayForTest>[0] = {}) {
  const relay = await relayForTest(options);
  return { relay, alice: await relay.agent('alice'), frank: await relay.agent('frank') };
}

/** The numbers, by name and labels. */
async function look(client: A2aClient): Promise<ReadonlyMap<string, number>> {
  const answer = await client.http('GET', '/metrics', { headers: { authorization: undefined } });
  expect(answer.status).toBe(200);
  expect(answer.headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
  const lines = answer.body.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => {
      const space = line.lastIndexOf(' ');
      return [line.slice(0, space), Number(line.slice(space + 1))];
    }),
  );
}

/** Looks until the number is there. */
async function becomes(client: A2aClient, name: string, value: number): Promise<void> {
  while ((await look(client)).get(name) !== value);
}

describe('metrics', () => {
  test('count requests by route and status, and never by what was asked for', async () => {
    const { frank } = await acme();
    await frank.call('ListTasks', {});
    for (const path of ['/nowhere', '/elsewhere']) await frank.http('GET', path);
    await frank.http('GET', '/a/alice');
    await frank.http('GET', '/a/nobody');
    const name = (method: string, route: string, status: number) =>
      `agentrelay_http_requests_total{method="${method}",route="${route}",status="${status}"}`;
    await becomes(frank, name('GET', '/a/:handle', 404), 1);
    const seen = await look(frank);
    expect(seen.get(name('POST', '/a2a', 200))).toBe(1);
    expect(seen.get(name('GET', 'none', 404))).toBe(2);
    expect(seen.get(name('GET', '/a/:handle', 200))).toBe(1);
    expect([...seen.keys()].join()).not.toMatch(/nowhere|nobody|frank|ar_/);
  });

  test('know what is open now: streams, and calls that wait', async () => {
    const { alice, frank } = await acme({ blockMs: 3_600_000 });
    const inbox = await openInbox(alice);
    const stream = await frank.stream('SendStreamingMessage', message('s'), { at });
    await stream.next();
    const leaving = new AbortController();
    const waiting = frank.call('SendMessage', message('w'), { at, signal: leaving.signal });
    await isStored(alice, 'w');
    await becomes(frank, 'agentrelay_waiting_calls', 1);
    expect((await look(frank)).get('agentrelay_open_streams')).toBe(2);
    leaving.abort();
    await expect(waiting).rejects.toThrow(/abort/);
    stream.destroy();
    inbox.destroy();
    await becomes(frank, 'agentrelay_waiting_calls', 0);
    await becomes(frank, 'agentrelay_open_streams', 0);
    const streams = 'agentrelay_http_requests_total{method="GET",route="/v1/inbox/events",status="200"}';
    await becomes(frank, streams, 1);
  });

  test('know how handoffs stand, and how many came to which state', async () => {
    const { alice, frank } = await acme();
    const ids: string[] = [];
    for (const id of ['m1', 'm2', 'm3']) {
      const sent = await frank.call('SendMessage', message(id), { at });
      if ('task' in sent) ids.push(sent.task.id);
    }
    await alice.extension('tasks/update', { task_id: String(ids[0]), transition: 'accept' });
    await alice.extension('tasks/update', { task_id: String(ids[1]), transition: 'decline', reason: 'no' });
    const seen = await look(frank);
    const open = (state: string) => seen.get(`agentrelay_open_handoffs{state="${state}"}`);
    expect([open('pending'), open('accepted'), open('input_required'), open('declined')]).toEqual([1, 1, 0, undefined]);
    const reached = (state: string) => seen.get(`agentrelay_handoffs_total{state="${state}"}`);
    expect([reached('pending'), reached('accepted'), reached('declined')]).toEqual([3, 1, 1]);
  });

  test('know how long commits take, and what the process needs', async () => {
    const { frank } = await acme();
    await frank.call('SendMessage', message('m'), { at });
    const seen = await look(frank);
    const commits = seen.get('agentrelay_commit_duration_seconds_count') ?? 0;
    expect(commits).toBeGreaterThan(0);
    expect(seen.get('agentrelay_commit_duration_seconds_bucket{le="+Inf"}')).toBe(commits);
    expect(seen.get('agentrelay_commit_duration_seconds_sum')).toBeGreaterThan(0);
    expect(seen.get('process_resident_memory_bytes')).toBeGreaterThan(1_000_000);
  });
});

describe('who may see them', () => {
  const adminToken = createAdminToken(randomBytes);
  const asks = (client: A2aClient, authorization?: string) =>
    client.http('GET', '/metrics', { headers: { authorization, 'x-forwarded-for': '192.0.2.1' } });

  test('is the admin, where callers come through a proxy: none of them is known to be on this machine', async () => {
    const { frank } = await acme({ adminToken, edge: { proxies: ['loopback'] } });
    expect((await asks(frank)).status).toBe(401);
    expect((await asks(frank, `Bearer ${frank.apiKey}`)).status).toBe(403);
    expect((await asks(frank, `Bearer ${adminToken}`)).status).toBe(200);
    expect((await frank.http('GET', '/metrics', { headers: { authorization: undefined } })).status).toBe(401);
  });

  test('is there a key with that scope, where there is no admin token', async () => {
    const { relay, frank } = await acme({ edge: { proxies: ['loopback'] } });
    expect((await asks(frank)).status).toBe(401);
    expect((await asks(frank, `Bearer ${frank.apiKey}`)).status).toBe(403);
    const { apiKey } = await relay.relay.own({ handle: 'owner', apiKey: createKey(randomBytes) });
    expect((await asks(frank, `Bearer ${apiKey}`)).status).toBe(200);
  });

  test('is no page of any origin', async () => {
    const { frank } = await acme();
    const { headers } = await frank.http('GET', '/metrics', { headers: { origin: 'https://elsewhere.example' } });
    expect(headers['access-control-allow-origin']).toBeUndefined();
    expect(headers['cache-control']).toBe('no-store');
  });
});
