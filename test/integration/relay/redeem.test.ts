import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createInviteCode, createKey } from '../../../relay/identity/keys.ts';
import { contactOf, decide } from '../../support/contacts.ts';
import { adminToken, cause, invite, invites, joined, ownedRelay, ownerOf, redeem } from '../../support/invites.ts';
import { post, reasonIn } from '../../support/keys.ts';
import { relayForTest, startRelay } from '../../support/relay.ts';
import { tempDir } from '../../support/temp-dir.ts';

describe('an invite that is over', () => {
  test('was used: says so to everybody but to its own agent with its own key, which gets the same answer', async () => {
    const { relay, frank, pass } = await ownedRelay();
    const { code } = await invite(frank);
    const apiKey = createKey(randomBytes);
    const first = joined(await redeem(relay, code, { api_key: apiKey }));
    expect(first.api_key).toBe(apiKey);
    const before = relay.rows();
    pass(365 * 86_400_000);
    expect(joined(await redeem(relay, code, { api_key: apiKey, name: 'Somebody' }))).toEqual(first);
    for (const more of [{}, { api_key: createKey(randomBytes) }, { api_key: frank.apiKey }]) {
      expect(cause(await redeem(relay, code, more))).toBe('USED');
    }
    expect(relay.rows()).toEqual(before);
  });

  test('does not make contacts again of those who are none any more', async () => {
    const { relay, frank } = await ownedRelay();
    const { code } = await invite(frank);
    const apiKey = createKey(randomBytes);
    await redeem(relay, code, { api_key: apiKey });
    await decide(frank, 'mia@acme', 'decline');
    joined(await redeem(relay, code, { api_key: apiKey }));
    expect(await contactOf(frank, 'mia@acme')).toMatchObject({ incoming: 'declined' });
  });

  test('has expired: to the millisecond', async () => {
    const { relay, frank, pass } = await ownedRelay();
    const [mia, priya] = [
      await invite(frank, { handle: 'mia', expires_in_s: 60 }),
      await invite(frank, { handle: 'priya', expires_in_s: 60 }),
    ];
    pass(59_999);
    joined(await redeem(relay, mia.code));
    pass(1);
    const before = relay.rows();
    expect(cause(await redeem(relay, priya.code))).toBe('EXPIRED');
    expect(relay.rows()).toEqual(before);
    expect((await invites(frank)).invites.map(({ state }) => state)).toEqual(['expired', 'used']);
    expect((await frank.http('DELETE', `/v1/invites/${priya.id}`)).status).toBe(404);
  });

  test('was withdrawn: by the admin, by a newer one for the same handle, or with its inviter', async () => {
    const { relay, frank, admin } = await ownedRelay();
    const [first, second] = [await invite(frank), await invite(admin)];
    expect(cause(await redeem(relay, first.code))).toBe('WITHDRAWN');
    expect((await admin.http('DELETE', `/v1/invites/${second.id}`)).status).toBe(204);
    expect((await admin.http('DELETE', `/v1/invites/${second.id}`)).status).toBe(404);
    expect(cause(await redeem(relay, second.code))).toBe('WITHDRAWN');
    const third = await invite(frank);
    await admin.http('DELETE', '/admin/agents/frank');
    expect(cause(await redeem(relay, third.code))).toBe('WITHDRAWN');
    expect((await invites(admin)).invites.map(({ state }) => state)).toEqual(['withdrawn', 'withdrawn', 'withdrawn']);
  });

  test.each([
    ['changed', (code: string) => `${code.slice(0, 20)}${code[20] === 'x' ? 'y' : 'x'}${code.slice(21)}`],
    ['cut', (code: string) => code.slice(0, -1)],
    ['of another relay', () => createInviteCode(randomBytes)],
    ['a key', () => createKey(randomBytes)],
    ['empty', () => ''],
  ])('is no invite when its code is %s: 401, and not used up', async (_, tamper) => {
    const { relay, frank } = await ownedRelay();
    const { code } = await invite(frank);
    const answer = await redeem(relay, tamper(code));
    expect([answer.status, reasonIn(answer.body)]).toEqual([401, 'INVITE_INVALID']);
    expect(answer.headers['www-authenticate']).toContain('Bearer');
    joined(await redeem(relay, code));
  });

  test('is not guessed: an address has so many tries, as with keys', async () => {
    const { relay, frank } = await ownedRelay({ rateLimits: { wrongKeys: 3 } });
    const { code } = await invite(frank);
    const guess = async (): Promise<number> => (await redeem(relay, createInviteCode(randomBytes))).status;
    expect([await guess(), await guess(), await guess()]).toEqual([401, 401, 401]);
    expect(await guess()).toBe(429);
    expect(reasonIn((await redeem(relay, code)).body)).toBe('RATE_LIMITED');
  });
});

describe('redeeming', () => {
  test('is done by one of fifty who have the same link at the same time', async () => {
    const { relay, frank } = await ownedRelay();
    const { code } = await invite(frank);
    const agents = relay.rows()['agent'] ?? 0;
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => redeem(relay, code, { api_key: createKey(randomBytes) })),
    );
    const won = answers.filter(({ status }) => status === 200);
    expect(won).toHaveLength(1);
    expect(new Set(answers.filter((one) => !won.includes(one)).map(cause))).toEqual(new Set(['USED']));
    expect(relay.rows()).toMatchObject({ agent: agents + 1, api_key: agents + 1 });
  });

  test('leaves the invite open where the handle was taken since, or the key is somebody’s', async () => {
    const { relay, frank } = await ownedRelay();
    const { code } = await invite(frank);
    expect(reasonIn((await redeem(relay, code, { api_key: frank.apiKey })).body)).toBe('INVALID_PARAMS');
    const [{ id } = { id: '' }] = (await invites(frank)).invites;
    await relay.agent('mia');
    const { status, body } = await redeem(relay, code);
    expect([status, reasonIn(body)]).toEqual([409, 'HANDLE_TAKEN']);
    expect((await invites(frank)).invites).toMatchObject([{ id, state: 'open' }]);
  });

  test('needs a relay that takes somebody', async () => {
    const { relay, frank } = await ownedRelay({ registration: 'closed' });
    for (const { status, body } of [
      await post(frank, '/v1/invites', { handle: 'mia' }),
      await redeem(relay, createInviteCode(randomBytes)),
    ]) {
      expect([status, reasonIn(body)]).toEqual([403, 'REGISTRATION_CLOSED']);
    }
  });

  test('goes on where it was when the relay starts again', async () => {
    const dataDir = tempDir();
    const before = await startRelay({ dataDir, adminToken });
    const frank = await ownerOf(before);
    const [mia, priya, eve] = [
      await invite(frank),
      await invite(frank, { handle: 'priya' }),
      await invite(frank, { handle: 'eve' }),
    ];
    const apiKey = createKey(randomBytes);
    const first = joined(await redeem(before, mia.code, { api_key: apiKey }));
    await frank.http('DELETE', `/v1/invites/${eve.id}`);
    await before.relay.close();
    const after = await relayForTest({ dataDir, adminToken });
    const again = joined(await redeem(after, mia.code, { api_key: apiKey }));
    expect([again.handle, again.relay_id]).toEqual([first.handle, first.relay_id]);
    expect(cause(await redeem(after, mia.code))).toBe('USED');
    expect(cause(await redeem(after, eve.code))).toBe('WITHDRAWN');
    expect(joined(await redeem(after, priya.code)).handle).toBe('priya@acme');
  });
});
