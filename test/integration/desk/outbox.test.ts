import { describe, expect, it } from 'vitest';
import type { DeskEvent, Surface } from '../../../relay/contract/desk-api.ts';
import { written } from '../../support/written.ts';
import { auditOf, handOff, kept, member, outboxOf, rowAt, type Member } from './members.ts';
import { listen, startRelay, type RunningRelay } from './support.ts';

/** Alice is asked before somebody new may reach her; frank is new. */
async function strangers(): Promise<{ running: RunningRelay; frank: Member; alice: Member }> {
  const running = await startRelay();
  const frank = await member(running, 'frank');
  return { running, frank, alice: await member(running, 'alice', { contacts: 'ask' }) };
}

const decide = ({ desk }: Member, decision: 'accept' | 'decline' | 'remove') =>
  desk.call('decideContact', { handle: 'frank', decision }, 'human');

/** The summaries of what has come to somebody. */
async function arrivals({ desk }: Member): Promise<string[]> {
  const { items } = await desk.call('getSnapshot', {}, 'human');
  return items.map(({ handoff }) => handoff.summary).toSorted();
}

const isGone =
  (id: string) =>
  (event: DeskEvent): boolean =>
    event.type === 'outbox' && event.id === id && event.item === undefined;

describe('a handoff to somebody who does not know the sender yet', () => {
  it('waits, says why, and is delivered once they accept', async () => {
    const { frank, alice } = await strangers();
    const { outbox_id: id, ...answer } = kept(await handOff(frank, 'alice', 'Rate limiter\nMore', 'codex'));
    const reason = 'alice@acme does not know you yet, and was asked. It is sent as soon as they accept.';
    expect(answer).toEqual({ status: 'queued', reason, findings: [] });
    expect(await outboxOf(frank)).toMatchObject([
      { id, account: 'frank@acme', peer: 'alice@acme', kind: 'handoff', text: 'Rate limiter\nMore', author: 'codex' },
    ]);
    expect(await frank.desk.call('getSnapshot', {}, 'human')).toMatchObject({
      outbox: [{ id, state: 'waiting_contact', reason }],
    });
    expect(await arrivals(alice)).toEqual([]);
    await decide(alice, 'accept');
    await frank.ear.hear(isGone(id));
    await expect.poll(() => arrivals(alice)).toEqual(['Rate limiter']);
    expect(await outboxOf(frank)).toEqual([]);
    const [item] = (await frank.desk.call('listHandoffs', {}, 'codex')).items;
    const { events } = await alice.desk.call('getThread', { task_id: item?.task_id ?? '' }, 'human');
    expect(events[0]).toMatchObject({ kind: 'created', author: 'codex' });
  });

  it('under one key waits once, also when it is asked for again, and another thing is refused', async () => {
    const { frank, alice } = await strangers();
    const send = (body: string) =>
      frank.desk.call('sendHandoff', { to: 'alice', body, idempotency_key: 'k1' }, 'claude-code');
    const first = await send('Hello');
    expect(first).toMatchObject({ status: 'queued', outbox_id: 'k1' });
    expect(await send('Hello')).toEqual(first);
    expect(await outboxOf(frank)).toHaveLength(1);
    await expect(send('Something else')).rejects.toMatchObject({ reason: 'IDEMPOTENCY_CONFLICT' });
    await decide(alice, 'accept');
    await frank.ear.hear(isGone('k1'));
    // and then it is the handoff that came of it
    const sent = written(await send('Hello'));
    expect(await rowAt(alice, sent.task_id)).toMatchObject({ handoff: { summary: 'Hello' } });
    await expect(send('Something else')).rejects.toMatchObject({ reason: 'IDEMPOTENCY_CONFLICT' });
    await expect.poll(() => arrivals(alice)).toEqual(['Hello']);
  });

  it('is delivered in the order in which it was written', async () => {
    const { frank, alice } = await strangers();
    for (const body of ['One', 'Two', 'Three']) kept(await handOff(frank, 'alice', body));
    await decide(alice, 'accept');
    await expect.poll(() => arrivals(alice)).toHaveLength(3);
    const { items } = await alice.desk.call('getSnapshot', {}, 'human');
    expect(items.map(({ handoff }) => handoff.summary)).toEqual(['Three', 'Two', 'One']);
  });

  it('comes back when they decline, with its text, and may be tried again or dropped', async () => {
    const { frank, alice } = await strangers();
    const { outbox_id: id } = kept(await handOff(frank, 'alice', 'Please'));
    const { outbox_id: other } = kept(await handOff(frank, 'alice', 'Please too'));
    await decide(alice, 'decline');
    await expect
      .poll(() => outboxOf(frank))
      .toMatchObject([
        { id, text: 'Please', state: 'returned', reason: 'alice@acme does not take messages from you.' },
        { id: other, state: 'returned' },
      ]);
    await expect(frank.desk.call('releaseOutbox', { id }, 'human')).rejects.toMatchObject({
      reason: 'CONTACT_DECLINED',
    });
    await frank.desk.call('discardOutbox', { id: other }, 'human');
    await decide(alice, 'accept');
    expect(written(await frank.desk.call('releaseOutbox', { id }, 'human'))).toMatchObject({ state: 'pending' });
    await expect.poll(() => arrivals(alice)).toEqual(['Please']);
    expect(await outboxOf(frank)).toEqual([]);
    expect(await auditOf(frank, 'outbox_returned')).toHaveLength(2);
  });

  it('is delivered once when they accepted while the desk of the sender was closed', async () => {
    const { frank, alice } = await strangers();
    kept(await handOff(frank, 'alice', 'Later'));
    await frank.desk.close();
    await decide(alice, 'accept');
    await frank.reopen();
    await expect.poll(() => arrivals(alice)).toEqual(['Later']);
    await expect.poll(() => outboxOf(frank)).toEqual([]);
    await frank.reopen();
    await expect.poll(() => arrivals(alice)).toEqual(['Later']);
  });

  it('comes back when they declined meanwhile, and asks again when nobody remembers', async () => {
    const { running, frank, alice } = await strangers();
    const mia = await member(running, 'mia', { contacts: 'ask' });
    const { outbox_id: id } = kept(await handOff(frank, 'alice', 'No?'));
    kept(await handOff(frank, 'mia', 'Forgotten?'));
    await frank.desk.close();
    await decide(alice, 'decline');
    await decide(mia, 'remove');
    await frank.reopen();
    await expect
      .poll(() => outboxOf(frank))
      .toMatchObject([
        { id, state: 'returned' },
        { text: 'Forgotten?', state: 'waiting_contact' },
      ]);
    await expect
      .poll(async () => (await mia.desk.call('listContacts', {}, 'human')).contacts)
      .toMatchObject([{ handle: 'frank@acme', incoming: 'requested', note: 'Forgotten?' }]);
  });

  it('is delivered once when the relay goes away at the moment of acceptance', async () => {
    const { running, frank, alice } = await strangers();
    kept(await handOff(frank, 'alice', 'Through'));
    const accepted = decide(alice, 'accept');
    await accepted;
    await running.restart();
    await expect.poll(() => arrivals(alice), { timeout: 10_000 }).toEqual(['Through']);
    await expect.poll(() => outboxOf(frank), { timeout: 10_000 }).toEqual([]);
  });
});

const SECRET = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`;

describe('what looks like a secret', () => {
  it('does not leave: it waits for a person, and says where it is without saying what', async () => {
    const { running, frank } = await strangers();
    const mia = await member(running, 'mia');
    for (const surface of ['claude-code', 'codex', 'cli'] as const) {
      const answer = kept(await handOff(frank, 'mia', `Use ${SECRET} for it`, surface));
      expect(answer).toMatchObject({
        status: 'needs_human',
        findings: [{ where: 'body', rule: 'github', start: 4, end: 4 + SECRET.length }],
      });
      expect(JSON.stringify(answer)).not.toContain(SECRET);
    }
    expect(await arrivals(mia)).toEqual([]);
    const noted = await auditOf(frank, 'egress_held');
    expect(noted.map(({ actor }) => actor)).toEqual(['claude-code', 'codex', 'cli']);
    expect(JSON.stringify(noted)).not.toContain(SECRET);
  });

  it('is found in messages, steps and artifacts, too', async () => {
    const { running, frank } = await strangers();
    await member(running, 'mia');
    const { task_id } = written(await handOff(frank, 'mia', 'Hello', 'codex'));
    const artifacts = [{ type: 'file_diff', path: 'a.ts', diff: `+const token = '${SECRET}';` }] as const;
    const message = await frank.desk.call('sendMessage', { task_id, body: 'See', artifacts: [...artifacts] }, 'codex');
    expect(kept(message).findings).toMatchObject([{ where: 'artifacts[0].diff', rule: 'github' }]);
    const step = await frank.desk.call('updateHandoff', { task_id, transition: 'cancel', reason: SECRET }, 'codex');
    expect(kept(step).findings).toMatchObject([{ where: 'reason' }]);
    expect(await outboxOf(frank)).toMatchObject([
      { kind: 'message', task_id, peer: 'mia@acme', text: 'See' },
      { kind: 'update', task_id, peer: 'mia@acme', text: SECRET },
    ]);
    expect(await rowAt(frank, task_id)).toMatchObject({ handoff: { state: 'pending', last_version: 1 } });
  });

  it('is sent when a person says so, once, and nobody else can', async () => {
    const { running, frank } = await strangers();
    const mia = await member(running, 'mia');
    const { outbox_id: id } = kept(await handOff(frank, 'mia', `It is ${SECRET}`, 'codex'));
    for (const command of ['releaseOutbox', 'discardOutbox'] as const) {
      await expect(frank.desk.call(command, { id }, 'codex')).rejects.toMatchObject({ reason: 'HUMAN_REQUIRED' });
    }
    const sent = written(await frank.desk.call('releaseOutbox', { id }, 'human'));
    await expect.poll(() => arrivals(mia)).toEqual([`It is ${SECRET}`]);
    const { events } = await mia.desk.call('getThread', { task_id: sent.task_id }, 'human');
    expect(events[0]).toMatchObject({ author: 'codex' });
    const gone = { reason: 'OUTBOX_ITEM_NOT_FOUND' };
    await expect(frank.desk.call('releaseOutbox', { id }, 'human')).rejects.toMatchObject(gone);
    await expect(frank.desk.call('discardOutbox', { id }, 'human')).rejects.toMatchObject(gone);
    expect(await auditOf(frank, 'egress_released')).toMatchObject([{ actor: 'human', peer: 'mia@acme' }]);
  });

  it('keeps what an agent writes after it on the thread behind it, and nothing that a person writes', async () => {
    const { running, frank } = await strangers();
    const mia = await member(running, 'mia');
    const { task_id } = written(await handOff(frank, 'mia', 'Hello'));
    const say = (body: string, surface: Surface) => frank.desk.call('sendMessage', { task_id, body }, surface);
    const first = kept(await say(`First ${SECRET}`, 'codex'));
    const second = kept(await say('Second', 'codex'));
    expect(second).toMatchObject({ status: 'queued', reason: expect.stringContaining('written before it') });
    written(await say('Of a person', 'human'));
    written(await handOff(frank, 'mia', 'Another thread', 'codex'));
    await frank.desk.call('releaseOutbox', { id: first.outbox_id }, 'human');
    const bodies = async (): Promise<unknown[]> =>
      (await mia.desk.call('getThread', { task_id }, 'human')).events.flatMap((event) =>
        event.kind === 'message' ? event.message.parts.map((part) => ('text' in part ? part.text : '')) : [],
      );
    await expect.poll(bodies).toEqual(['Of a person', `First ${SECRET}`, 'Second']);
    expect(await outboxOf(frank)).toEqual([]);
    // and is sent when what it waits for is dropped
    const third = kept(await say(SECRET, 'codex'));
    kept(await say('Fourth', 'codex'));
    await frank.desk.call('discardOutbox', { id: third.outbox_id }, 'human');
    await expect.poll(async () => (await bodies()).at(-1)).toBe('Fourth');
  });

  it('is nothing that another agent of the person reads in what waits', async () => {
    const { running, frank } = await strangers();
    await member(running, 'mia');
    const agent = listen(frank.desk, 'codex');
    const { outbox_id: id } = kept(await handOff(frank, 'mia', SECRET, 'claude-code'));
    await agent.hear((event) => event.type === 'outbox');
    const { items } = await frank.desk.call('listOutbox', {}, 'codex');
    expect(items).toMatchObject([{ id, text: '', findings: [{ rule: 'github' }] }]);
    const { outbox } = await frank.desk.call('getSnapshot', {}, 'codex');
    expect(JSON.stringify([items, outbox, agent.events])).not.toContain(SECRET);
  });

  it('is dropped when a person says so, and then the same may be written without it', async () => {
    const { running, frank } = await strangers();
    const mia = await member(running, 'mia');
    const { outbox_id: id } = kept(await handOff(frank, 'mia', SECRET, 'codex'));
    await frank.desk.call('discardOutbox', { id }, 'cli');
    expect(await outboxOf(frank)).toEqual([]);
    expect(await auditOf(frank, 'egress_discarded')).toMatchObject([
      { actor: 'cli', detail: { state: 'needs_human' } },
    ]);
    written(await handOff(frank, 'mia', 'Without', 'codex'));
    await expect.poll(() => arrivals(mia)).toEqual(['Without']);
  });

  it('in what a person writes is theirs to send', async () => {
    const { running, frank } = await strangers();
    const mia = await member(running, 'mia');
    written(await handOff(frank, 'mia', SECRET, 'human'));
    await expect.poll(() => arrivals(mia)).toEqual([SECRET]);
  });

  it('waits for a contact once a person has let it go to somebody new', async () => {
    const { frank, alice } = await strangers();
    const { outbox_id: id } = kept(await handOff(frank, 'alice', `It is ${SECRET}`, 'codex'));
    expect((await alice.desk.call('listContacts', {}, 'human')).contacts).toEqual([]);
    expect(kept(await frank.desk.call('releaseOutbox', { id }, 'human'))).toMatchObject({ status: 'queued' });
    await decide(alice, 'accept');
    await expect.poll(() => arrivals(alice)).toEqual([`It is ${SECRET}`]);
  });

  it('survives a restart, and a relay that is away when it is let go', async () => {
    const { running, frank } = await strangers();
    const mia = await member(running, 'mia');
    const { outbox_id: id } = kept(await handOff(frank, 'mia', SECRET, 'codex'));
    await frank.reopen();
    expect(await outboxOf(frank)).toMatchObject([{ id, state: 'needs_human', findings: [{ rule: 'github' }] }]);
    await running.stop();
    const answer = kept(await frank.desk.call('releaseOutbox', { id }, 'human'));
    expect(answer).toMatchObject({ status: 'queued', reason: expect.stringContaining('cannot be reached') });
    await running.restart();
    await expect.poll(() => arrivals(mia), { timeout: 10_000 }).toEqual([SECRET]);
    await expect.poll(() => outboxOf(frank)).toEqual([]);
  });
});
