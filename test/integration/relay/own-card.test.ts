import { describe, expect, onTestFinished, test } from 'vitest';
import type { AgentCard } from '../../../relay/contract/a2a.ts';
import type { Json, JsonObject } from '../../../relay/contract/json.ts';
import { createRelay } from '../../../relay/server.ts';
import { assertAgentCard } from '../../support/a2a-1.0-schema.ts';
import { A2aClient } from '../../support/a2a-client.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { frankAndAlice } from '../../support/frank-and-alice.ts';

/** `PUT /v1/agents/me/card`: what an agent says of itself. */

const { relay, frank, alice, newId } = await frankAndAlice();

interface Saved {
  readonly handle: string;
  readonly card_url: string;
  readonly card: AgentCard;
  readonly ignored: readonly string[];
}

const put = (client: A2aClient, body: Json, headers: Record<string, string | undefined> = {}) =>
  client.http('PUT', '/v1/agents/me/card', {
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

async function save(client: A2aClient, body: JsonObject): Promise<Saved> {
  const answer = await put(client, body);
  expect([answer.status, answer.body]).toEqual([200, expect.stringContaining('"handle"')]);
  return JSON.parse(answer.body) as Saved;
}

async function cardOf(client: A2aClient, headers: Record<string, string | undefined> = { 'a2a-version': '1.0' }) {
  const answer = await frank.http('GET', `/a/${client.name}`, { headers });
  const card: unknown = JSON.parse(answer.body);
  return { answer, card: card as AgentCard };
}

describe('an agent’s own card', () => {
  test('is what everybody sees from then on, at once', async () => {
    const before = await cardOf(alice);
    const saved = await save(alice, {
      name: 'Alice — API',
      description: 'Looks after the API.',
      role: 'backend',
      skills: [
        'go',
        { id: 'pg', name: 'Postgres', description: 'Slow queries.', tags: ['sql'], examples: ['Why slow?'] },
      ],
      repos: ['apps/api/'],
      iconUrl: 'https://acme.example/alice.png',
    });
    expect(saved).toMatchObject({
      handle: 'alice@acme',
      card_url: `${relay.url}/a/alice/agent-card.json`,
      ignored: [],
    });
    const { answer, card } = await cardOf(alice);
    assertAgentCard(card);
    expect(card).toEqual(saved.card);
    expect(card).toMatchObject({
      name: 'Alice — API',
      iconUrl: 'https://acme.example/alice.png',
      skills: [{ id: 'go' }, { id: 'pg', examples: ['Why slow?'] }],
    });
    expect(answer.headers.etag).not.toBe(before.answer.headers.etag);
    const stale = await cardOf(alice, { 'a2a-version': '1.0', 'if-none-match': before.answer.headers.etag });
    expect(stale.answer.status).toBe(200);
    const old = await cardOf(alice, { 'a2a-version': '0.3' });
    expect(old.card).toMatchObject({ name: 'Alice — API', skills: [{ id: 'go' }, { id: 'pg' }] });
    expect((await cardOf(alice, {})).card).toMatchObject({ metadata: { role: 'backend', repos_owned: ['apps/api/'] } });
  });

  test('is in force for the agent’s own calls too', async () => {
    const mia = await relay.agent('mia');
    await mia.call('ListTasks', {});
    await save(mia, { listed: false });
    const { body } = await mia.http('GET', '/v1/directory?q=mia');
    expect(JSON.parse(body)).toMatchObject({ agents: [{ handle: 'mia@acme' }] });
    const { body: others } = await frank.http('GET', '/v1/directory?q=mia');
    expect(JSON.parse(others)).toMatchObject({ agents: [] });
    expect((await frank.http('GET', '/a/mia')).status).toBe(404);
    expect((await mia.http('GET', '/a/mia')).status).toBe(200);
  });

  test('may be a whole card of a third party, of which addresses and keys are not shown', async () => {
    const bot = await relay.agent('ext-bot', { kind: 'a2a' });
    const saved = await save(bot, {
      protocolVersion: '0.3.0',
      name: 'Vendor bot',
      description: 'Reviews.',
      url: 'https://vendor.example/a2a',
      preferredTransport: 'JSONRPC',
      version: '9',
      capabilities: { streaming: false },
      securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } },
      security: [{ key: [] }],
      defaultInputModes: ['text/plain'],
      defaultOutputModes: ['text/markdown'],
      skills: [{ id: 'review', name: 'Review', description: 'Reviews.', tags: ['code'], security: [{ key: [] }] }],
    });
    expect(saved.ignored).toEqual(expect.arrayContaining(['url', 'preferredTransport', 'security', 'securitySchemes']));
    const { card } = await cardOf(bot);
    assertAgentCard(card);
    expect(card.supportedInterfaces[0]?.url).toBe(`${relay.url}/a/ext-bot`);
    expect(card).toMatchObject({
      name: 'Vendor bot',
      defaultOutputModes: ['text/markdown'],
      skills: [{ id: 'review' }],
    });
    expect(JSON.stringify(card)).not.toMatch(/vendor\.example|X-Key/);
    await frank.call(
      'SendMessage',
      { message: { messageId: newId(), role: 'ROLE_USER', parts: [{ text: 'x' }] } },
      { at: '/a/ext-bot' },
    );
  });

  test('survives a restart', async () => {
    const options = { dataDir: tempDir(), name: 'acme' };
    const open = async () => {
      const one = await createRelay(options);
      onTestFinished(() => one.close());
      return { one, url: await one.listen({ host: '127.0.0.1', port: 0 }) };
    };
    const first = await open();
    const { apiKey, handle } = await first.one.register({ handle: 'priya' });
    await save(new A2aClient({ url: first.url, apiKey, handle }), {
      name: 'Priya',
      skills: [{ id: 's', name: 'S', description: 'D.', tags: ['t'] }],
    });
    await first.one.close();
    const card: unknown = await (await fetch(`${(await open()).url}/a/priya?A2A-Version=1.0`)).json();
    expect(card).toMatchObject({ name: 'Priya', skills: [{ id: 's', description: 'D.', tags: ['t'] }] });
  });
});

describe('a card that is refused', () => {
  test.each<[string, Json, string]>([
    ['hides something', { name: 'a\u202Eb' }, 'name'],
    ['is no object', ['react'], 'body'],
    ['has a member that is none', { skils: [] }, 'body'],
    ['leads to a script', { skills: ['go'], iconUrl: 'javascript:alert(1)' }, 'iconUrl'],
    ['has two skills of one id', { name: 'X', skills: ['go', 'go'] }, 'skills'],
    ['has a skill without a name', { name: 'X', skills: [{ id: 'x' }] }, 'skills.0'],
  ])('because it %s changes nothing, and says what is wrong', async (_, body, field) => {
    const before = await cardOf(alice, {});
    const answer = await put(alice, body);
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.body)).toMatchObject({
      error: {
        details: [
          {
            fieldViolations: expect.arrayContaining([
              expect.objectContaining({ field: expect.stringContaining(field) }),
            ]),
          },
          { reason: 'INVALID_PARAMS' },
        ],
      },
    });
    const after = await cardOf(alice, {});
    expect([after.answer.body, after.answer.headers.etag]).toEqual([before.answer.body, before.answer.headers.etag]);
  });

  test('is one from somebody without a key, and one that is no JSON', async () => {
    expect((await put(alice, { name: 'X' }, { authorization: undefined })).status).toBe(401);
    expect((await put(alice, { name: 'X' }, { 'content-type': 'text/plain' })).status).toBe(415);
    const cut = await alice.http('PUT', '/v1/agents/me/card', {
      headers: { 'content-type': 'application/json' },
      body: '{',
    });
    expect(cut.status).toBe(400);
  });
});

test('of two changes at once, both are kept', async () => {
  const zoe = await relay.agent('zoe');
  await Promise.all([save(zoe, { name: 'Zoë' }), save(zoe, { role: 'design' }), save(zoe, { skills: ['figma'] })]);
  expect((await cardOf(zoe, {})).card).toMatchObject({
    name: 'Zoë',
    skills: [{ id: 'figma' }],
    metadata: { role: 'design' },
  });
});
