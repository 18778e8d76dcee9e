import { describe, expect, it } from 'vitest';
import { AGENT_TURNS } from '../../../main/desk/turns/budget.ts';
import type { Kept, Surface, WriteResult } from '../../../relay/contract/desk-api.ts';
import { written } from '../../support/written.ts';
import { auditOf, handOff, kept, member, outboxOf, type Member } from './members.ts';
import { startRelay } from './support.ts';

async function frankAndAlice(): Promise<{ frank: Member; alice: Member }> {
  const running = await startRelay();
  return { frank: await member(running, 'frank'), alice: await member(running, 'alice') };
}

/** Writes as often as an agent may without a person; what comes next waits. */
async function spendAll(write: (surface: Surface) => Promise<WriteResult>): Promise<Kept> {
  for (let turn = 0; turn < AGENT_TURNS; turn += 1) written(await write(turn % 2 === 0 ? 'codex' : 'claude-code'));
  return kept(await write('codex'));
}

describe('an agent that writes and writes', () => {
  it('waits for a person on one thread, also after a restart, and may go on once one has looked', async () => {
    const { frank, alice } = await frankAndAlice();
    const { task_id: id } = written(await handOff(frank, 'alice', 'Hello'));
    const say = (surface: Surface) => frank.desk.call('sendMessage', { task_id: id, body: 'And?' }, surface);
    const { outbox_id, status, reason } = await spendAll(say);
    expect({ status, reason }).toEqual({
      status: 'needs_human',
      reason:
        'Your agent has written 20 times to alice@acme without a person. Look at it and send it on, or discard it.',
    });
    await frank.reopen();
    const { outbox_id: next } = kept(await say('codex'));
    expect(await outboxOf(frank)).toMatchObject([{ id: outbox_id, task_id: id, state: 'needs_human' }, { id: next }]);
    // with somebody else, and in other threads, it goes on
    const other = written(await handOff(alice, 'frank', 'Something else'));
    written(await frank.desk.call('updateHandoff', { task_id: other.task_id, transition: 'accept' }, 'codex'));
    written(await frank.desk.call('releaseOutbox', { id: outbox_id }, 'human'));
    await frank.desk.call('discardOutbox', { id: next }, 'human');
    written(await say('codex'));
    expect(await auditOf(frank, 'loop_stopped', 'loop_resumed')).toMatchObject([
      { action: 'loop_stopped', actor: 'desk', ref: id, peer: 'alice@acme' },
      { action: 'loop_stopped' },
      { action: 'loop_resumed', actor: 'human', ref: id },
    ]);
  });

  it('may go on when a person has written themself', async () => {
    const { frank } = await frankAndAlice();
    const hand = (surface: Surface) => handOff(frank, 'alice', 'Once more', surface);
    await spendAll(hand);
    written(await hand('cli'));
    expect(await hand('codex')).not.toHaveProperty('outbox_id');
  });
});

describe('agents that hand work on in a circle', () => {
  it('are stopped, and a person sends it on', async () => {
    const { frank, alice } = await frankAndAlice();
    const on = (from: Member, to: string, follows: string) =>
      from.desk.call('sendHandoff', { to, body: 'Yours', follows }, 'codex');
    const first = written(await handOff(frank, 'alice', 'Mine', 'codex'));
    const second = written(await on(alice, 'frank', first.task_id));
    const third = written(await on(frank, 'alice', second.task_id));
    const stopped = kept(await on(alice, 'frank', third.task_id));
    expect(stopped).toMatchObject({ status: 'needs_human', findings: [] });
    expect(await auditOf(alice, 'loop_stopped')).toMatchObject([{ actor: 'relay', peer: 'frank@acme' }]);
    const sent = written(await alice.desk.call('releaseOutbox', { id: stopped.outbox_id }, 'human'));
    const { events, item } = await frank.desk.call('getThread', { task_id: sent.task_id }, 'human');
    expect(events[0]).toMatchObject({ kind: 'created', author: 'human' });
    expect(item.handoff.hops ?? 1).toBe(1);
    written(await on(frank, 'alice', sent.task_id));
  });
});
