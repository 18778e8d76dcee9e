import { describe, expect, test } from 'vitest';
import { ConnectionError } from '../../../main/desk/trouble.ts';
import { createReplies } from '../../../main/worker/replies.ts';
import type { JsonObject } from '../../../relay/contract/json.ts';
import { RelayError, type Reason } from '../../../relay/contract/reasons.ts';

/** Replies to a relay that does with the n-th request what is said, and takes all others. */
function replies(does: Readonly<Record<number, () => void>> = {}, until = new AbortController().signal) {
  const sent: JsonObject[] = [];
  let answered = 0;
  const all = createReplies({
    relay: {
      async update(params) {
        sent.push(params);
        does[sent.length]?.();
      },
    },
    of: { taskId: 't1', worker: 'w1', lease: 1, round: 1 },
    random: () => 0.999,
    until,
    onAnswered: () => (answered += 1),
  });
  return { ...all, keys: () => sent.map((params) => params['idempotency_key']), answered: () => answered };
}

const refuses = (reason: Reason) => () => {
  throw new RelayError(reason, `It is ${reason}.`);
};
const isAway = (): void => {
  throw new ConnectionError({ kind: 'dropped' });
};
const words = { type: 'message', text: 'words' } as const;

describe('replies', () => {
  test('go one after the other, and the last word is the verdict', async () => {
    const { say, verdict, keys, answered, useless } = replies();
    say(words, 1);
    say(words, 2);
    expect(answered()).toBe(0);
    say({ type: 'complete' }, 3);
    expect(await verdict()).toEqual({ kind: 'answered', by: { type: 'complete' } });
    expect([keys(), answered(), useless.aborted]).toEqual([['lease-1-1', 'lease-1-2', 'lease-1-3'], 1, false]);
  });

  test('without a last word decide nothing', async () => {
    const { say, verdict } = replies();
    say(words, 1);
    expect(await verdict()).toBeUndefined();
  });

  test('are sent again under the same key while the relay is away', async () => {
    const { say, verdict, keys } = replies({ 1: isAway, 2: refuses('SHUTTING_DOWN') });
    say({ type: 'complete' }, 1);
    expect(await verdict()).toMatchObject({ kind: 'answered' });
    expect(keys()).toEqual(['lease-1-1', 'lease-1-1', 'lease-1-1']);
  });

  test('are given up when there is no more time for them, without a verdict', async () => {
    const { say, verdict, keys } = replies({ 1: isAway }, AbortSignal.abort());
    say({ type: 'complete' }, 1);
    expect([await verdict(), keys()]).toEqual([undefined, ['lease-1-1']]);
  });

  test('that no relay takes at once are not sent: it is said how large they are, and why', async () => {
    const { say, verdict, keys, useless } = replies();
    say({ type: 'complete', summary: '\n'.repeat(600_000) }, 1);
    const why = expect.stringMatching(/takes 1200\d{3} bytes as JSON.*line ends count twice.*a relay takes 1047552/);
    expect(await verdict()).toEqual({ kind: 'fault', why });
    expect([keys(), useless.aborted]).toEqual([[], true]);
  });

  test.each([
    'LEASE_LOST',
    'HELD_BY_OTHER_SESSION',
    'STATE_CHANGED',
    'UNSUPPORTED_OPERATION',
    'UNAUTHENTICATED',
  ] as const)('that are refused with %s are no longer wanted', async (reason) => {
    const { say, verdict, keys, useless } = replies({ 1: refuses(reason) });
    say(words, 1);
    say(words, 2);
    expect(await verdict()).toEqual({ kind: 'lost', why: `It is ${reason}.` });
    expect([keys().length, useless.aborted]).toEqual([1, true]);
  });

  test.each(['INVALID_PARAMS', 'PAYLOAD_TOO_LARGE', 'THREAD_TOO_LARGE'] as const)(
    'that are refused with %s are a fault of what was said',
    async (reason) => {
      const { say, verdict, useless } = replies({ 1: refuses(reason) });
      say(words, 1);
      expect(await verdict()).toEqual({ kind: 'fault', why: `What the command said was refused: It is ${reason}.` });
      expect(useless.aborted).toBe(true);
    },
  );

  test('after a fault are not sent', async () => {
    const { say, refuse, verdict, keys } = replies();
    refuse('Line 1 is wrong.');
    refuse('Line 2 is wrong.');
    say({ type: 'complete' }, 3);
    expect([await verdict(), keys()]).toEqual([{ kind: 'fault', why: 'Line 1 is wrong.' }, []]);
  });

  test('of which the last word is on its way when something turns out to be wrong have answered', async () => {
    const arrive = Promise.withResolvers<void>();
    const { say, refuse, verdict } = createReplies({
      relay: { update: () => arrive.promise },
      of: { taskId: 't1', worker: 'w1', lease: 1, round: 1 },
      random: () => 0,
      until: new AbortController().signal,
      onAnswered: () => undefined,
    });
    say({ type: 'complete' }, 1);
    await Promise.resolve();
    refuse('More than it may write.');
    arrive.resolve();
    expect(await verdict()).toMatchObject({ kind: 'answered' });
  });
});
