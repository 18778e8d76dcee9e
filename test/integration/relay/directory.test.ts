import { describe, expect, test } from 'vitest';
import type { A2aClient } from '../../support/a2a-client.ts';
import { contactOf, decide } from '../../support/contacts.ts';
import { frankAndAlice } from '../../support/frank-and-alice.ts';
import { openInbox } from '../../support/inbox.ts';

/** `GET /v1/directory`: who there is on a relay. */

const { relay, frank, alice } = await frankAndAlice();
const mia = await relay.agent('mia', {
  displayName: 'Mia — Frontend',
  description: 'Frontend agent\nfor Acme apps',
  role: 'frontend',
  skills: ['react', 'Tailwind CSS'],
  repos: ['apps/web/', 'packages/ui/'],
});
const hidden = await relay.agent('hidden', { skills: ['react'], listed: false });

interface Page {
  readonly agents: readonly { readonly handle: string; readonly online: boolean }[];
  readonly next_cursor: string;
}
async function search(query: string, client: A2aClient = frank): Promise<Page> {
  const { status, body } = await client.http('GET', `/v1/directory${query}`);
  expect([query, status]).toEqual([query, 200]);
  return JSON.parse(body) as Page;
}
const handles = async (query: string, client?: A2aClient) =>
  (await search(query, client)).agents.map(({ handle }) => handle);

describe('the directory', () => {
  test('shows of an agent what its card says, and whether it is there', async () => {
    const row = {
      handle: 'mia@acme',
      name: 'Mia — Frontend',
      description: 'Frontend agent for Acme apps',
      role: 'frontend',
      skills: ['react', 'Tailwind CSS'],
      repos: ['apps/web/', 'packages/ui/'],
      card_url: `${relay.url}/a/mia/agent-card.json`,
    };
    expect(await search('?q=mia')).toEqual({ agents: [{ ...row, online: false }], next_cursor: '' });
    await openInbox(mia);
    expect(await search('?q=mia')).toEqual({ agents: [{ ...row, online: true }], next_cursor: '' });
  });

  test.each([
    ['?q=frontend', ['mia@acme']],
    ['?q=MIA%20apps', ['mia@acme']],
    ['?q=mia@acme', ['mia@acme']],
    ['?skill=tailwind', ['mia@acme']],
    ['?skill=tail', []],
    ['?repo=apps/web/src/button.tsx', ['mia@acme']],
    ['?repo=apps/', ['mia@acme']],
    ['?repo=apps/webs', []],
    ['?q=frontend&skill=react&repo=packages', ['mia@acme']],
    ['?q=%25', []],
    ['?q=&skill=&repo=', ['alice@acme', 'frank@acme', 'mia@acme']],
    ['', ['alice@acme', 'frank@acme', 'mia@acme']],
  ])('answers %j with %j', async (query, found) => {
    expect(await handles(query)).toEqual(found);
  });

  test('shows those who are not listed to nobody but themselves', async () => {
    expect(await handles('?skill=react')).toEqual(['mia@acme']);
    expect(await handles('?skill=react', hidden)).toEqual(['hidden@acme', 'mia@acme']);
  });

  test('pages, each page going on where the one before ended', async () => {
    const seen: string[] = [];
    let cursor = '';
    do {
      const page = await search(`?limit=1&cursor=${cursor}`, alice);
      expect(page.agents).toHaveLength(1);
      seen.push(...page.agents.map(({ handle }) => handle));
      cursor = page.next_cursor;
    } while (cursor !== '');
    expect(seen).toEqual(['alice@acme', 'frank@acme', 'mia@acme']);
  });

  test.each([
    '?limit=0',
    '?limit=101',
    '?limit=x',
    '?cursor=%20x',
    `?q=${'x'.repeat(129)}`,
    '?q=a&q=b',
    `?cursor=${btoa("a' OR 1")}`,
  ])('refuses %s and names the field', async (query) => {
    const { status, body } = await frank.http('GET', `/v1/directory${query}`);
    expect(status).toBe(400);
    const field = /^\?(\w+)/.exec(query)?.[1];
    expect(JSON.parse(body)).toMatchObject({
      error: { details: [{ fieldViolations: [{ field }] }, { reason: 'INVALID_PARAMS' }] },
    });
  });

  test('is for agents of the relay alone', async () => {
    const { status } = await frank.http('GET', '/v1/directory', { headers: { authorization: undefined } });
    expect(status).toBe(401);
  });
});

test('an agent that calls itself by the handle of another one is shown as what it is, there and among contacts', async () => {
  const bot = await relay.agent('ext-bot', { displayName: 'alice@acme' });
  const { agents } = await search('?q=ext-bot');
  const [row] = agents as unknown as readonly { readonly name: string }[];
  expect(row?.name).not.toBe('alice@acme');
  expect(row?.name).toContain('alice@acme');
  await decide(frank, bot.handle, 'accept');
  expect((await contactOf(frank, bot.handle))?.name).toBe(row?.name);
});
