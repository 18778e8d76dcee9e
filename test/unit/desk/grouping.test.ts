import { describe, expect, it } from 'vitest';
import { otherParty } from '../../../main/desk/grouping.ts';
import type { Group } from '../../../relay/contract/desk-api.ts';
import type { HandoffState, HandoffView, Party } from '../../../relay/contract/handoff.ts';
import { LISTED, NONE, rowOf, sampleView } from './samples.ts';

const GROUPS: readonly [Party, HandoffState, Group][] = [
  ['recipient', 'pending', 'needs_you'],
  ['recipient', 'accepted', 'working'],
  ['recipient', 'input_required', 'waiting'],
  ['recipient', 'completed', 'done'],
  ['recipient', 'failed', 'done'],
  ['recipient', 'declined', 'done'],
  ['recipient', 'cancelled', 'done'],
  ['sender', 'pending', 'waiting'],
  ['sender', 'accepted', 'waiting'],
  ['sender', 'input_required', 'needs_you'],
  ['sender', 'completed', 'done'],
  ['sender', 'failed', 'done'],
  ['sender', 'declined', 'done'],
  ['sender', 'cancelled', 'done'],
];

describe('the group of a handoff', () => {
  it.each(GROUPS)('%s, %s: %s', (role, state, group) => {
    expect(rowOf(sampleView({ role, state })).group).toBe(group);
  });
});

/** Written by the other side as version 3, which this side has got to know as far as `own` says. */
function heard(role: Party, state: HandoffState, own: Partial<typeof NONE>): HandoffView {
  return sampleView({
    role,
    state,
    version: 5,
    last_actor: otherParty(role),
    last_version: 3,
    receipts: { sender: NONE, recipient: NONE, [role]: { ...NONE, ...own } },
  });
}

const unread = (view: HandoffView): boolean => rowOf(view).unread;

describe('unread', () => {
  it.each(GROUPS)('is nothing that one wrote oneself (%s, %s)', (role, state) => {
    expect(unread({ ...heard(role, state, {}), last_actor: role })).toBe(false);
  });

  it.each(GROUPS)('is what the other side wrote and nobody has seen (%s, %s)', (role, state) => {
    expect(unread(heard(role, state, {}))).toBe(true);
    expect(unread(heard(role, state, { offered: 3 }))).toBe(true);
    expect(unread(heard(role, state, { offered: 3, surfaced: 2, acked: 2 }))).toBe(true);
  });

  it.each(GROUPS)('is nothing that was acknowledged (%s, %s)', (role, state) => {
    expect(unread(heard(role, state, { offered: 3, surfaced: 3, acked: 3 }))).toBe(false);
  });

  it.each(GROUPS)('ends with being shown only where no step of ours is left (%s, %s: %s)', (role, state, group) => {
    const isOurMove = group === 'needs_you' || group === 'working';
    expect(unread(heard(role, state, { offered: 3, surfaced: 3 }))).toBe(isOurMove);
  });

  it('is not ended by what the other side has seen', () => {
    const view = heard('recipient', 'pending', {});
    const theirs = { offered: 3, surfaced: 3, acked: 3, held: false };
    expect(unread({ ...view, receipts: { ...view.receipts, sender: theirs } })).toBe(true);
  });

  it('is what the relay itself said, for both sides', () => {
    for (const role of ['sender', 'recipient'] as const) {
      expect(unread({ ...heard(role, 'failed', { acked: 2 }), last_actor: 'relay' })).toBe(true);
    }
  });
});

describe('a row', () => {
  it('names the other side as the peer', () => {
    expect(rowOf(sampleView())).toMatchObject({ peer: 'alice@acme', account: 'frank@acme' });
    expect(rowOf(sampleView({ role: 'sender' }), 'alice@acme')).toMatchObject({ peer: 'frank@acme' });
  });

  it('carries the handoff as the relay told of it', () => {
    const view = sampleView();
    expect(rowOf(view)).toEqual({
      task_id: 't1',
      account: 'frank@acme',
      peer: 'alice@acme',
      group: 'needs_you',
      unread: true,
      trust: LISTED,
      handoff: view,
    });
  });
});
