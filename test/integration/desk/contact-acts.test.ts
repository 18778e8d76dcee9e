import { lstatSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { NEW_TRUST } from '../../../main/desk/trust/edit-trust.ts';
import type { CommandInput, CommandName } from '../../../relay/contract/desk-api.ts';
import { because } from '../../support/skip.ts';
import { written } from '../../support/written.ts';
import { auditOf, handOff, kept, member, rowAt, rulesOf, type Member } from './members.ts';
import { startRelay, type RunningRelay } from './support.ts';

/** Alice asks before she lets somebody in, and begins with the rules of a new desk. */
async function people(rules = NEW_TRUST): Promise<{ running: RunningRelay; frank: Member; alice: Member }> {
  const running = await startRelay();
  const frank = await member(running, 'frank');
  return { running, frank, alice: await member(running, 'alice', { contacts: 'ask', rules }) };
}

const decide = ({ desk }: Member, decision: 'accept' | 'decline' | 'remove', handle = 'frank') =>
  desk.call('decideContact', { handle, decision }, 'human');
const block = ({ desk }: Member, blocked: boolean) => desk.call('setBlocked', { handle: 'frank', blocked }, 'human');
const explain = async ({ desk }: Member) => {
  const { action, layer, handle } = await desk.call('explainTrust', { handle: 'frank' }, 'human');
  return { action, layer, handle };
};
const contactOf = async ({ desk }: Member) =>
  (await desk.call('listContacts', {}, 'human')).contacts.find(({ handle }) => handle === 'frank@acme');

const BROKEN = 'version: 1\nblocked: frank\n';

describe('accepting a contact', () => {
  it('is one act in both places, and what waited is delivered', async () => {
    const { frank, alice } = await people();
    kept(await handOff(frank, 'alice', 'May I?'));
    await expect.poll(() => contactOf(alice)).toMatchObject({ incoming: 'requested', note: 'May I?' });
    await expect.poll(() => auditOf(alice, 'contact_requested')).toMatchObject([{ actor: 'peer', peer: 'frank@acme' }]);
    expect(await explain(alice)).toEqual({ action: 'hold', layer: 'unknown', handle: 'frank@acme' });
    expect(await decide(alice, 'accept')).toMatchObject({ incoming: 'accepted' });
    expect(rulesOf(alice)).toContain('teammates:\n  frank@acme: {}\n');
    expect(await explain(alice)).toMatchObject({ action: 'deliver', layer: 'listed' });
    await expect
      .poll(async () => (await alice.desk.call('getSnapshot', {}, 'human')).items)
      .toMatchObject([{ group: 'needs_you', peer: 'frank@acme', trust: { layer: 'listed' } }]);
    expect((await auditOf(alice, 'contact_accepted', 'trust_changed')).map(({ action }) => action)).toEqual([
      'trust_changed',
      'trust_changed',
      'contact_accepted',
    ]);
  });

  it('keeps what was said of somebody before', async () => {
    const { alice } = await people('version: 1\nteammates:\n  frank@acme:\n    auto_read: true # he may\n');
    await decide(alice, 'accept');
    expect(rulesOf(alice)).toContain('    auto_read: true # he may\n');
  });

  it('changes nothing at the relay where the rules have an error, and nothing in them', async () => {
    const { frank, alice } = await people();
    kept(await handOff(frank, 'alice', 'May I?'));
    alice.rules(BROKEN);
    await expect(decide(alice, 'accept')).rejects.toMatchObject({
      reason: 'TRUST_UNUSABLE',
      violations: [{ field: 'line 2', description: expect.stringContaining('list of handles') }],
    });
    expect(rulesOf(alice)).toBe(BROKEN);
    expect(await contactOf(alice)).toMatchObject({ incoming: 'requested' });
  });

  it('of somebody whom the relay does not have makes nobody a teammate', async () => {
    const { alice } = await people();
    const before = rulesOf(alice);
    await expect(decide(alice, 'accept', 'frnak')).rejects.toMatchObject({ reason: 'RECIPIENT_NOT_FOUND' });
    expect(rulesOf(alice)).toBe(before);
    const listed = 'version: 1\nteammates:\n  frnak@acme: {auto_read: true}\n';
    alice.rules(listed);
    await expect(decide(alice, 'accept', 'frnak')).rejects.toMatchObject({ reason: 'RECIPIENT_NOT_FOUND' });
    expect(rulesOf(alice)).toBe(listed);
  });

  it('and taking it back makes somebody unknown again, here first', async () => {
    const { running, alice } = await people();
    await decide(alice, 'accept');
    await running.stop();
    await expect(decide(alice, 'remove')).rejects.toMatchObject({ reason: 'RELAY_UNREACHABLE' });
    expect(await explain(alice)).toMatchObject({ layer: 'unknown' });
    await running.restart();
    const removed = await decide(alice, 'remove');
    expect(removed).toMatchObject({ incoming: 'none', outgoing: 'none' });
    expect(removed).not.toHaveProperty('since');
  });
});

describe('a block', () => {
  it('holds in both places, also for what has come already', async () => {
    const { frank, alice } = await people();
    await decide(alice, 'accept');
    const { task_id: id } = written(await handOff(frank, 'alice', 'Look'));
    await expect.poll(() => rowAt(alice, id)).toMatchObject({ group: 'needs_you' });
    expect(await block(alice, true)).toMatchObject({ blocked: true });
    expect(await explain(alice)).toMatchObject({ action: 'reject', layer: 'blocked' });
    await expect.poll(() => rowAt(alice, id)).toMatchObject({ group: 'done', handoff: { state: 'declined' } });
    await expect(handOff(frank, 'alice', 'Again')).rejects.toMatchObject({ reason: 'CONTACT_DECLINED' });
    expect(await block(alice, false)).toMatchObject({ blocked: false, incoming: 'accepted' });
    expect(await explain(alice)).toMatchObject({ action: 'deliver', layer: 'listed' });
    written(await handOff(frank, 'alice', 'Once more'));
  });

  it('counts here where the relay could not be told, and says so', async () => {
    const { running, alice } = await people();
    await decide(alice, 'accept');
    await running.stop();
    await expect(block(alice, true)).rejects.toMatchObject({ reason: 'RELAY_UNREACHABLE' });
    expect(await explain(alice)).toMatchObject({ action: 'reject', layer: 'blocked' });
    expect(await auditOf(alice, 'blocked', 'block_failed')).toMatchObject([
      { action: 'block_failed', peer: 'frank@acme', detail: { side: 'relay' } },
    ]);
  });

  it('counts at the relay where the rules cannot be written, and everything is held here', async () => {
    const { frank, alice } = await people();
    await decide(alice, 'accept');
    alice.rules(BROKEN);
    await expect(block(alice, true)).rejects.toMatchObject({ reason: 'TRUST_UNUSABLE' });
    expect(rulesOf(alice)).toBe(BROKEN);
    await expect(handOff(frank, 'alice', 'Look')).rejects.toMatchObject({ reason: 'CONTACT_DECLINED' });
    expect(await auditOf(alice, 'block_failed')).toMatchObject([{ detail: { side: 'rules' } }]);
    expect(await explain(alice)).toMatchObject({ action: 'hold', layer: 'unusable' });
  });

  it('stays in both places where lifting it fails in one', async () => {
    const { running, frank, alice } = await people();
    await decide(alice, 'accept');
    await block(alice, true);
    const blocked = rulesOf(alice);
    alice.rules(BROKEN);
    await expect(block(alice, false)).rejects.toMatchObject({ reason: 'TRUST_UNUSABLE' });
    await expect(handOff(frank, 'alice', 'Look')).rejects.toMatchObject({ reason: 'CONTACT_DECLINED' });
    alice.rules(blocked);
    await running.stop();
    await expect(block(alice, false)).rejects.toMatchObject({ reason: 'RELAY_UNREACHABLE' });
    expect(await explain(alice)).toMatchObject({ layer: 'blocked' });
  });
});

describe('what only a person does', () => {
  const CALLS: { readonly [C in CommandName]?: CommandInput<C> } = {
    decideContact: { handle: 'frank', decision: 'accept' },
    setBlocked: { handle: 'frank', blocked: false },
    registerAgent: { handle: 'bot' },
    releaseOutbox: { id: 'x' },
    discardOutbox: { id: 'x' },
    changeTrust: { kind: 'unknown', policy: 'allow_with_default_trust' },
    resetTrust: {},
    invite: { handle: 'bot' },
    join: { link: 'agentrelay://join?relay=x' },
    rotateKey: {},
    openWindow: {},
  };

  it('is refused to coding agents, whatever they were talked into', async () => {
    const { alice } = await people();
    const before = rulesOf(alice);
    for (const surface of ['claude-code', 'codex'] as const) {
      for (const [command, input] of Object.entries(CALLS) as [CommandName, never][]) {
        const call = alice.desk.call(command, input, surface);
        await expect(call).rejects.toMatchObject({ reason: 'HUMAN_REQUIRED' });
      }
      // reading is not
      expect(await alice.desk.call('getTrust', {}, surface)).toMatchObject({ usable: true });
    }
    expect(rulesOf(alice)).toBe(before);
  });
});

describe('trust.yaml over the desk', () => {
  it('is read with lines, changed without a loss, and begun anew with a copy of what was there', async () => {
    const mine = 'version: 1 # mine\nteammates:\n  frank@acme: {auto_read: true} # the web client\nextra: 1\n';
    const { alice } = await people(mine);
    const view = await alice.desk.call('getTrust', {}, 'human');
    expect(view).toMatchObject({
      usable: true,
      findings: [{ line: 4, message: expect.stringContaining('"extra"') }],
      unknown: { policy: 'hold' },
      teammates: [{ handle: 'frank@acme', rule: { line: 3 }, said: { auto_read: true }, grants: { live: 'ask' } }],
      blocked: [],
    });
    const changed = await alice.desk.call(
      'changeTrust',
      { kind: 'teammate', handle: 'Frank', grants: { auto_test: true, auto_read: null } },
      'cli',
    );
    expect(changed.teammates).toMatchObject([{ handle: 'frank@acme', said: { auto_test: true } }]);
    expect(rulesOf(alice)).toContain('# the web client\nextra: 1\n');
    const before = rulesOf(alice);
    const { backup = '' } = await alice.desk.call('resetTrust', {}, 'human');
    expect(rulesOf(alice)).toBe(NEW_TRUST);
    expect(rulesOf({ ...alice, trustFile: backup })).toBe(before);
    expect((await auditOf(alice, 'trust_changed')).map(({ actor, detail }) => [actor, detail])).toMatchObject([
      ['desk', { seen: 'in the file' }],
      ['cli', { kind: 'teammate', handle: 'frank@acme', auto_test: 'true', auto_read: 'null' }],
      ['human', { kind: 'reset' }],
    ]);
  });

  it.skipIf(process.platform === 'win32')(
    'is begun anew whatever stands in its place, which is put aside as it is',
    because('Windows makes links for administrators alone'),
    async () => {
      const { alice } = await people();
      const elsewhere = join(alice.home, 'elsewhere.yaml');
      writeFileSync(elsewhere, 'version: 1\n');
      const places = [() => mkdirSync(alice.trustFile), () => symlinkSync(elsewhere, alice.trustFile)];
      for (const put of places) {
        rmSync(alice.trustFile, { recursive: true });
        put();
        expect(await alice.desk.call('getTrust', {}, 'human')).toMatchObject({ usable: false });
        const { backup = '' } = await alice.desk.call('resetTrust', {}, 'human');
        expect(lstatSync(backup).isFile()).toBe(false);
        expect(rulesOf(alice)).toBe(NEW_TRUST);
      }
      expect(readFileSync(elsewhere, 'utf8')).toBe('version: 1\n');
    },
  );

  it('that is not there is begun anew by a person alone', async () => {
    const { alice } = await people();
    rmSync(alice.trustFile);
    await alice.desk.close();
    expect(await alice.desk.call('getTrust', {}, 'human')).toMatchObject({ usable: false });
    expect(await alice.desk.call('resetTrust', {}, 'human')).not.toHaveProperty('backup');
    expect(rulesOf(alice)).toBe(NEW_TRUST);
  });

  it('that was changed while the desk was closed is written down when it opens', async () => {
    const { alice } = await people();
    await alice.desk.close();
    writeFileSync(alice.trustFile, 'version: 1\n', { mode: 0o600 });
    await alice.reopen();
    await alice.reopen();
    expect(await auditOf(alice, 'trust_changed')).toMatchObject([
      { actor: 'desk' },
      { actor: 'desk', ref: 'trust.yaml', detail: { seen: 'in the file', usable: true } },
    ]);
  });
});
