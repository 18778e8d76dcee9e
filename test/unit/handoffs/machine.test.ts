import { describe, expect, test } from 'vitest';
import type { Actor, HandoffState, ThreadEvent } from '../../../relay/contract/handoff.ts';
import { RelayError } from '../../../relay/contract/reasons.ts';
import type { Command } from '../../../relay/handoffs/command.ts';
import { carryOut } from '../../../relay/handoffs/carry-out.ts';
import { blank } from '../../../relay/handoffs/evolve.ts';
import { decide } from '../../../relay/handoffs/machine.ts';
import type { Handoff } from '../../../relay/store/ports.ts';
import {
  artifact,
  commandsOf,
  create,
  handoffIn,
  message,
  PARTIES,
  receipt,
  says,
  step,
  type RecipientSays,
} from '../../support/threads.ts';

/**
 * What comes of everything that can be done, in every state, by everyone (docs/explanation/state-machine.md): the kinds
 * of the events with the state they lead to, or the reason (and its cause) for which it is refused.
 */

const STATES = ['pending', 'accepted', 'input_required', 'completed', 'failed', 'declined', 'cancelled'] as const;
type Outcomes = readonly [string, string, string, string, string, string, string];

const everywhere = (outcome: string): Outcomes => [outcome, outcome, outcome, outcome, outcome, outcome, outcome];
const whileOpen = (pending: string, accepted: string, inputRequired: string, closed: string): Outcomes => [
  pending,
  accepted,
  inputRequired,
  closed,
  closed,
  closed,
  closed,
];
const NOT_YOURS = everywhere('TRANSITION_NOT_ALLOWED');
const NOT_THE_SENDER = everywhere('TASK_NOT_CANCELABLE NOT_SENDER');
const LATE = 'STATE_CHANGED';
const READ_ONLY = 'UNSUPPORTED_OPERATION';
const EARLY = 'INVALID_TRANSITION';

const TRANSITIONS: readonly (readonly [Actor, Parameters<typeof step>[0], Outcomes])[] = [
  ['recipient', 'accept', whileOpen('status→accepted', 'nothing', 'status→accepted', LATE)],
  ['recipient', 'take_over', whileOpen('status→accepted', 'nothing', 'status→accepted', LATE)],
  ['recipient', 'ask', whileOpen('status→input_required', 'status→input_required', LATE, LATE)],
  ['recipient', 'complete', whileOpen(EARLY, 'status→completed', 'status→completed', LATE)],
  ['recipient', 'fail', whileOpen(EARLY, 'status→failed', 'status→failed', LATE)],
  ['recipient', 'decline', whileOpen('status→declined', LATE, LATE, LATE)],
  ['recipient', 'reply_only', whileOpen('status→completed', LATE, LATE, LATE)],
  ['recipient', 'cancel', NOT_THE_SENDER],
  ['recipient', 'give_up', NOT_YOURS],

  ['sender', 'accept', NOT_YOURS],
  ['sender', 'take_over', NOT_YOURS],
  ['sender', 'ask', NOT_YOURS],
  ['sender', 'complete', NOT_YOURS],
  ['sender', 'fail', NOT_YOURS],
  ['sender', 'decline', NOT_YOURS],
  ['sender', 'reply_only', NOT_YOURS],
  [
    'sender',
    'cancel',
    [
      'status→cancelled',
      'TASK_NOT_CANCELABLE ALREADY_ACCEPTED',
      'status→cancelled',
      'TASK_NOT_CANCELABLE ALREADY_COMPLETED',
      'TASK_NOT_CANCELABLE ALREADY_FAILED',
      'TASK_NOT_CANCELABLE ALREADY_DECLINED',
      'nothing',
    ],
  ],
  ['sender', 'give_up', NOT_YOURS],

  ['relay', 'accept', NOT_YOURS],
  ['relay', 'take_over', NOT_YOURS],
  ['relay', 'ask', NOT_YOURS],
  ['relay', 'complete', NOT_YOURS],
  ['relay', 'fail', NOT_YOURS],
  ['relay', 'decline', NOT_YOURS],
  ['relay', 'reply_only', NOT_YOURS],
  ['relay', 'cancel', NOT_THE_SENDER],
  ['relay', 'give_up', whileOpen('status→failed', 'status→failed', 'status→failed', LATE)],
];

const reply = (kind: RecipientSays['kind'], replies: RecipientSays['replies']): RecipientSays => ({
  kind,
  replies,
  text: 'here you are',
});
const finishes = 'artifact status→completed';

const OTHERS: readonly (readonly [string, Command | RecipientSays, Outcomes])[] = [
  ['a message of the sender', says('sender', 'and?'), whileOpen('message', 'message', 'message→accepted', READ_ONLY)],
  ['a message of the recipient', says('recipient', 'ok'), whileOpen('message', 'message', 'message', READ_ONLY)],
  ['an unmarked reply that appends', reply('message', 'append'), whileOpen('message', 'message', 'message', READ_ONLY)],
  [
    'an unmarked reply that completes',
    reply('message', 'complete'),
    whileOpen(`status→accepted ${finishes}`, finishes, finishes, READ_ONLY),
  ],
  [
    'a question of one that appends',
    reply('question', 'append'),
    whileOpen('status→input_required', 'status→input_required', 'message', READ_ONLY),
  ],
  [
    'a question of one that completes',
    reply('question', 'complete'),
    whileOpen('status→input_required', 'status→input_required', 'message', READ_ONLY),
  ],
  [
    'information of one that appends',
    reply('information', 'append'),
    whileOpen('status→accepted', 'message', 'message', READ_ONLY),
  ],
  [
    'information of one that completes',
    reply('information', 'complete'),
    whileOpen('status→accepted', 'message', 'status→accepted', READ_ONLY),
  ],
  [
    'an artifact of the recipient',
    artifact(),
    whileOpen('status→accepted artifact', 'artifact', 'artifact', READ_ONLY),
  ],
  [
    'a chunk of an artifact',
    artifact({}, { append: true, lastChunk: false }),
    whileOpen('status→accepted artifact', 'artifact', 'artifact', READ_ONLY),
  ],
  ['an artifact of the sender', { ...artifact(), actor: 'sender' }, NOT_YOURS],
  ['an artifact of the relay', { ...artifact(), actor: 'relay' }, NOT_YOURS],
  ['a second beginning', create(), everywhere('STATE_CHANGED')],
];

/** Who has something of the other side's to take note of: in each state, whoever did not write last. */
const forTheOther = (recipient: string, sender: string): Outcomes => [
  recipient,
  sender,
  sender,
  sender,
  sender,
  sender,
  recipient,
];
const RECEIPTS = (['offered', 'surfaced', 'acked', 'held'] as const).flatMap(
  (state) =>
    [
      [`${state} by the recipient`, receipt('recipient', state, 99), forTheOther('receipt', 'nothing')],
      [`${state} by the sender`, receipt('sender', state, 99), forTheOther('nothing', 'receipt')],
    ] as const,
);

describe.each(TRANSITIONS)('%s: %s', (actor, transition, outcomes) => {
  test.each(cells(outcomes))('from %s: %s', (state, expected) => {
    expect(outcome(handoffIn(state), step(transition, { actor }))).toBe(expected);
  });
});

describe.each([...OTHERS, ...RECEIPTS])('%s', (_name, command, outcomes) => {
  test.each(cells(outcomes))('in %s: %s', (state, expected) => {
    expect(outcome(handoffIn(state), command)).toBe(expected);
  });
});

describe('a handoff that was born as a pairing', () => {
  const born = create({ bornLive: true });

  test.each([
    ['pending', 'status→cancelled'],
    ['accepted', 'status→cancelled'],
    ['input_required', 'status→cancelled'],
    ['completed', 'TASK_NOT_CANCELABLE ALREADY_COMPLETED'],
    ['failed', 'TASK_NOT_CANCELABLE ALREADY_FAILED'],
    ['declined', 'TASK_NOT_CANCELABLE ALREADY_DECLINED'],
    ['cancelled', 'nothing'],
  ] as const)('is cancelled by its sender from %s: %s', (state, expected) => {
    expect(outcome(handoffIn(state, born), step('cancel'))).toBe(expected);
  });

  test('is not cancelled by its recipient', () => {
    expect(outcome(handoffIn('accepted', born), step('cancel', { actor: 'recipient' }))).toBe(
      'TASK_NOT_CANCELABLE NOT_SENDER',
    );
  });
});

describe('what a transition carries', () => {
  test('its message and its reason are in its event', () => {
    const words = message('no time this week');
    expect(
      decide(handoffIn('pending'), step('decline', { message: words, reason: 'busy', sessionId: 's1' })),
    ).toStrictEqual([
      {
        kind: 'status',
        actor: 'recipient',
        author: 'codex',
        state: 'declined',
        transition: 'decline',
        message: words,
        reason: 'busy',
      },
    ]);
  });

  test('what was left out is not there', () => {
    expect(decide(handoffIn('pending'), step('accept'))).toStrictEqual([
      { kind: 'status', actor: 'recipient', author: 'codex', state: 'accepted', transition: 'accept' },
    ]);
  });

  test('words that come with an acceptance that changes nothing are kept all the same', () => {
    const held = carryOut(handoffIn('pending'), [step('accept', { sessionId: 's1' })], 9_000).handoff;
    for (const name of ['accept', 'take_over'] as const) {
      const words = message('still on it');
      expect(decide(held, step(name, { sessionId: 's1', message: words }))).toStrictEqual([
        { kind: 'message', actor: 'recipient', author: 'codex', message: words },
      ]);
    }
  });

  test('the first event holds all that was said of the handoff, and nothing that was not', () => {
    const proposedAction = { description: 'rename', target_files: ['a.ts'], rationale: 'clearer' };
    const all = create({ intent: 'propose_action', proposedAction, bornLive: true });
    const { type: _type, ...said } = all;
    expect(carryOut(blank(PARTIES), [all], 5).events).toStrictEqual([{ kind: 'created', version: 1, at: 5, ...said }]);
    expect(carryOut(blank(PARTIES), [create()], 5).events).toStrictEqual([
      {
        kind: 'created',
        version: 1,
        at: 5,
        actor: 'sender',
        author: 'human',
        message: create().message,
        summary: create().summary,
      },
    ]);
  });
});

describe('several commands of one call', () => {
  test('each see what the one before has made', () => {
    const { handoff, events } = carryOut(handoffIn('pending'), [step('accept'), artifact(), step('complete')], 9_000);
    expect(events.map(({ version }) => version)).toEqual([2, 3, 4]);
    expect(handoff).toMatchObject({ state: 'completed', version: 4 });
  });

  test('count together or not at all', () => {
    const before = handoffIn('accepted');
    expect(() => carryOut(before, [artifact(), step('complete'), step('fail')], 9_000)).toThrow(RelayError);
    expect(before).toEqual(handoffIn('accepted'));
  });

  test('none at all change nothing', () => {
    const before = handoffIn('accepted');
    expect(carryOut(before, [], 9_000)).toStrictEqual({ handoff: before, events: [] });
  });
});

test.each(['a refusal', 'a late step', 'a closed thread', 'another session'] as const)('%s says what to do', (what) => {
  const held = carryOut(handoffIn('pending'), [step('accept', { sessionId: 's1' })], 9_000).handoff;
  const cases: Record<typeof what, () => unknown> = {
    'a refusal': () => decide(handoffIn('pending'), step('complete')),
    'a late step': () => decide(handoffIn('completed'), step('accept')),
    'a closed thread': () => decide(handoffIn('failed'), says('sender', 'again?')),
    'another session': () => decide(held, step('accept', { sessionId: 's2' })),
  };
  const hints: Record<typeof what, RegExp> = {
    'a refusal': /accept it before/,
    'a late step': /Look at it again/,
    'a closed thread': /Start a new one/,
    'another session': /take_over/,
  };
  expect(cases[what]).toThrow(hints[what]);
});

function cells(outcomes: Outcomes): readonly (readonly [HandoffState, string])[] {
  return STATES.map((state, index) => [state, outcomes[index] ?? 'missing']);
}

function outcome(handoff: Handoff, command: Command | RecipientSays): string {
  try {
    const { events } = carryOut(handoff, commandsOf(handoff, command), handoff.updatedAt + 1);
    return events.length === 0 ? 'nothing' : events.map(describeEvent).join(' ');
  } catch (error) {
    if (!(error instanceof RelayError)) throw error;
    return [error.reason, error.metadata['cause']].filter((word) => word !== undefined).join(' ');
  }
}

function describeEvent(event: ThreadEvent): string {
  const state = 'transition' in event || event.kind === 'message' ? event.state : undefined;
  return state === undefined ? event.kind : `${event.kind}→${state}`;
}
