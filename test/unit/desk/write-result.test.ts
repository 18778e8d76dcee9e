import { describe, expect, it } from 'vitest';
import { receiptOf, toWriteResult } from '../../../main/desk/write-result.ts';
import type { HandoffView, Party, ReceiptCursors } from '../../../relay/contract/handoff.ts';
import { NONE, sampleView } from './samples.ts';

/** Version 4 was written last, by `role`; the other side has got as far as `theirs` says. */
function written(role: Party, theirs: Partial<ReceiptCursors>): HandoffView {
  const other = role === 'sender' ? 'recipient' : 'sender';
  return sampleView({
    role,
    version: 6,
    last_actor: role,
    last_version: 4,
    receipts: { sender: NONE, recipient: NONE, [other]: { ...NONE, ...theirs } },
  });
}

describe.each(['sender', 'recipient'] as const)('the receipt of what the %s wrote', (role) => {
  it.each<[Partial<ReceiptCursors>, string]>([
    [{}, 'queued'],
    [{ offered: 3, surfaced: 3, acked: 3 }, 'queued'],
    [{ offered: 4 }, 'offered'],
    [{ offered: 5, surfaced: 3, acked: 3 }, 'offered'],
    [{ offered: 4, held: true }, 'held'],
    [{ held: true }, 'held'],
    [{ offered: 4, surfaced: 4 }, 'surfaced'],
    [{ offered: 4, surfaced: 4, held: true }, 'surfaced'],
    [{ offered: 4, surfaced: 4, acked: 4 }, 'acked'],
    [{ offered: 5, surfaced: 5, acked: 5, held: true }, 'acked'],
  ])('%j: %s', (theirs, receipt) => {
    expect(receiptOf(written(role, theirs))).toBe(receipt);
  });

  it('does not look at how far its own side has got', () => {
    const view = written(role, {});
    const own = { offered: 9, surfaced: 9, acked: 9, held: true };
    expect(receiptOf({ ...view, receipts: { ...view.receipts, [role]: own } })).toBe('queued');
  });
});

describe('the answer to a write', () => {
  it('is sent, with the version that was written, not that of a receipt after it', () => {
    expect(toWriteResult(written('sender', { offered: 4 }), false)).toEqual({
      status: 'sent',
      task_id: 't1',
      version: 4,
      state: 'pending',
      receipt: 'offered',
    });
  });

  it('is queued, and says why, when the other side is away', () => {
    expect(toWriteResult(written('sender', {}), true)).toEqual({
      status: 'queued',
      reason: 'frank@acme is not connected. It is delivered when frank@acme connects.',
      task_id: 't1',
      version: 4,
      state: 'pending',
      receipt: 'queued',
    });
    expect(toWriteResult(written('recipient', {}), true).reason).toContain('alice@acme');
  });

  it('is not queued when the other side has it, even if it left since', () => {
    expect(toWriteResult(written('sender', { offered: 4 }), true)).toMatchObject({
      status: 'sent',
      receipt: 'offered',
    });
  });
});
