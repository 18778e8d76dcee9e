import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Kept, Status, Written } from '../../../relay/contract/desk-api.ts';
import type { OutboxItem } from '../../../relay/contract/outbox.ts';
import { createKey } from '../../../relay/identity/keys.ts';
import { A2aClient } from '../../support/a2a-client.ts';
import { agentrelay } from '../../support/app-process.ts';
import { bringTogether, desktop, type Desktop } from '../../support/desktop.ts';

// Apps in processes of their own, with data folders of their own, and nothing but the command line.

const PATIENCE = { timeout: 15_000 };

/** What somebody's desk has, by its text and the heap it lies on. */
async function heaps(of: Desktop, as?: string): Promise<readonly string[]> {
  return (await of.inbox(as)).map(({ peer, group, handoff }) => `${peer} ${group}: ${handoff.summary}`);
}

async function outboxOf(of: Desktop): Promise<readonly OutboxItem[]> {
  return (await of.json<{ items: OutboxItem[] }>(['outbox'])).items;
}

async function stateOf(of: Desktop, handle: string): Promise<string | undefined> {
  return (await of.json<Status>(['status'])).accounts.find((one) => one.handle === handle)?.state;
}

describe('two desktops', { timeout: 120_000 }, () => {
  it('come together by an invite, work both ways, and part by a block', async () => {
    const [frank, mia] = await Promise.all([desktop('frank', 'acme'), desktop('mia', 'vendor')]);
    const { link } = await frank.json<{ link: string }>(['invite', 'mia', '--role', 'backend']);
    const joining = agentrelay(mia.home, ['join', '-'], { input: link });
    expect(await joining.ended).toEqual({ code: 0, signal: null });
    expect(joining.stdout()).toContain('You are mia@acme now');

    // both ways, delivered at once: each is a teammate of the other
    await expect.poll(() => frank.says(['trust']), PATIENCE).toMatch(/^mia@acme +off +off /m);
    expect(await mia.says(['trust'])).toMatch(/^frank@acme +off +off /m);
    const first = await mia.json<Written>(['handoff', 'frank@acme', '-m', 'Look at this']);
    await expect.poll(() => heaps(frank), PATIENCE).toEqual(['mia@acme needs_you: Look at this']);
    await frank.says(['accept', first.task_id.slice(0, 20), '-m', 'On it']);
    await frank.json(['handoff', 'mia', '-m', 'And at that']);
    await expect
      .poll(() => heaps(mia, 'mia@acme'), PATIENCE)
      .toEqual(['frank@acme needs_you: And at that', 'frank@acme waiting: Look at this']);
    expect(await mia.says(['show', first.task_id])).toContain('On it');
    expect(await frank.says(['contacts'])).toContain('mia@acme  contact');
    expect(await mia.says(['contacts', '--as', 'mia@acme'])).toContain('frank@acme  contact');

    const open = await mia.json<Written>(['handoff', 'frank@acme', '-m', 'Not taken on yet']);
    await expect.poll(() => heaps(frank), PATIENCE).toContain('mia@acme needs_you: Not taken on yet');
    expect(await frank.says(['block', 'mia'])).toBe('mia@acme: blocked.\n');
    await expect.poll(() => mia.says(['show', open.task_id]), PATIENCE).toMatch(/State +declined/);
    expect(await frank.says(['trust', 'explain', 'mia'])).toMatch(
      /is declined: they are blocked\.\n.*\(blocked\[0\]\)/,
    );
    const refused = await mia.cli(['handoff', 'frank@acme', '-m', 'Hello?']);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('takes nothing from you')]);
    expect(await mia.says(['trust', 'explain', 'frank@acme'])).toContain('is delivered');
    expect(await frank.says(['unblock', 'mia'])).toBe('mia@acme: contact.\n');
    await mia.json(['handoff', 'frank@acme', '-m', 'Hello again']);
    await expect.poll(() => heaps(frank), PATIENCE).toContain('mia@acme needs_you: Hello again');
    expect((await frank.json<{ ok: boolean }>(['audit', '--verify'])).ok).toBe(true);
    expect((await mia.json<{ ok: boolean }>(['audit', '--verify'])).ok).toBe(true);
  });

  it('go on when a key is changed, and the old one is worth nothing', async () => {
    const [frank, mia] = await Promise.all([desktop('frank', 'acme'), desktop('mia', 'vendor')]);
    await bringTogether(frank, mia, 'mia');
    const keys = (): readonly string[] =>
      Object.values(JSON.parse(readFileSync(join(mia.home, 'secrets.json'), 'utf8')) as Record<string, string>);
    const before = keys();
    const { api_key: key } = await mia.json<{ api_key: string }>(['rotate-key', '--as', 'mia@acme', '--overlap', '0']);
    const [old = ''] = before.filter((one) => !keys().includes(one));
    const ask = async (apiKey: string): Promise<number> =>
      (await new A2aClient({ url: frank.relayUrl, apiKey }).http('GET', '/v1/contacts')).status;
    expect([await ask(old), await ask(key)]).toEqual([401, 200]);

    // the stream is there, with the new key: what comes is heard of without being asked for
    await expect.poll(() => stateOf(mia, 'mia@acme'), PATIENCE).toBe('connected');
    await frank.json(['handoff', 'mia', '-m', 'After the change']);
    await expect
      .poll(async () => (await frank.inbox())[0]?.handoff.receipts.recipient.offered, PATIENCE)
      .toBeGreaterThan(0);
    await mia.json(['handoff', 'frank@acme', '-m', 'With the new one']);
    await mia.crash();
    await expect.poll(() => stateOf(mia, 'mia@acme'), PATIENCE).toBe('connected');
  });

  it('keep what cannot be sent yet: for an answer, through a crash, or for a person to look at', async () => {
    const [frank, mia] = await Promise.all([desktop('frank', 'acme'), desktop('mia', 'vendor')]);
    await bringTogether(frank, mia, 'mia');
    await expect.poll(() => frank.says(['trust']), PATIENCE).toContain('mia@acme');
    await frank.says(['contact', 'remove', 'mia']);

    const asked = await mia.json<Kept>(['handoff', 'frank@acme', '-m', 'May I?']);
    expect(asked).toMatchObject({ status: 'queued', reason: expect.stringContaining('does not know you yet') });
    expect(await frank.says(['contacts'])).toMatch(/^Requests\n {2}mia@acme +asks to reach you/);
    await mia.crash();
    expect(await outboxOf(mia)).toMatchObject([{ id: asked.outbox_id, state: 'waiting_contact', text: 'May I?' }]);
    expect(await heaps(frank)).toEqual([]);
    await frank.says(['contact', 'accept', 'mia']);
    await expect.poll(() => heaps(frank), PATIENCE).toEqual(['mia@acme needs_you: May I?']);
    await expect.poll(() => outboxOf(mia), PATIENCE).toEqual([]);

    const secret = createKey(randomBytes);
    const held = await mia.json<Kept>(['handoff', 'frank@acme', '-m', `The key is ${secret}`]);
    expect(held).toMatchObject({ status: 'needs_human', findings: [{ rule: 'agentrelay-key', where: 'body' }] });
    await mia.crash();
    // twice started anew, and what was sent was sent once
    expect(await heaps(frank)).toEqual(['mia@acme needs_you: May I?']);
    const sent = await mia.json<Written>(['outbox', 'send', held.outbox_id]);
    await expect.poll(async () => (await frank.inbox()).length, PATIENCE).toBe(2);
    expect(await frank.says(['show', sent.task_id])).toContain(secret);
    expect((await mia.cli(['outbox', 'send', held.outbox_id])).code).toBe(1);
  });
});

describe('relays that call themselves the same', { timeout: 120_000 }, () => {
  it('are told apart by the names they have here, and can offer nobody of each other', async () => {
    const [mia, frank, impostor] = await Promise.all([
      desktop('mia', 'acme'),
      desktop('frank', 'acme'),
      desktop('frank', 'acme'),
    ]);
    const { link } = await frank.json<{ link: string }>(['invite', 'mia']);
    const { code, stderr } = await mia.cli(['join', '-'], { input: link });
    expect([code, stderr]).toEqual([1, expect.stringContaining('--alias NAME')]);
    expect(await mia.json(['join', '-', '--alias', 'work'], { input: link })).toEqual({
      handle: 'mia@work',
      relay: frank.relayUrl,
      inviter: 'frank@work',
    });
    const taken = await impostor.json<{ link: string }>(['invite', 'mia']);
    expect((await mia.cli(['join', '-', '--alias', 'work'], { input: taken.link })).stderr).toContain(
      'Another relay is called work here',
    );
    const { inviter } = await mia.json<{ inviter: string }>(['join', '-', '--alias', 'other'], { input: taken.link });
    expect(inviter).toBe('frank@other');

    // both call themselves frank@acme, and are two
    await mia.says(['trust', 'forget', inviter]);
    await impostor.json(['handoff', 'mia', '-m', 'It is me, Frank']);
    await frank.json(['handoff', 'mia', '-m', 'Hello']);
    await expect.poll(() => heaps(mia, 'mia@other'), PATIENCE).toEqual(['frank@other held: It is me, Frank']);
    await expect.poll(() => heaps(mia, 'mia@work'), PATIENCE).toEqual(['frank@work needs_you: Hello']);
    await mia.says(['block', 'frank@other']);
    expect(await mia.says(['trust', 'explain', 'frank@work'])).toContain('is delivered');
    // of the own relay, nobody has that name
    expect(await mia.says(['trust', 'explain', 'frank'])).toContain('What frank@acme hands over is held');
    expect((await mia.cli(['handoff', 'frank@acme', '-m', 'x'])).code).toBe(1);

    // what is written goes where it was meant to
    await mia.json(['handoff', 'frank@work', '-m', 'For you alone']);
    await expect.poll(() => heaps(frank), PATIENCE).toContain('mia@acme needs_you: For you alone');
    expect((await heaps(impostor)).join('\n')).not.toContain('For you alone');
    const wrong = await mia.cli(['handoff', 'frank@work', '-m', 'x', '--as', 'mia@other']);
    expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('is not on the relay other')]);
  });
});
