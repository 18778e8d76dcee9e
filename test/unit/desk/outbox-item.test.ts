import { describe, expect, it } from 'vitest';
import { toKept, toOutboxItem } from '../../../main/desk/outbox/outbox-item.ts';
import {
  handoffRequest,
  sentBy,
  textOfRequest,
  threadMessageRequest,
  updateRequest,
} from '../../../main/desk/requests.ts';
import type { OutboxRow } from '../../../main/desk/store/outbox-store.ts';
import { EXTENSION_URI } from '../../../relay/contract/handoff.ts';
import { outboxItemSchema } from '../../../relay/contract/outbox.ts';

const HOW = { key: 'k1', author: 'codex' } as const;
const REQUEST = handoffRequest({ to: 'alice', body: 'Look at this' }, 'alice@acme', HOW);

function row(over: Partial<OutboxRow> = {}): OutboxRow {
  return {
    account: 'frank@acme',
    id: 'k1',
    peer: 'alice@acme',
    kind: 'handoff',
    thread: 'k1',
    request: REQUEST,
    author: 'codex',
    created_at: 7,
    state: 'waiting_contact',
    reason: 'alice@acme was asked.',
    findings: [],
    attempts: 0,
    next_at: 7,
    ...over,
  };
}

describe('what waits, as clients see it', () => {
  it('has its words, and of a new handoff no id of one', () => {
    const item = toOutboxItem(row());
    expect(item).toEqual({
      id: 'k1',
      account: 'frank@acme',
      peer: 'alice@acme',
      kind: 'handoff',
      text: 'Look at this',
      author: 'codex',
      state: 'waiting_contact',
      reason: 'alice@acme was asked.',
      findings: [],
      created_at: 7,
    });
    expect(outboxItemSchema.parse(item)).toEqual(item);
    expect(toOutboxItem(row({ kind: 'message', thread: 't1' }))).toMatchObject({ task_id: 't1' });
  });

  it('shows a long text cut, and never half a character', () => {
    const long = `${'x'.repeat(4_095)}😀`;
    const request = handoffRequest({ to: 'alice', body: long }, 'alice@acme', HOW);
    const { text } = toOutboxItem(row({ request }));
    expect(text).toHaveLength(4_096);
    expect(text.isWellFormed()).toBe(true);
  });

  it.each([
    ['waiting_contact', 'queued'],
    ['waiting_relay', 'queued'],
    ['needs_human', 'needs_human'],
    ['returned', 'needs_human'],
  ] as const)('that is %s answers %s', (state, status) => {
    expect(toKept(row({ state }))).toEqual({ status, reason: 'alice@acme was asked.', outbox_id: 'k1', findings: [] });
  });

  it('says why it waits even where nobody said', () => {
    expect(toKept(row({ state: 'waiting_relay', reason: null })).reason).toMatch(/^It is sent when .*\.$/);
  });
});

describe('the words of a request', () => {
  it('are those of the message, or of the step', () => {
    expect(textOfRequest(REQUEST)).toBe('Look at this');
    const message = threadMessageRequest({ task_id: 't1', body: 'Yes' }, 'recipient', HOW);
    expect(textOfRequest(message)).toBe('Yes');
    const step = { task_id: 't1', transition: 'decline' } as const;
    expect(textOfRequest(updateRequest({ ...step, reason: 'No time', body: 'Sorry' }, HOW))).toBe('Sorry');
    expect(textOfRequest(updateRequest({ ...step, reason: 'No time' }, HOW))).toBe('No time');
    expect(textOfRequest(updateRequest(step, HOW))).toBe('decline');
    expect(textOfRequest({})).toBe('');
  });
});

describe('a request that somebody else sends on', () => {
  it('is the same but for who answers for it', () => {
    expect(sentBy(REQUEST, 'human')).toEqual(
      handoffRequest({ to: 'alice', body: 'Look at this' }, 'alice@acme', { ...HOW, author: 'human' }),
    );
    const step = updateRequest({ task_id: 't1', transition: 'accept' }, HOW);
    expect(sentBy(step, 'cli')).toEqual({ ...step, author: 'cli' });
    expect(sentBy({ message: { metadata: { other: 1 } } }, 'human')).toEqual({
      message: { metadata: { [EXTENSION_URI]: { author: 'human' } } },
    });
  });
});
