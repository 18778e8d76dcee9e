import { assertNever } from '../contract/assert-never.ts';
import {
  TERMINAL_STATES,
  type Actor,
  type HandoffState,
  type ReceiptEvent,
  type ThreadEvent,
  type Transition,
} from '../contract/handoff.ts';
import { RelayError } from '../contract/reasons.ts';
import type { Handoff } from '../store/ports.ts';
import type { ArtifactCommand, Command, MessageCommand, ReceiptCommand, TransitionCommand } from './command.ts';

/** An event before it has its version and time. */
export type EventDraft = ThreadEvent extends infer E
  ? E extends ThreadEvent
    ? Omit<E, 'version' | 'at'>
    : never
  : never;

interface Rule {
  readonly by: Actor;
  readonly from: readonly HandoffState[];
  readonly to: HandoffState;
}

/** The state machine (docs/explanation/state-machine.md). A sender's message is the one transition without a name. */
export const RULES: Readonly<Record<Transition | 'give_up', Rule>> = {
  accept: { by: 'recipient', from: ['pending', 'input_required'], to: 'accepted' },
  take_over: { by: 'recipient', from: ['pending', 'accepted', 'input_required'], to: 'accepted' },
  // a question from pending implies the acceptance: nobody asks about work that they have not taken up
  ask: { by: 'recipient', from: ['pending', 'accepted'], to: 'input_required' },
  complete: { by: 'recipient', from: ['accepted', 'input_required'], to: 'completed' },
  fail: { by: 'recipient', from: ['accepted', 'input_required'], to: 'failed' },
  decline: { by: 'recipient', from: ['pending'], to: 'declined' },
  reply_only: { by: 'recipient', from: ['pending'], to: 'completed' },
  cancel: { by: 'sender', from: ['pending', 'input_required'], to: 'cancelled' },
  // the attempts are spent, or the recipient was removed
  give_up: { by: 'relay', from: ['pending', 'accepted', 'input_required'], to: 'failed' },
};

/**
 * What a command makes of a handoff. Pure and total: either events (none means that nothing changes and the handoff is
 * the answer) or a RelayError: UNSUPPORTED_OPERATION, STATE_CHANGED, INVALID_TRANSITION, TRANSITION_NOT_ALLOWED,
 * TASK_NOT_CANCELABLE, HELD_BY_OTHER_SESSION.
 */
export function decide(handoff: Handoff, command: Command): readonly EventDraft[] {
  switch (command.type) {
    case 'create':
      return create(handoff, command);
    case 'message':
      return message(handoff, command);
    case 'transition':
      return transition(handoff, command);
    case 'artifact':
      return artifact(handoff, command);
    case 'receipt':
      return receipt(handoff, command);
    default:
      return assertNever(command);
  }
}

function create(handoff: Handoff, command: Extract<Command, { type: 'create' }>): readonly EventDraft[] {
  if (handoff.version > 0) throw new RelayError('STATE_CHANGED', 'This handoff exists already.');
  const { actor, author, message: first, summary, intent, proposedAction, bornLive } = command;
  return [
    {
      kind: 'created',
      actor,
      author,
      message: first,
      summary,
      ...(intent === undefined ? {} : { intent }),
      ...(proposedAction === undefined ? {} : { proposedAction }),
      ...(bornLive ? { bornLive: true as const } : {}),
    },
  ];
}

function message(handoff: Handoff, command: MessageCommand): readonly EventDraft[] {
  refuseClosed(handoff);
  refuseOtherSession(handoff, command);
  const { actor, author } = command;
  const answers = actor === 'sender' && handoff.state === 'input_required';
  return [
    { kind: 'message', actor, author, message: command.message, ...(answers ? { state: 'accepted' as const } : {}) },
  ];
}

function transition(handoff: Handoff, command: TransitionCommand): readonly EventDraft[] {
  const rule = RULES[command.transition];
  if (command.transition === 'cancel') return cancel(handoff, command);
  if (command.actor !== rule.by) throw wrongParty(command.transition, rule.by);
  refuseOtherSession(handoff, command);
  if (isHeldAlready(handoff, command)) return wordsOnly(command);
  const rebinds = command.transition === 'accept' && handoff.state === 'accepted' && handoff.sessionId === undefined;
  if (!rebinds && !rule.from.includes(handoff.state)) throw notFromHere(handoff, command.transition);
  return [statusEvent(handoff, rule.to, command)];
}

/**
 * Nothing to do for the session that holds it: accepting twice is one accept. One that a person accepted is bound to
 * the session that takes it up.
 */
function isHeldAlready(handoff: Handoff, { transition: name, sessionId }: TransitionCommand): boolean {
  return (name === 'accept' || name === 'take_over') && handoff.state === 'accepted' && handoff.sessionId === sessionId;
}

/** A transition that changes nothing still says what came with it. */
function wordsOnly({ actor, author, message: words }: TransitionCommand): readonly EventDraft[] {
  return words === undefined ? [] : [{ kind: 'message', actor, author, message: words }];
}

/** Cancelling twice is one cancel; what is past cancelling says why (A2A 1.0.1 section 3.3.1). */
function cancel(handoff: Handoff, command: TransitionCommand): readonly EventDraft[] {
  const { state } = handoff;
  if (command.actor !== 'sender') {
    throw notCancelable('NOT_SENDER', 'Only the sender cancels. Decline it, or complete or fail it.');
  }
  if (state === 'cancelled') return [];
  const legal = RULES.cancel.from.includes(state) || (state === 'accepted' && handoff.bornLive);
  if (!legal) {
    throw state === 'accepted'
      ? notCancelable('ALREADY_ACCEPTED', 'It was accepted already. Send a message on it to ask for a stop.')
      : notCancelable(`ALREADY_${state.toUpperCase()}`, `It is ${state} already; there is nothing left to cancel.`);
  }
  return [statusEvent(handoff, 'cancelled', command)];
}

function artifact(handoff: Handoff, command: ArtifactCommand): readonly EventDraft[] {
  if (command.actor !== 'recipient') throw wrongParty('artifact', 'recipient');
  refuseClosed(handoff);
  refuseOtherSession(handoff, command);
  const { actor, author, append, lastChunk } = command;
  const chunk: EventDraft = { kind: 'artifact', actor, author, artifact: command.artifact, append, lastChunk };
  // work on a pending handoff is its acceptance
  const accept: TransitionCommand = {
    type: 'transition',
    transition: 'accept',
    actor,
    author,
    ...(command.sessionId === undefined ? {} : { sessionId: command.sessionId }),
  };
  return handoff.state === 'pending' ? [statusEvent(handoff, 'accepted', accept), chunk] : [chunk];
}

/** Receipts may come after the end, and one that says nothing new is no event. They are about the other side's words. */
function receipt(handoff: Handoff, command: ReceiptCommand): readonly EventDraft[] {
  const { actor, author, state, label } = command;
  // who wrote last has acknowledged all that there is to acknowledge
  if (handoff.lastActor === actor) return [];
  const now = handoff.receipts[actor];
  const upTo = Math.min(command.upTo, handoff.lastVersion);
  const isNews =
    state === 'held' ? !now.held && now.acked < upTo : now[state] < upTo || (now.held && state !== 'offered');
  if (!isNews) return [];
  const event: Omit<ReceiptEvent, 'version' | 'at'> = { kind: 'receipt', actor, author, state, upTo };
  return [label === undefined ? event : { ...event, label }];
}

function statusEvent(handoff: Handoff, to: HandoffState, command: TransitionCommand): EventDraft {
  const { actor, author, reason, sessionId } = command;
  const binds = sessionId !== undefined && takesUp(handoff, command);
  return {
    kind: 'status',
    actor,
    author,
    state: to,
    transition: command.transition,
    ...(command.message === undefined ? {} : { message: command.message }),
    ...(reason === undefined ? {} : { reason }),
    ...(binds ? { sessionId } : {}),
  };
}

/** Whether the handoff is held by the command's session from then on. A sender's session is nobody's business here. */
function takesUp(handoff: Handoff, { transition: name }: TransitionCommand): boolean {
  return name === 'accept' || name === 'take_over' || (name === 'ask' && handoff.state === 'pending');
}

/**
 * What the recipient does in the name of a session is for the one that holds the handoff. A person, or an agent without
 * sessions, names none and may do all but accept what is held already.
 */
function refuseOtherSession(handoff: Handoff, command: TransitionCommand | ArtifactCommand | MessageCommand): void {
  const { actor, sessionId } = command;
  const holder = handoff.sessionId;
  if (actor !== 'recipient' || holder === undefined || TERMINAL_STATES.has(handoff.state)) return;
  const name = command.type === 'transition' ? command.transition : command.type;
  const speaksForASession = sessionId !== undefined || name === 'accept';
  if (!speaksForASession || name === 'take_over' || sessionId === holder) return;
  throw new RelayError(
    'HELD_BY_OTHER_SESSION',
    `Session ${holder} holds this handoff. Use take_over to move it to this session.`,
    { metadata: { session_id: holder } },
  );
}

function refuseClosed(handoff: Handoff): void {
  if (!TERMINAL_STATES.has(handoff.state)) return;
  throw new RelayError(
    'UNSUPPORTED_OPERATION',
    `This handoff is ${handoff.state} and read-only. Start a new one that refers to it (referenceTaskIds).`,
    { metadata: { state: handoff.state } },
  );
}

function wrongParty(what: string, by: Actor): RelayError {
  return new RelayError('TRANSITION_NOT_ALLOWED', `Only the ${by} can do this: ${what}.`, {
    metadata: { transition: what, allowed: by },
  });
}

/** Complete or fail before accept was never legal; everything else was, until something else came first. */
function notFromHere(handoff: Handoff, name: Transition | 'give_up'): RelayError {
  const { state } = handoff;
  const extra = { metadata: { state, transition: name } };
  return state === 'pending'
    ? new RelayError('INVALID_TRANSITION', `It is still pending: accept it before you ${name} it.`, extra)
    : new RelayError(
        'STATE_CHANGED',
        `It is ${state} by now, so it cannot be moved by ${name}. Look at it again.`,
        extra,
      );
}

function notCancelable(cause: string, what: string): RelayError {
  return new RelayError('TASK_NOT_CANCELABLE', what, { metadata: { cause } });
}
