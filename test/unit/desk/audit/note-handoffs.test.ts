import { beforeEach, describe, expect, it } from 'vitest';
import { createHandoffNotes, type HandoffNotes } from '../../../../main/desk/audit/note-handoffs.ts';
import type { AuditEntry, AuditRow } from '../../../../relay/contract/audit.ts';
import type { InboxItem } from '../../../../relay/contract/desk-api.ts';
import type { HandoffView, ThreadEvent } from '../../../../relay/contract/handoff.ts';
import { rowOf, sampleEvent, sampleView } from '../samples.ts';

/** What was noted, as a log keeps it over restarts. */
let entries: AuditEntry[];

/** The desk is started, with the log that it has. */
function start(): HandoffNotes {
  return createHandoffNotes({
    note: (entry) => void entries.push(entry),
    newestAbout: (ref, account) => {
      const found = entries.findLast((entry) => entry.ref === ref && entry.account === account);
      return found && ({ detail: found.detail } as AuditRow);
    },
  });
}

const item = (over: Partial<HandoffView> = {}): InboxItem => rowOf(sampleView(over));
const common = { author: 'human', at: 1 } as const;
const created: ThreadEvent = {
  ...common,
  kind: 'created',
  version: 1,
  actor: 'sender',
  summary: 'x',
  message: { messageId: 'm', role: 'ROLE_USER', parts: [] },
};
const accepted: ThreadEvent = {
  ...common,
  kind: 'status',
  version: 2,
  actor: 'recipient',
  author: 'codex',
  state: 'accepted',
  transition: 'accept',
};
const asked: ThreadEvent = { ...accepted, version: 3, state: 'input_required', transition: 'ask' };
const answered: ThreadEvent = { ...sampleEvent(4), kind: 'message', state: 'accepted', message: created.message };

beforeEach(() => {
  entries = [];
});

describe('what happens to a handoff', () => {
  it('is noted step by step, with who took it', () => {
    const notes = start();
    for (const event of [created, accepted, asked, answered]) notes.changed({ item: item(), event });
    const about = { account: 'frank@acme', peer: 'alice@acme', ref: 't1' };
    expect(entries).toEqual([
      { ...about, action: 'handoff_received', actor: 'peer', detail: { state: 'pending', version: 1 } },
      {
        ...about,
        action: 'handoff_transition',
        actor: 'codex',
        detail: { step: 'accept', state: 'accepted', version: 2 },
      },
      {
        ...about,
        action: 'handoff_transition',
        actor: 'codex',
        detail: { step: 'ask', state: 'input_required', version: 3 },
      },
      {
        ...about,
        action: 'handoff_transition',
        actor: 'peer',
        detail: { step: 'answer', state: 'accepted', version: 4 },
      },
    ]);
  });

  it('is seen from the side of the account', () => {
    const notes = start();
    const own = item({ role: 'sender' });
    notes.changed({ item: own, event: { ...created, author: 'a2a' } });
    notes.changed({ item: own, event: accepted });
    notes.changed({
      item: own,
      event: { ...accepted, version: 3, actor: 'relay', state: 'failed', transition: 'give_up' },
    });
    expect(entries.map(({ action, actor, peer }) => [action, actor, peer])).toEqual([
      ['handoff_sent', 'a2a', 'frank@acme'],
      ['handoff_transition', 'peer', 'frank@acme'],
      ['handoff_transition', 'relay', 'frank@acme'],
    ]);
  });

  it('is no text: neither messages nor receipts nor what a handoff says are noted', () => {
    const notes = start();
    notes.changed({ item: item(), event: created });
    notes.changed({ item: item(), event: sampleEvent(2) });
    notes.changed({
      item: item(),
      event: { ...common, kind: 'receipt', version: 3, actor: 'recipient', state: 'acked', upTo: 2 },
    });
    expect(entries).toHaveLength(1);
    expect(JSON.stringify(entries)).not.toContain('Rate limiter');
  });

  it('is noted once, however often it is told, also by another start', () => {
    const notes = start();
    for (const event of [created, accepted, accepted, created]) notes.changed({ item: item(), event });
    start().changed({ item: item(), event: accepted });
    expect(entries).toHaveLength(2);
    start().changed({ item: item(), event: asked });
    expect(entries).toHaveLength(3);
  });

  it('is noted also where the state stays: another session takes it over', () => {
    const notes = start();
    notes.changed({ item: item(), event: accepted });
    notes.changed({ item: item(), event: { ...accepted, version: 3, transition: 'take_over' } });
    expect(entries.map(({ detail }) => detail?.['step'])).toEqual(['accept', 'take_over']);
  });
});

describe('what happened while nobody listened', () => {
  it('is noted from the list, once', () => {
    const items = [item(), item({ task_id: 't2', role: 'sender', state: 'completed', version: 5 })];
    start().listed(items);
    start().listed(items);
    expect(entries.map(({ action, actor, ref, detail }) => [action, actor, ref, detail])).toEqual([
      ['handoff_received', 'desk', 't1', { seen: 'in the list', state: 'pending', version: 1 }],
      ['handoff_sent', 'desk', 't2', { seen: 'in the list', state: 'completed', version: 5 }],
    ]);
  });

  it('is a step where the state is another one, and nothing where it is not', () => {
    const notes = start();
    notes.changed({ item: item(), event: created });
    notes.listed([item({ version: 3 })]);
    expect(entries).toHaveLength(1);
    notes.listed([item({ state: 'cancelled', version: 4 })]);
    expect(entries[1]).toMatchObject({ action: 'handoff_transition', actor: 'desk', detail: { state: 'cancelled' } });
  });

  it('goes on with what comes after the list', () => {
    const notes = start();
    notes.listed([item({ state: 'accepted', version: 2 })]);
    notes.changed({ item: item(), event: accepted });
    notes.changed({ item: item(), event: asked });
    expect(entries.map(({ detail }) => detail?.['state'])).toEqual(['accepted', 'input_required']);
  });
});
