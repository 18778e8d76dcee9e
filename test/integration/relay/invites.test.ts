import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { invitesSchema, parseInviteLink } from '../../../relay/contract/invite.ts';
import type { JsonObject } from '../../../relay/contract/json.ts';
import { createAdminToken } from '../../../relay/identity/admin-token.ts';
import { createKey } from '../../../relay/identity/keys.ts';
import { A2aClient, message } from '../../support/a2a-client.ts';
import { contactOf } from '../../support/contacts.ts';
import { invite, invites, joined, ownedRelay, redeem, START } from '../../support/invites.ts';
import { keysOf, narrowed, post, reasonIn } from '../../support/keys.ts';

describe('an invite', () => {
  test('is a link that says where the relay is and who, with a code behind # that nobody else is shown', async () => {
    const { relay, frank } = await ownedRelay();
    const { link, id, expires_at: expiresAt, code } = await invite(frank, { handle: 'mia', role: 'reviewer' });
    expect(parseInviteLink(link)).toEqual({ relayUrl: relay.url, relayId: relay.relay.id, code, isPlain: false });
    expect(expiresAt).toBe(new Date(START + 86_400_000).toISOString());
    const listed = await frank.http('GET', '/v1/invites');
    expect(listed.body).not.toContain(code);
    expect(invitesSchema.parse(JSON.parse(listed.body)).invites).toEqual([
      {
        id,
        handle: 'mia@acme',
        role: 'reviewer',
        state: 'open',
        inviter: 'frank@acme',
        created_at: new Date(START).toISOString(),
        expires_at: expiresAt,
      },
    ]);
  });

  test('lets in one agent, of exactly its handle and role, and makes it and its inviter contacts', async () => {
    const { relay, frank } = await ownedRelay();
    const { code } = await invite(frank, { handle: 'Mia@acme', role: 'reviewer' });
    const answer = joined(await redeem(relay, code, { name: 'Mia M.', kind: 'a2a', skills: ['css'], colour: 'red' }));
    expect(answer).toEqual({
      handle: 'mia@acme',
      endpoint: `${relay.url}/a/mia`,
      card_url: `${relay.url}/a/mia/agent-card.json`,
      api_key: expect.stringMatching(/^ar_/),
      relay_id: relay.relay.id,
      inviter: 'frank@acme',
    });
    const mia = new A2aClient({ url: relay.url, apiKey: answer.api_key, handle: answer.handle });
    expect((await keysOf(mia)).map(({ scopes }) => scopes)).toEqual([['send', 'receive', 'contacts']]);
    for (const [of, other] of [
      [mia, 'frank@acme'],
      [frank, 'mia@acme'],
    ] as const) {
      expect(await contactOf(of, other)).toMatchObject({ incoming: 'accepted', outgoing: 'accepted' });
    }
    expect(await mia.call('SendMessage', message('m'), { at: '/a/frank' })).toHaveProperty('task.id');
    const card = JSON.parse((await frank.http('GET', '/a/mia')).body) as JsonObject;
    expect(card).toMatchObject({ name: 'Mia M.', metadata: { role: 'reviewer' } });
    expect((await invites(frank)).invites).toMatchObject([
      { state: 'used', redeemed_at: new Date(START).toISOString() },
    ]);
  });

  test('of the admin token has no inviter, and makes nobody a contact', async () => {
    const { relay, admin, frank } = await ownedRelay();
    const { code } = await invite(admin);
    const answer = joined(await redeem(relay, code));
    expect(answer).not.toHaveProperty('inviter');
    expect((await invites(admin)).invites[0]).not.toHaveProperty('inviter');
    expect(await contactOf(frank, 'mia@acme')).toBeUndefined();
    const mia = new A2aClient({ url: relay.url, apiKey: answer.api_key });
    expect(JSON.parse((await mia.http('GET', '/v1/contacts')).body)).toEqual({ contacts: [], next_cursor: '' });
  });

  test('gives a role that its bearer cannot change, while the rest of the card is its own', async () => {
    const { relay, frank } = await ownedRelay();
    const { code } = await invite(frank, { handle: 'mia', role: 'reviewer' });
    const mia = new A2aClient({ url: relay.url, apiKey: joined(await redeem(relay, code)).api_key });
    for (const role of ['admin', null, 'reviewer ']) {
      const answer = await post(mia, '/v1/agents/me/card', { role, name: 'Mia' }, 'PUT');
      expect([role, answer.status]).toEqual([role, role === 'reviewer ' ? 200 : 400]);
    }
    expect((await post(mia, '/v1/agents/me/card', { name: 'Mia M.' }, 'PUT')).status).toBe(200);
    const card = JSON.parse((await frank.http('GET', '/a/mia')).body) as JsonObject;
    expect(card).toMatchObject({ name: 'Mia M.', metadata: { role: 'reviewer' } });
    // without a role in the invite there is none to keep
    const { code: plain } = await invite(frank, { handle: 'priya' });
    const priya = new A2aClient({ url: relay.url, apiKey: joined(await redeem(relay, plain)).api_key });
    expect((await post(priya, '/v1/agents/me/card', { role: 'designer' }, 'PUT')).status).toBe(200);
  });

  test.each([
    { handle: 'owner' },
    { handle: 'mia' },
    { role: 'admin' },
    { scopes: ['admin'] },
    { api_key: 'short' },
    { api_key: 7 },
    { kind: 'human' },
    { name: '' },
    { code: 7 },
    { code: null },
  ])('is not used up by a body that says %j', async (more) => {
    const { relay, frank } = await ownedRelay();
    const { code } = await invite(frank);
    const before = relay.rows();
    const { status, body } = await redeem(relay, code, more);
    expect([status, reasonIn(body)]).toEqual([400, 'INVALID_PARAMS']);
    expect(relay.rows()).toEqual(before);
    expect(joined(await redeem(relay, code)).handle).toBe('mia@acme');
  });

  test.each([
    {},
    { handle: 'a b' },
    { handle: 'mia@other' },
    { handle: 'mia', role: '' },
    { handle: 'mia', expires_in_s: 59 },
    { handle: 'mia', expires_in_s: 2_592_001 },
    { handle: 'mia', expires_in_s: '60' },
    [],
  ])('is not made of %j', async (body) => {
    const { relay, frank } = await ownedRelay();
    const before = relay.rows();
    const { status, body: text } = await post(frank, '/v1/invites', body);
    expect([status, reasonIn(text)]).toEqual([400, 'INVALID_PARAMS']);
    expect(relay.rows()).toEqual(before);
  });

  test('is not made for a handle that is taken, was somebody’s, or is the relay’s own', async () => {
    const { relay, frank } = await ownedRelay();
    await relay.agent('priya');
    await frank.http('DELETE', '/admin/agents/priya');
    for (const handle of ['frank', 'FRANK@acme', 'priya', 'guide', 'admin']) {
      const { status, body } = await post(frank, '/v1/invites', { handle });
      expect([handle, status, reasonIn(body)]).toEqual([handle, 409, 'HANDLE_TAKEN']);
    }
  });

  test('is made by nobody but the admin, who alone sees and withdraws them', async () => {
    const { relay, frank } = await ownedRelay();
    const { id } = await invite(frank);
    const mallory = await relay.agent('mallory');
    for (const [client, status] of [
      [mallory, 403],
      [await narrowed(frank, ['send', 'receive', 'contacts']), 403],
      [new A2aClient({ url: relay.url, apiKey: createKey(randomBytes) }), 401],
      [new A2aClient({ url: relay.url, apiKey: createAdminToken(randomBytes) }), 401],
    ] as const) {
      const answers = [
        await post(client, '/v1/invites', { handle: 'eve' }),
        await client.http('GET', '/v1/invites'),
        await client.http('DELETE', `/v1/invites/${id}`),
      ];
      expect(answers.map((answer) => answer.status)).toEqual([status, status, status]);
    }
    expect((await invites(frank)).invites).toMatchObject([{ id, state: 'open' }]);
    await invite(await narrowed(frank, ['admin']), { handle: 'priya' });
  });

  test('is listed newest first, in pages', async () => {
    const { frank } = await ownedRelay();
    for (const handle of ['mia', 'priya', 'ext-bot']) await invite(frank, { handle });
    const first = await invites(frank, '?limit=2');
    expect(first.invites.map(({ handle }) => handle)).toEqual(['ext-bot@acme', 'priya@acme']);
    const second = await invites(frank, `?limit=2&cursor=${first.next_cursor}`);
    expect(second).toMatchObject({ invites: [{ handle: 'mia@acme' }], next_cursor: '' });
    expect((await frank.http('GET', '/v1/invites?limit=0')).status).toBe(400);
  });
});
