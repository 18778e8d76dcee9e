import { randomBytes } from 'node:crypto';
import { createServer, request as httpRequest, ServerResponse, type RequestListener } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { formatInviteLink, parseInviteLink } from '../../../relay/contract/invite.ts';
import { createKey } from '../../../relay/identity/keys.ts';
import { written } from '../../support/written.ts';
import { auditOf, handOff, kept, member, outboxOf, rowAt, rulesOf, type Member } from './members.ts';
import { startRelay, type RunningRelay } from './support.ts';

/** Frank runs the relay vendor; alice is at home on acme. */
async function twoRelays(
  name = 'vendor',
): Promise<{ acme: RunningRelay; vendor: RunningRelay; alice: Member; frank: Member }> {
  const [acme, vendor] = [await startRelay(), await startRelay({ name })];
  const frank = await member(vendor, 'frank', { isOwner: true, contacts: 'ask' });
  return { acme, vendor, frank, alice: await member(acme, 'alice') };
}

const invite = async ({ desk }: Member, handle = 'alice') => (await desk.call('invite', { handle }, 'human')).link;
const secretsFile = ({ home }: Member): string => join(home, 'secrets.json');
const keysOf = (one: Member): Record<string, string> =>
  JSON.parse(readFileSync(secretsFile(one), 'utf8')) as Record<string, string>;
const writeKeys = (one: Member, keys: object): void => writeFileSync(secretsFile(one), JSON.stringify(keys));
const joinBy = ({ desk }: Member, link: string, alias?: string) =>
  desk.call('join', { link, ...(alias && { alias }) }, 'human');

describe('joining another relay', () => {
  it('makes an account there, and each a teammate of the other, and their work comes into one inbox', async () => {
    const { alice, frank, vendor, acme } = await twoRelays();
    const mia = await member(acme, 'mia');
    expect(await joinBy(alice, await invite(frank))).toEqual({
      handle: 'alice@vendor',
      relay: vendor.url,
      inviter: 'frank@vendor',
    });
    expect(rulesOf(alice)).toContain('frank@vendor: {}');
    await expect.poll(() => rulesOf(frank)).toContain('alice@vendor: {}');
    const fromFrank = written(await handOff(frank, 'alice', 'From the vendor'));
    const fromMia = written(await handOff(mia, 'alice', 'From home'));
    await expect
      .poll(async () => (await alice.desk.call('getSnapshot', {}, 'human')).items)
      .toMatchObject([
        { task_id: fromMia.task_id, account: 'alice@acme', peer: 'mia@acme' },
        { task_id: fromFrank.task_id, account: 'alice@vendor', peer: 'frank@vendor', group: 'needs_you' },
      ]);
    expect((await alice.desk.call('getStatus', {}, 'human')).accounts).toMatchObject([
      { handle: 'alice@acme', state: 'connected' },
      { handle: 'alice@vendor', relay: vendor.url, state: 'connected', unread: 1 },
    ]);
    expect(await auditOf(alice, 'account_joined')).toMatchObject([
      { account: 'alice@vendor', peer: 'frank@vendor', detail: { relay: 'vendor', relay_id: vendor.relay.id } },
    ]);
    expect(await auditOf(frank, 'invite_made')).toMatchObject([{ peer: 'alice@vendor', actor: 'human' }]);
  });

  it('lets the account act that is on the relay of the other side, or that knows the handoff', async () => {
    const { alice, frank } = await twoRelays();
    await joinBy(alice, await invite(frank));
    const { task_id: id } = written(await handOff(alice, 'frank@vendor', 'To the vendor'));
    await expect.poll(() => rowAt(frank, id)).toMatchObject({ peer: 'alice@vendor', group: 'needs_you' });
    await frank.desk.call('updateHandoff', { task_id: id, transition: 'ask', body: 'Which one?' }, 'human');
    await expect.poll(() => rowAt(alice, id)).toMatchObject({ account: 'alice@vendor', group: 'needs_you' });
    written(await alice.desk.call('sendMessage', { task_id: id, body: 'That one' }, 'human'));
    expect((await alice.desk.call('getThread', { task_id: id }, 'human')).events.length).toBeGreaterThan(2);
    await expect(handOff(alice, 'frank', 'To nobody at home')).rejects.toMatchObject({ reason: 'RECIPIENT_NOT_FOUND' });
    const wrong = alice.desk.call('sendHandoff', { to: 'frank@vendor', body: 'x', as: 'alice@acme' }, 'human');
    await expect(wrong).rejects.toMatchObject({ reason: 'RECIPIENT_NOT_FOUND' });
  });

  it('is in time for what the one who joined sends at once, whatever the policy for the unknown', async () => {
    const { alice, frank } = await twoRelays();
    const link = await invite(frank);
    frank.rules('version: 1\nunknown_teammates: {policy: reject}\n');
    await joinBy(alice, link);
    const { task_id: id } = written(await handOff(alice, 'frank@vendor', 'At once'));
    await expect
      .poll(() => rowAt(frank, id), { timeout: 10_000 })
      .toMatchObject({
        group: 'needs_you',
        handoff: { state: 'pending' },
      });
  });

  it('is there after a restart, and follows its relay wherever that comes back', async () => {
    const { alice, frank, vendor } = await twoRelays();
    await joinBy(alice, await invite(frank));
    await alice.reopen();
    await vendor.restart();
    const { task_id: id } = written(await handOff(frank, 'alice', 'Back'));
    await expect.poll(() => rowAt(alice, id), { timeout: 10_000 }).toMatchObject({ account: 'alice@vendor' });
  });

  it('is known to whoever invited, also when the desk was closed meanwhile, or its rules could not be changed', async () => {
    const { alice, frank } = await twoRelays();
    const link = await invite(frank);
    await frank.desk.close();
    await joinBy(alice, link);
    const before = rulesOf(frank);
    frank.rules('version: 2\n');
    await frank.reopen();
    frank.rules(before);
    expect(before).not.toContain('alice@vendor');
    await frank.reopen();
    await expect.poll(() => rulesOf(frank)).toContain('alice@vendor: {}');
    // once: what is said of them since stays
    frank.rules(before);
    await frank.reopen();
    expect(rulesOf(frank)).toBe(before);
  });

  it('once is all that a link is good for, and says so', async () => {
    const { alice, frank, acme } = await twoRelays();
    const link = await invite(frank);
    await joinBy(alice, link);
    const mia = await member(acme, 'mia');
    await expect(joinBy(mia, link)).rejects.toMatchObject({ reason: 'INVITE_GONE', metadata: { cause: 'USED' } });
    const other = formatInviteLink({ ...parseInviteLink(link), code: `ai_${'x'.repeat(43)}` });
    await expect(joinBy(mia, other)).rejects.toMatchObject({ reason: 'INVITE_INVALID' });
    await expect(joinBy(mia, 'https://vendor.example')).rejects.toMatchObject({ reason: 'INVALID_PARAMS' });
  });

  it('again with the same link, after a stop in the middle, is the same account', async () => {
    const { alice, frank } = await twoRelays();
    const link = await invite(frank);
    await joinBy(alice, link);
    const { desk } = alice;
    const names = Object.keys(keysOf(alice));
    // a key that was kept for the code is gone with the join: the relay knows the link as used
    await expect(joinBy(alice, link)).rejects.toMatchObject({ reason: 'INVITE_GONE' });
    expect((await desk.call('getStatus', {}, 'human')).accounts).toHaveLength(2);
    expect(names.filter((name) => name.includes('invite'))).toEqual([]);
  });

  it('needs rules that can be changed, before the link is used', async () => {
    const { alice, frank } = await twoRelays();
    const link = await invite(frank);
    const before = rulesOf(alice);
    alice.rules('version: 3\n');
    await expect(joinBy(alice, link)).rejects.toMatchObject({ reason: 'TRUST_UNUSABLE' });
    alice.rules(before);
    expect(await joinBy(alice, link)).toMatchObject({ handle: 'alice@vendor' });
  });

  it('by plain HTTP beyond this machine is refused', async () => {
    const { alice, frank } = await twoRelays();
    const link = parseInviteLink(await invite(frank));
    const open = formatInviteLink({ ...link, relayUrl: 'http://relay.example.com' });
    await expect(joinBy(alice, open)).rejects.toMatchObject({ reason: 'INVALID_PARAMS', message: /plain HTTP/ });
  });
});

describe('two accounts on one relay', () => {
  it('hand work to each other, and say which of them is meant', async () => {
    const { alice, frank } = await twoRelays();
    await joinBy(alice, await invite(frank));
    expect(await joinBy(alice, await invite(frank, 'alice-web'))).toMatchObject({ handle: 'alice-web@vendor' });
    const to = 'alice-web@vendor';
    await alice.desk.call('decideContact', { as: to, handle: 'alice@vendor', decision: 'accept' }, 'human');
    const send = { as: 'alice@vendor', to, body: 'From one to the other' };
    const { task_id } = written(await alice.desk.call('sendHandoff', send, 'human'));
    const rows = async (): Promise<unknown[]> =>
      (await alice.desk.call('getSnapshot', {}, 'human')).items.map(({ account, group }) => [account, group]);
    await expect.poll(rows).toEqual(
      expect.arrayContaining([
        ['alice@vendor', 'waiting'],
        ['alice-web@vendor', 'needs_you'],
      ]),
    );
    const message = { task_id, body: 'Which one?' };
    await expect(alice.desk.call('sendMessage', message, 'human')).rejects.toMatchObject({
      reason: 'INVALID_PARAMS',
      message: expect.stringMatching(/alice@vendor and alice-web@vendor both/),
    });
    written(await alice.desk.call('updateHandoff', { as: to, task_id, transition: 'accept' }, 'human'));
    written(await alice.desk.call('sendMessage', { ...message, as: 'alice@vendor' }, 'human'));
  });
});

describe('a second relay that is called the same', () => {
  it('needs another name here, and then nobody of it is taken for somebody of the first', async () => {
    const { alice, frank, acme } = await twoRelays('acme');
    const link = await invite(frank);
    await expect(joinBy(alice, link)).rejects.toMatchObject({ reason: 'ALIAS_NEEDED', metadata: { alias: 'acme' } });
    alice.rules('version: 1\nteammates:\n  frank@acme: {auto_read: true}\n');
    expect(await joinBy(alice, link, 'other')).toMatchObject({ handle: 'alice@other', inviter: 'frank@other' });
    alice.rules('version: 1\nteammates:\n  frank@acme: {auto_read: true}\n');
    // frank of the second relay is nobody that the rules know
    const { task_id: id } = written(await handOff(frank, 'alice', 'It is me, frank@acme'));
    await expect
      .poll(() => rowAt(alice, id))
      .toMatchObject({
        account: 'alice@other',
        peer: 'frank@other',
        group: 'held',
        handoff: { sender: 'frank@other', recipient: 'alice@other' },
        trust: { layer: 'unknown', grants: { auto_read: false } },
      });
    // and what is meant for frank of the first is not sent to the second
    await expect(handOff(alice, 'frank@acme', 'Secret')).rejects.toMatchObject({ reason: 'RECIPIENT_NOT_FOUND' });
    const first = await member(acme, 'frank');
    const sent = written(await handOff(alice, 'frank@acme', 'For the first one'));
    await expect.poll(() => rowAt(first, sent.task_id)).toMatchObject({ peer: 'alice@acme' });
    expect(await rowAt(frank, sent.task_id)).toBeUndefined();
  });
});

const isStream = (line: string): boolean => line.startsWith('GET /v1/inbox/events');

interface Between {
  url: string;
  /** Method, path and key of each request. */
  readonly seen: string[];
  answer?: RequestListener;
  readonly pass: RequestListener;
  /** Ends all connections. */
  cut(): void;
}

/** Passes requests on to a relay, until it is told to answer itself. */
async function between(target: string): Promise<Between> {
  const pass: RequestListener = (incoming, outgoing) => {
    const { method, url = '/', headers } = incoming;
    const passed = httpRequest(new URL(url, target), { method, headers: { ...headers, host: new URL(target).host } });
    passed.on('response', (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      // of a stream, nothing else may come for long
      outgoing.flushHeaders();
      answer.pipe(outgoing);
    });
    passed.on('error', () => outgoing.destroy());
    outgoing.on('close', () => passed.destroy());
    incoming.pipe(passed);
  };
  const state: Between = { url: '', seen: [], pass, cut: () => server.closeAllConnections() };
  const server = createServer((incoming, outgoing) => {
    state.seen.push(`${incoming.method} ${incoming.url?.split('?')[0]} ${incoming.headers.authorization ?? ''}`.trim());
    (state.answer ?? pass)(incoming, outgoing);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  state.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return state;
}

describe('somebody else at the address of a relay', () => {
  it('is told nothing: neither the code of an invite', async () => {
    const { alice, frank } = await twoRelays();
    const link = parseInviteLink(await invite(frank));
    const impostor = await startRelay({ name: 'vendor' });
    const proxy = await between(impostor.url);
    const bent = formatInviteLink({ ...link, relayUrl: proxy.url });
    await expect(joinBy(alice, bent)).rejects.toMatchObject({ reason: 'RELAY_NOT_PROVEN' });
    expect(proxy.seen).toEqual(['GET /v1/relay']);
    expect((await alice.desk.call('getStatus', {}, 'human')).accounts).toHaveLength(1);
  });

  it('is told no code where the relay sends us there', async () => {
    const { alice, frank, vendor } = await twoRelays();
    const elsewhere = await between(vendor.url);
    const proxy = await between(vendor.url);
    const link = parseInviteLink(await invite(frank));
    proxy.answer = (request, response) => {
      if (request.url?.startsWith('/v1/relay')) return proxy.pass(request, response);
      response.writeHead(307, { location: new URL(request.url ?? '', elsewhere.url).href }).end();
    };
    const bent = formatInviteLink({ ...link, relayUrl: proxy.url });
    await expect(joinBy(alice, bent)).rejects.toMatchObject({ reason: 'RELAY_UNREACHABLE' });
    expect(elsewhere.seen).toEqual([]);
  });

  it('has to show who it is before each stream, whatever was asked in between', async () => {
    const { alice, frank, vendor } = await twoRelays();
    const proxy = await between(vendor.url);
    const link = parseInviteLink(await invite(frank));
    await joinBy(alice, formatInviteLink({ ...link, relayUrl: proxy.url }));
    for (let cut = 0; cut < 3; cut += 1) {
      const before = proxy.seen.length;
      proxy.cut();
      // requests come in between
      await Promise.allSettled([alice.desk.call('listContacts', { as: 'alice@vendor' }, 'human')]);
      await expect.poll(() => proxy.seen.slice(before).some(isStream), { timeout: 10_000 }).toBe(true);
    }
    // since the stream before, it was asked
    const asked = proxy.seen.filter((line) => isStream(line) || line === 'GET /v1/relay');
    asked.forEach((line, at) => {
      if (isStream(line)) expect(asked[at - 1]).toBe('GET /v1/relay');
    });
    expect(asked.filter(isStream).length).toBeGreaterThanOrEqual(4);
  });

  it('nor the key of an account, which says so and comes back when the right one does', async () => {
    const { alice, frank, vendor } = await twoRelays();
    const proxy = await between(vendor.url);
    const link = parseInviteLink(await invite(frank));
    await joinBy(alice, formatInviteLink({ ...link, relayUrl: proxy.url }));
    await alice.desk.close();
    proxy.seen.length = 0;
    proxy.answer = (_request, response) => void response.writeHead(200).end('{"relay_id":"somebody else"}');
    await alice.reopen();
    expect((await alice.desk.call('getSnapshot', {}, 'human')).accounts).toMatchObject([
      { handle: 'alice@acme', state: 'connected' },
      { handle: 'alice@vendor', state: 'offline', detail: 'another relay answers at its address' },
    ]);
    await expect(handOff(alice, 'frank@vendor', 'Secret')).rejects.toMatchObject({ reason: 'RELAY_UNREACHABLE' });
    expect([...new Set(proxy.seen)]).toEqual(['GET /v1/relay']);
    delete proxy.answer;
    await expect
      .poll(async () => (await alice.desk.call('getSnapshot', {}, 'human')).accounts, { timeout: 10_000 })
      .toMatchObject([{}, { handle: 'alice@vendor', state: 'connected' }]);
    written(await handOff(alice, 'frank@vendor', 'Hello'));
  });
});

describe('a new key', () => {
  it('is used from then on, by the stream too, and the old one ends', async () => {
    const { alice, frank, vendor } = await twoRelays();
    await joinBy(alice, await invite(frank));
    const old = keysOf(alice)[`${vendor.relay.id}/alice`];
    const rotated = await alice.desk.call('rotateKey', { as: 'alice@vendor', overlap_s: 0 }, 'human');
    expect(rotated).toMatchObject({ handle: 'alice@vendor', api_key: expect.stringMatching(/^ar_/) });
    expect(keysOf(alice)).toMatchObject({ [`${vendor.relay.id}/alice`]: rotated.api_key });
    const refused = await fetch(`${vendor.url}/v1/contacts`, { headers: { authorization: `Bearer ${old}` } });
    expect(refused.status).toBe(401);
    const { task_id: id } = written(await handOff(frank, 'alice', 'Still there?'));
    await expect.poll(() => rowAt(alice, id)).toMatchObject({ group: 'needs_you' });
    await alice.reopen();
    expect((await alice.desk.call('getStatus', {}, 'human')).accounts[1]).toMatchObject({ state: 'connected' });
    const noted = await auditOf(alice, 'key_rotated');
    expect(noted).toMatchObject([{ actor: 'human', account: 'alice@vendor' }]);
    expect(JSON.stringify(noted)).not.toContain(rotated.api_key);
  });

  it('that was made when the app stopped in the middle is found, whichever of the two counts', async () => {
    const { alice, frank, vendor } = await twoRelays();
    await joinBy(alice, await invite(frank));
    const name = `${vendor.relay.id}/alice`;
    const before = keysOf(alice);
    const { api_key: next } = await alice.desk.call('rotateKey', { as: 'alice@vendor', overlap_s: 0 }, 'human');
    await alice.desk.close();
    // as it was on the disk right after the relay had made the new key
    writeKeys(alice, { ...before, [`${name} next`]: next });
    await alice.reopen();
    await expect
      .poll(async () => (await alice.desk.call('getStatus', {}, 'human')).accounts[1])
      .toMatchObject({ state: 'connected' });
    await expect.poll(() => keysOf(alice)[name]).toBe(next);
    await expect.poll(() => keysOf(alice)).not.toHaveProperty([`${name} next`]);
  });
});

describe('an account whose key is gone', () => {
  it('is there, says so, and what waits for it can be dropped', async () => {
    const { alice, frank, vendor } = await twoRelays();
    await member(vendor, 'mia', { contacts: 'ask' });
    await joinBy(alice, await invite(frank));
    const { outbox_id: id } = kept(await handOff(alice, 'mia@vendor', 'May I?', 'codex'));
    await alice.desk.close();
    const { [`${vendor.relay.id}/alice`]: _gone, ...others } = keysOf(alice);
    writeKeys(alice, others);
    await alice.reopen();
    expect((await alice.desk.call('getStatus', {}, 'human')).accounts).toMatchObject([
      { handle: 'alice@acme', state: 'connected' },
      { handle: 'alice@vendor', state: 'key_revoked' },
    ]);
    await alice.desk.call('discardOutbox', { id }, 'human');
    expect(await outboxOf(alice)).toEqual([]);
  });
});

describe('a key of which the answer was lost', () => {
  /** Alice's account on vendor, over a proxy. */
  async function overProxy() {
    const { alice, frank, vendor } = await twoRelays();
    const proxy = await between(vendor.url);
    const link = parseInviteLink(await invite(frank));
    await joinBy(alice, formatInviteLink({ ...link, relayUrl: proxy.url }));
    const state = async (): Promise<unknown> => (await alice.desk.call('getStatus', {}, 'human')).accounts[1]?.state;
    return { alice, frank, vendor, proxy, name: `${vendor.relay.id}/alice`, state };
  }

  it('is used once the old one is refused, without a restart', async () => {
    const { alice, frank, proxy, name, state } = await overProxy();
    const old = keysOf(alice)[name];
    proxy.answer = (request, response) => {
      if (request.url !== '/v1/keys/rotate') return proxy.pass(request, response);
      const lost = new ServerResponse(request);
      // the relay has answered, and nobody hears it
      lost.once('pipe', () => response.destroy());
      proxy.pass(request, lost);
    };
    const call = alice.desk.call('rotateKey', { as: 'alice@vendor', overlap_s: 0 }, 'human');
    await expect(call).rejects.toMatchObject({ reason: expect.stringMatching(/RELAY_UNREACHABLE|UNAUTHENTICATED/) });
    delete proxy.answer;
    await expect.poll(() => keysOf(alice)[name], { timeout: 10_000 }).not.toBe(old);
    await expect.poll(state, { timeout: 10_000 }).toBe('connected');
    written(await handOff(frank, 'alice', 'Still there?'));
  });

  it('and that the relay never had takes the place of none', async () => {
    const { alice, proxy, name, state } = await overProxy();
    const before = keysOf(alice);
    await alice.desk.close();
    writeKeys(alice, { ...before, [`${name} next`]: createKey(randomBytes) });
    let refusals = 0;
    proxy.answer = (request, response) => {
      if (!isStream(`GET ${request.url}`) || (refusals += 1) > 1) return proxy.pass(request, response);
      response.writeHead(401).end('{}');
    };
    await alice.reopen();
    expect(keysOf(alice)).toMatchObject(before);
    alice.desk.wake();
    await expect.poll(state, { timeout: 10_000 }).toBe('connected');
    expect(keysOf(alice)[name]).toBe(before[name]);
  });
});

describe('a contact on another relay', () => {
  it('is asked over the outbox of the account there, and delivered once accepted', async () => {
    const { alice, frank, vendor } = await twoRelays();
    const mia = await member(vendor, 'mia', { contacts: 'ask' });
    await joinBy(alice, await invite(frank));
    kept(await handOff(alice, 'mia@vendor', 'May I?', 'codex'));
    expect(await outboxOf(alice)).toMatchObject([{ account: 'alice@vendor', peer: 'mia@vendor' }]);
    await alice.reopen();
    await mia.desk.call('decideContact', { handle: 'alice', decision: 'accept' }, 'human');
    await expect.poll(() => outboxOf(alice)).toEqual([]);
    await expect
      .poll(async () => (await mia.desk.call('getSnapshot', {}, 'human')).items)
      .toMatchObject([{ peer: 'alice@vendor', handoff: { summary: 'May I?' } }]);
  });
});
