import { describe, expect, test } from 'vitest';
import type { ReceiptCursors, ReceiptState } from '../../../relay/contract/handoff.ts';
import { carryOut } from '../../../relay/handoffs/carry-out.ts';
import type { Handoff } from '../../../relay/store/ports.ts';
import { artifact, receipt, says, step, thread } from '../../support/threads.ts';

/** The recipient's cursors after receipts for a thread of three messages of the sender. */
function afterReceipts(...receipts: readonly (readonly [ReceiptState, number])[]): ReceiptCursors {
  return threeMessages(...receipts).receipts.recipient;
}

function threeMessages(...receipts: readonly (readonly [ReceiptState, number])[]): Handoff {
  return thread(
    says('sender', 'and the semicolons'),
    says('sender', 'and the colons'),
    ...receipts.map(([state, upTo]) => receipt('recipient', state, upTo)),
  ).handoff;
}

/** What one receipt is told as; undefined when it says nothing new. */
function told(before: Handoff, state: ReceiptState, upTo: number): unknown {
  return carryOut(before, [receipt('recipient', state, upTo)], 9_000).events[0];
}

describe('cursors', () => {
  test('begin at nothing', () => {
    expect(afterReceipts()).toEqual({ offered: 0, surfaced: 0, acked: 0, held: false });
  });

  test.each([
    ['offered', { offered: 2, surfaced: 0, acked: 0, held: false }],
    ['surfaced', { offered: 2, surfaced: 2, acked: 0, held: false }],
    ['acked', { offered: 2, surfaced: 2, acked: 2, held: false }],
    ['held', { offered: 2, surfaced: 0, acked: 0, held: true }],
  ] as const)('%s takes those before it along', (state, cursors) => {
    expect(afterReceipts([state, 2])).toEqual(cursors);
  });

  test('never go back', () => {
    expect(afterReceipts(['acked', 3], ['offered', 1], ['surfaced', 2], ['acked', 1])).toEqual({
      offered: 3,
      surfaced: 3,
      acked: 3,
      held: false,
    });
  });

  test('go no further than what was written', () => {
    expect(afterReceipts(['acked', 99])).toMatchObject({ acked: 3 });
  });

  test('of the two sides are apart', () => {
    const { receipts } = thread(step('accept'), receipt('sender', 'surfaced', 2)).handoff;
    expect(receipts.sender).toEqual({ offered: 2, surfaced: 2, acked: 0, held: false });
    expect(receipts.recipient.acked).toBe(1);
  });

  test.each(['completed', 'declined', 'cancelled'] as const)('still move once it is %s', (end) => {
    const steps = {
      completed: [step('accept'), step('complete')],
      declined: [step('decline')],
      cancelled: [step('cancel')],
    };
    const { handoff } = thread(...steps[end]);
    const side = end === 'cancelled' ? 'recipient' : 'sender';
    const next = carryOut(handoff, [receipt(side, 'acked', handoff.version)], 9_000);
    expect(next.handoff).toMatchObject({ state: end, receipts: { [side]: { acked: handoff.version } } });
  });
});

describe('held', () => {
  test.each(['surfaced', 'acked'] as const)('is lifted by %s, even for what was %s before', (state) => {
    expect(afterReceipts([state, 1], ['held', 3], [state, 1]).held).toBe(false);
  });

  test('is not lifted by handing over bytes', () => {
    expect(afterReceipts(['held', 1], ['offered', 3])).toEqual({ offered: 3, surfaced: 0, acked: 0, held: true });
  });

  test('is lifted by an answer', () => {
    const { handoff } = thread(receipt('recipient', 'held', 1), step('accept'));
    expect(handoff.receipts.recipient).toEqual({ offered: 1, surfaced: 1, acked: 1, held: false });
  });

  test('is not said of what was acknowledged', () => {
    expect(told(threeMessages(['acked', 3]), 'held', 3)).toBeUndefined();
  });

  test('is said of what came after that', () => {
    expect(told(threeMessages(['acked', 2]), 'held', 3)).toMatchObject({ state: 'held', upTo: 3 });
  });

  test('is said once', () => {
    expect(told(threeMessages(['held', 1]), 'held', 3)).toBeUndefined();
  });
});

describe('what says nothing new is no event', () => {
  test.each([
    ['offered', 'offered', 3, 3],
    ['offered', 'offered', 3, 2],
    ['surfaced', 'offered', 3, 3],
    ['surfaced', 'surfaced', 3, 1],
    ['acked', 'offered', 3, 3],
    ['acked', 'surfaced', 3, 3],
    ['acked', 'acked', 3, 3],
    ['acked', 'acked', 3, 99],
  ] as const)('after %s: %s', (before, state, upToBefore, upTo) => {
    expect(told(threeMessages([before, upToBefore]), state, upTo)).toBeUndefined();
  });

  test('nor is a receipt for one’s own words', () => {
    const { handoff } = thread(step('accept'), artifact());
    expect(told(handoff, 'acked', handoff.version)).toBeUndefined();
  });
});

describe('an event of a receipt', () => {
  test('holds how far, and who read it', () => {
    const { events } = carryOut(threeMessages(), [receipt('recipient', 'surfaced', 99, 'Codex in web/')], 9_000);
    expect(events).toStrictEqual([
      {
        kind: 'receipt',
        version: 4,
        at: 9_000,
        actor: 'recipient',
        author: 'human',
        state: 'surfaced',
        upTo: 3,
        label: 'Codex in web/',
      },
    ]);
  });

  test('counts as a version, but not as something that was written', () => {
    const { handoff } = thread(receipt('recipient', 'surfaced', 1));
    expect(handoff).toMatchObject({
      version: 2,
      lastVersion: 1,
      lastActor: 'sender',
      statusAt: 1_000,
      updatedAt: 1_000,
    });
  });
});

describe('whoever writes', () => {
  test('has acknowledged what the other side wrote before, and nothing after', () => {
    const { handoff } = thread(step('accept'), says('sender', 'one more'));
    expect(handoff.receipts).toEqual({
      sender: { offered: 2, surfaced: 2, acked: 2, held: false },
      recipient: { offered: 1, surfaced: 1, acked: 1, held: false },
    });
  });

  test('is never the relay', () => {
    const before = thread(step('accept')).handoff;
    const { handoff } = carryOut(before, [step('give_up', { reason: 'no worker came back' })], 9_000);
    expect(handoff).toMatchObject({ lastActor: 'relay', receipts: before.receipts });
  });
});
