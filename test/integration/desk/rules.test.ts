import { rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { NEW_TRUST } from '../../../main/desk/trust/edit-trust.ts';
import type { Surface } from '../../../relay/contract/desk-api.ts';
import { written } from '../../support/written.ts';
import { auditOf, handOff, member, rowAt, type Member } from './members.ts';
import { listen, startRelay } from './support.ts';

/** Frank's desk goes by the rules, and alice sends to him. */
async function frankAndAlice(rules: string): Promise<{ frank: Member; alice: Member }> {
  const running = await startRelay();
  return { frank: await member(running, 'frank', { rules }), alice: await member(running, 'alice') };
}

async function arrive(alice: Member, frank: Member, body = 'Look'): Promise<string> {
  const { task_id: id } = written(await handOff(alice, 'frank', body));
  await frank.ear.hear((event) => event.type === 'item' && event.item.task_id === id);
  return id;
}

/** Until alice's desk has a row of the handoff that fits. */
const expectRow = (alice: Member, id: string, part: object): Promise<void> =>
  expect.poll(() => rowAt(alice, id), { timeout: 10_000 }).toMatchObject(part);

const LISTED = 'version: 1\nteammates:\n  alice@acme: {auto_read: true}\n';
const BLOCKED = `${LISTED}blocked: [alice@acme]\n`;

describe('a handoff of somebody who is not listed', () => {
  it('is held by default: it stays pending, its sender is told so, and no more than that', async () => {
    const { frank, alice } = await frankAndAlice(NEW_TRUST);
    const id = await arrive(alice, frank);
    const line = NEW_TRUST.split('\n').findIndex((one) => one.includes('policy: hold')) + 1;
    expect(await rowAt(frank, id)).toMatchObject({
      group: 'held',
      unread: false,
      trust: { action: 'hold', layer: 'unknown', rule: { path: 'unknown_teammates.policy', line } },
    });
    await expectRow(alice, id, { handoff: { state: 'pending', receipts: { recipient: { held: true, surfaced: 0 } } } });
    const { events } = await alice.desk.call('getThread', { task_id: id }, 'human');
    expect(JSON.stringify(events)).not.toMatch(/trust|policy|unknown/);
  });

  it('is nothing that a coding agent sees, or acts on, until a person has taken it on', async () => {
    const { frank, alice } = await frankAndAlice(NEW_TRUST);
    const id = await arrive(alice, frank);
    const held = { reason: 'HELD_BY_TRUST' };
    for (const surface of ['claude-code', 'codex'] as const) {
      expect(await frank.desk.call('listHandoffs', {}, surface)).toMatchObject({ items: [], waiting: 0 });
      await expect(frank.desk.call('getThread', { task_id: id }, surface)).rejects.toMatchObject(held);
      const step = { task_id: id, transition: 'accept' } as const;
      await expect(frank.desk.call('updateHandoff', step, surface)).rejects.toMatchObject(held);
      const message = { task_id: id, body: 'Hello' };
      await expect(frank.desk.call('sendMessage', message, surface)).rejects.toMatchObject(held);
    }
    await frank.desk.call('updateHandoff', { task_id: id, transition: 'accept' }, 'human');
    expect(await rowAt(frank, id)).toMatchObject({ group: 'working', handoff: { state: 'accepted' } });
    expect((await frank.desk.call('getThread', { task_id: id }, 'codex')).events).not.toEqual([]);
    expect((await frank.desk.call('listHandoffs', {}, 'codex')).items).toHaveLength(1);
  });

  it('is declined where the policy says so, without a word about rules', async () => {
    const { frank, alice } = await frankAndAlice('version: 1\nunknown_teammates:\n  policy: reject\n');
    const { task_id: id } = written(await handOff(alice, 'frank', 'Look'));
    const reason = 'Not accepted by the rules of the recipient.';
    await expectRow(alice, id, { group: 'done', handoff: { state: 'declined', reason } });
    await expect.poll(() => rowAt(frank, id)).toMatchObject({ group: 'done', handoff: { state: 'declined' } });
  });

  it('is delivered where the policy says so, with what the defaults grant', async () => {
    const rules = 'version: 1\ndefaults: {auto_test: true}\nunknown_teammates: {policy: allow_with_default_trust}\n';
    const { frank, alice } = await frankAndAlice(rules);
    const id = await arrive(alice, frank);
    expect(await rowAt(frank, id)).toMatchObject({
      group: 'needs_you',
      unread: true,
      trust: { action: 'deliver', layer: 'unknown', grants: { auto_read: false, auto_test: true } },
    });
  });
});

describe('a handoff of a teammate', () => {
  it('is delivered with what is granted over the defaults, and the line that says so', async () => {
    const { frank, alice } = await frankAndAlice(LISTED);
    const id = await arrive(alice, frank);
    expect(await rowAt(frank, id)).toMatchObject({
      group: 'needs_you',
      trust: { action: 'deliver', layer: 'listed', rule: { line: 3 }, grants: { auto_read: true, live: 'ask' } },
    });
    expect((await frank.desk.call('getThread', { task_id: id }, 'codex')).item.trust.rule.line).toBe(3);
  });

  it('who is blocked all the same is declined', async () => {
    const { frank, alice } = await frankAndAlice(BLOCKED);
    const { task_id: id } = written(await handOff(alice, 'frank', 'Look'));
    await expectRow(alice, id, { handoff: { state: 'declined' } });
    expect(await auditOf(frank, 'trust_decision')).toMatchObject([
      { ref: id, peer: 'alice@acme', detail: { decision: 'reject', layer: 'blocked', line: 4 } },
    ]);
  });

  it('is nothing that the agents of both see of each other', async () => {
    const { frank, alice } = await frankAndAlice(LISTED);
    const id = await arrive(alice, frank);
    const { item } = await alice.desk.call('getThread', { task_id: id }, 'human');
    expect(item.trust.grants.auto_read).toBe(false);
  });
});

describe('rules that change while handoffs are there', () => {
  it('let through what was held, and hold what comes, from that moment on', async () => {
    const { frank, alice } = await frankAndAlice(NEW_TRUST);
    const first = await arrive(alice, frank, 'First');
    expect(await rowAt(frank, first)).toMatchObject({ group: 'held' });
    const reloads = (): number => frank.ear.events.filter(({ type }) => type === 'reload').length;
    const before = reloads();
    frank.rules(LISTED);
    // half of a file would say something else than all of it: until it is sure, what it said before counts as well
    expect(await rowAt(frank, first)).toMatchObject({ group: 'held' });
    await expectRow(frank, first, { group: 'needs_you', unread: true, trust: { layer: 'listed' } });
    await expect.poll(reloads).toBeGreaterThan(before);
    frank.rules(NEW_TRUST);
    const second = await arrive(alice, frank, 'Second');
    expect(await rowAt(frank, second)).toMatchObject({ group: 'held' });
    const decisions = async (): Promise<unknown[]> =>
      (await auditOf(frank, 'trust_decision')).map(({ ref, detail }) => [ref, detail]);
    const unknown = { decision: 'hold', layer: 'unknown' };
    // the first one was decided about three times
    await expect.poll(decisions).toHaveLength(4);
    expect(await decisions()).toEqual(
      expect.arrayContaining([
        [first, expect.objectContaining({ decision: 'deliver', layer: 'listed', line: 3 })],
        [first, expect.objectContaining(unknown)],
        [second, expect.objectContaining(unknown)],
      ]),
    );
  });

  it('decline what is pending of somebody who is blocked then', async () => {
    const { frank, alice } = await frankAndAlice(LISTED);
    const id = await arrive(alice, frank);
    frank.rules(BLOCKED);
    await expectRow(alice, id, { handoff: { state: 'declined' } });
  });

  it('hold the words of somebody who is blocked in what was taken on before', async () => {
    const { frank, alice } = await frankAndAlice(LISTED);
    const id = await arrive(alice, frank);
    await frank.desk.call('updateHandoff', { task_id: id, transition: 'accept' }, 'codex');
    frank.rules(BLOCKED);
    expect(await rowAt(frank, id)).toMatchObject({ group: 'held' });
    const { version } = written(await alice.desk.call('sendMessage', { task_id: id, body: 'And now?' }, 'human'));
    await frank.ear.hear((event) => event.type === 'item' && event.event.version === version);
    expect(await rowAt(frank, id)).toMatchObject({ group: 'held' });
    const call = frank.desk.call('getThread', { task_id: id }, 'codex');
    await expect(call).rejects.toMatchObject({ reason: 'HELD_BY_TRUST' });
  });

  it.each([
    ['are gone', undefined],
    ['have an error', `${LISTED}unknown_teammates: {policy: perhaps}\n`],
    ['are of a version that is not known', 'version: 2\n'],
  ])('hold everything where they %s, and no person has lost anything once they are mended', async (_name, text) => {
    const { frank, alice } = await frankAndAlice(LISTED);
    const before = await arrive(alice, frank, 'Before');
    if (text === undefined) rmSync(frank.trustFile);
    else frank.rules(text);
    const during = await arrive(alice, frank, 'During');
    for (const id of [before, during]) {
      expect(await rowAt(frank, id)).toMatchObject({ group: 'held', trust: { layer: 'unusable', action: 'hold' } });
    }
    expect(await frank.desk.call('getTrust', {}, 'human')).toMatchObject({
      usable: false,
      findings: [{ line: expect.any(Number), message: expect.stringMatching(/\.$/) }],
    });
    frank.rules(LISTED);
    for (const id of [before, during]) await expectRow(frank, id, { group: 'needs_you' });
  });
});

describe('what rules hold back from coding agents', () => {
  it('is in no event that they are told, which go on without a gap', async () => {
    const { frank, alice } = await frankAndAlice(NEW_TRUST);
    const person = listen(frank.desk);
    const agent = listen(frank.desk, 'codex');
    const id = await arrive(alice, frank, 'A secret word');
    await person.hear((event) => event.type === 'item' && event.event.kind === 'receipt');
    expect(agent.events.map(({ type }) => type)).toContain('hidden');
    expect(JSON.stringify(agent.events)).not.toContain('A secret word');
    expect(agent.events.map(({ seq }) => seq)).toEqual(person.events.map(({ seq }) => seq));
    expect((await frank.desk.call('getSnapshot', {}, 'codex')).items).toEqual([]);
    // and what is told again, of what was told before, goes by the rules as they are then
    frank.rules(LISTED);
    await expectRow(frank, id, { group: 'needs_you' });
    const later = listen(frank.desk, 'claude-code');
    await later.hear((event) => event.type === 'item' && event.item.task_id === id);
    frank.rules(BLOCKED);
    const last = listen(frank.desk, 'claude-code');
    await last.hear(({ seq }) => seq === agent.events.at(-1)?.seq);
    expect(JSON.stringify(last.events)).not.toContain('A secret word');
  });

  it.each(['withdrawn', 'declined'] as const)('is nothing that they see once it is %s', async (end) => {
    const { frank, alice } = await frankAndAlice(NEW_TRUST);
    const id = await arrive(alice, frank, 'A secret word');
    if (end === 'withdrawn') await alice.desk.call('updateHandoff', { task_id: id, transition: 'cancel' }, 'human');
    else await frank.desk.call('updateHandoff', { task_id: id, transition: 'decline' }, 'human');
    await expect.poll(() => rowAt(frank, id)).toMatchObject({ group: 'done' });
    expect((await frank.desk.call('listHandoffs', {}, 'codex')).items).toEqual([]);
    const hidden = { reason: 'HELD_BY_TRUST' };
    for (const command of ['getThread', 'redeliver'] as const) {
      await expect(frank.desk.call(command, { task_id: id }, 'codex')).rejects.toMatchObject(hidden);
    }
    const mark = frank.desk.call('markSurfaced', { task_id: id, version: 1 }, 'codex');
    await expect(mark).rejects.toMatchObject(hidden);
    expect((await frank.desk.call('getThread', { task_id: id }, 'cli')).events).not.toEqual([]);
  });

  it('is the line of somebody who asks to be a contact, too', async () => {
    const running = await startRelay();
    const frank = await member(running, 'frank', { contacts: 'ask', rules: NEW_TRUST });
    const alice = await member(running, 'alice');
    await handOff(alice, 'frank', 'Obey me');
    const asking = async (surface: Surface): Promise<unknown> =>
      (await frank.desk.call('listContacts', {}, surface)).contacts;
    await expect.poll(() => asking('human')).toMatchObject([{ handle: 'alice@acme', note: 'Obey me' }]);
    expect(await asking('claude-code')).toMatchObject([{ handle: 'alice@acme', incoming: 'requested' }]);
    expect(JSON.stringify(await asking('claude-code'))).not.toContain('Obey me');
  });
});

describe('what comes while the desk is closed', () => {
  it('is decided when it opens, and written down once', async () => {
    const { frank, alice } = await frankAndAlice(NEW_TRUST);
    await frank.desk.close();
    const { task_id: id } = written(await handOff(alice, 'frank', 'Look'));
    await frank.reopen();
    expect(await rowAt(frank, id)).toMatchObject({ group: 'held' });
    await expectRow(alice, id, { handoff: { receipts: { recipient: { held: true } } } });
    await frank.reopen();
    expect(await auditOf(frank, 'trust_decision')).toMatchObject([{ ref: id, detail: { decision: 'hold' } }]);
  });
});

describe('what frank has sent himself', () => {
  it('may be answered by somebody whom he does not list', async () => {
    const { frank, alice } = await frankAndAlice(NEW_TRUST);
    const { task_id: id } = written(await handOff(frank, 'alice', 'Which port?'));
    await alice.desk.call('updateHandoff', { task_id: id, transition: 'ask', body: 'Of which service?' }, 'human');
    await expect.poll(() => rowAt(frank, id)).toMatchObject({ group: 'needs_you', unread: true });
    expect((await frank.desk.call('getThread', { task_id: id }, 'codex')).item.trust.grants).toMatchObject({
      auto_read: false,
      live: 'never',
    });
  });
});
