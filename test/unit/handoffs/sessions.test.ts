import { describe, expect, test } from 'vitest';
import type { ThreadEvent } from '../../../relay/contract/handoff.ts';
import type { Command } from '../../../relay/handoffs/command.ts';
import { carryOut } from '../../../relay/handoffs/carry-out.ts';
import { artifact, commandsOf, message, says, step, thread, type RecipientSays } from '../../support/threads.ts';

const S1 = { sessionId: 's1' };
const S2 = { sessionId: 's2' };

function after(...steps: readonly Command[]) {
  const { handoff } = thread(...steps);
  return (command: Command): { readonly events: readonly ThreadEvent[]; readonly holder: string | undefined } => {
    const decision = carryOut(handoff, [command], 9_000);
    return { events: decision.events, holder: decision.handoff.sessionId };
  };
}

describe('the session that accepts', () => {
  test('holds the handoff', () => {
    expect(after()(step('accept', S1)).holder).toBe('s1');
  });

  test('keeps it through questions, answers and artifacts', () => {
    const { handoff } = thread(step('accept', S1), step('ask', S1), says('sender', 'the first'), artifact());
    expect(handoff).toMatchObject({ state: 'accepted', sessionId: 's1' });
  });

  test('may accept again, which changes nothing', () => {
    expect(after(step('accept', S1))(step('accept', S1)).events).toEqual([]);
  });

  test('may take over what it holds, which changes nothing', () => {
    expect(after(step('accept', S1))(step('take_over', S1)).events).toEqual([]);
  });

  test('goes on with a question of its own by accepting again', () => {
    const next = after(step('accept', S1), step('ask', S1))(step('accept', S1));
    expect(next).toMatchObject({ events: [{ kind: 'status', state: 'accepted' }], holder: 's1' });
  });

  test('is still on record after the end', () => {
    expect(thread(step('accept', S1), step('complete', S1)).handoff).toMatchObject({ sessionId: 's1' });
  });

  test('is on record, too, when its question was the first thing it did', () => {
    const next = after()(step('ask', { ...S1, message: message('which one?') }));
    expect(next).toMatchObject({ events: [{ state: 'input_required', sessionId: 's1' }], holder: 's1' });
  });
});

describe('another session', () => {
  test.each(['accept', 'ask', 'complete', 'fail'] as const)('is told who holds it when it wants to %s', (name) => {
    expect(() => after(step('accept', S1))(step(name, S2))).toThrow(
      expect.objectContaining({ reason: 'HELD_BY_OTHER_SESSION', metadata: { session_id: 's1' } }),
    );
  });

  test('is told so while the handoff waits for an answer, too', () => {
    expect(() => after(step('accept', S1), step('ask', S1))(step('accept', S2))).toThrow(
      expect.objectContaining({ reason: 'HELD_BY_OTHER_SESSION' }),
    );
  });

  test('takes it over, and the first one is told who holds it', () => {
    const { handoff } = thread(step('accept', S1), step('take_over', S2));
    expect(handoff.sessionId).toBe('s2');
    expect(() => carryOut(handoff, [step('complete', S1)], 9_000)).toThrow(
      expect.objectContaining({ reason: 'HELD_BY_OTHER_SESSION', metadata: { session_id: 's2' } }),
    );
  });

  test('comes too late after the end, whoever it was', () => {
    expect(() => after(step('accept', S1), step('complete', S1))(step('accept', S2))).toThrow(
      expect.objectContaining({ reason: 'STATE_CHANGED' }),
    );
  });

  test('takes up a handoff that nobody holds', () => {
    expect(after()(step('take_over', S2))).toMatchObject({
      events: [{ kind: 'status', state: 'accepted', transition: 'take_over' }],
      holder: 's2',
    });
  });

  test('moves neither state nor its time by taking over', () => {
    const before = thread(step('accept', S1)).handoff;
    const { handoff } = carryOut(before, [step('take_over', S2)], 9_000);
    expect(handoff).toMatchObject({ state: 'accepted', statusAt: before.statusAt, updatedAt: 9_000 });
  });
});

/** All that a recipient can do in the name of a session to what is accepted or waits, except taking over. */
const WORDS = (['message', 'question', 'information'] as const).flatMap((kind) =>
  (['append', 'complete'] as const).map((replies) => ({ kind, replies, text: 'hm' })),
);
const STEPS: readonly (readonly [string, (session: { sessionId?: string }) => Command | RecipientSays])[] = [
  ...(['accept', 'ask', 'complete', 'fail'] as const).map(
    (name) => [name, (session: { sessionId?: string }) => step(name, session)] as const,
  ),
  ['an artifact', (session) => artifact({}, session)],
  ['a chunk', (session) => artifact({}, { append: true, lastChunk: false, ...session })],
  ...WORDS.map(
    (words) =>
      [`${words.kind}, ${words.replies}`, (session: { sessionId?: string }) => ({ ...words, ...session })] as const,
  ),
];
const HELD = {
  accepted: thread(step('accept', S1)).handoff,
  'input required': thread(step('accept', S1), step('ask', S1)).handoff,
};

describe.each(Object.entries(HELD))('what a session holds that is %s', (state, handoff) => {
  const act = (what: Command | RecipientSays) => carryOut(handoff, commandsOf(handoff, what), 9_000);
  // nothing is asked twice by a transition
  const steps = STEPS.filter(([name]) => name !== 'ask' || state === 'accepted');

  test.each(steps)('%s: is for that session, and for no other', (_name, of) => {
    expect(act(of(S1)).handoff.sessionId).toBe('s1');
    expect(() => act(of(S2))).toThrow(
      expect.objectContaining({ reason: 'HELD_BY_OTHER_SESSION', metadata: { session_id: 's1' } }),
    );
  });

  test.each(steps.filter(([name]) => name !== 'accept'))('%s: is possible for who names no session', (_name, of) => {
    const { events, handoff: after } = act(of({}));
    expect([events.length > 0, after.sessionId]).toEqual([true, 's1']);
  });

  test('may be written to by its sender, whatever session that speaks of', () => {
    const words = { ...says('sender', 'and?'), ...S2 };
    expect(act(words)).toMatchObject({ events: [{ kind: 'message' }], handoff: { sessionId: 's1' } });
  });

  test('is whose who took it over, in all that comes after', () => {
    const { handoff: taken } = carryOut(handoff, [step('take_over', S2)], 9_000);
    for (const [, of] of STEPS.filter(([name]) => name !== 'ask')) {
      expect(carryOut(taken, commandsOf(taken, of(S2)), 9_001).handoff.sessionId).toBe('s2');
      expect(() => carryOut(taken, commandsOf(taken, of(S1)), 9_001)).toThrow(
        expect.objectContaining({ metadata: { session_id: 's2' } }),
      );
    }
  });
});

test.each(STEPS)('%s: to what has ended is refused as late, by whatever session', (_name, of) => {
  const { handoff } = thread(step('accept', S1), step('complete', S1));
  for (const session of [S1, S2, {}]) {
    expect(() => carryOut(handoff, commandsOf(handoff, of(session)), 9_000)).toThrow(
      expect.objectContaining({ reason: expect.stringMatching(/^(STATE_CHANGED|UNSUPPORTED_OPERATION)$/) }),
    );
  }
});

describe('a person, who has no session', () => {
  test('accepts, and the handoff is bound to the session that takes it up', () => {
    const next = after(step('accept'))(step('accept', S1));
    expect(next).toMatchObject({
      events: [{ kind: 'status', state: 'accepted', transition: 'accept', sessionId: 's1' }],
      holder: 's1',
    });
  });

  test('accepts twice, which changes nothing', () => {
    expect(after(step('accept'))(step('accept')).events).toEqual([]);
  });

  test('does not take it from a session by merely accepting', () => {
    expect(() => after(step('accept', S1))(step('accept'))).toThrow(
      expect.objectContaining({ reason: 'HELD_BY_OTHER_SESSION', metadata: { session_id: 's1' } }),
    );
  });

  test('takes it from a session by taking over', () => {
    expect(after(step('accept', S1))(step('take_over')).holder).toBeUndefined();
  });

  test.each(['complete', 'fail', 'ask'] as const)('may %s what a session holds', (name) => {
    expect(after(step('accept', S1))(step(name))).toMatchObject({ events: [{ transition: name }], holder: 's1' });
  });

  test('and any session may finish what a person accepted', () => {
    expect(after(step('accept'))(step('complete', S1)).events).toMatchObject([{ state: 'completed' }]);
  });
});

describe("a session's name", () => {
  test('is never taken from the sender', () => {
    const { events, holder } = after()(step('cancel', { sessionId: 'mine' }));
    expect(events).toMatchObject([{ state: 'cancelled' }]);
    expect(events[0]).not.toHaveProperty('sessionId');
    expect(holder).toBeUndefined();
  });

  test('is told to nobody but the recipient', () => {
    expect(() => after(step('accept', S1))(step('accept', { actor: 'sender' }))).toThrow(
      expect.objectContaining({
        reason: 'TRANSITION_NOT_ALLOWED',
        metadata: { transition: 'accept', allowed: 'recipient' },
      }),
    );
  });
});
