import { assertNever } from '../../relay/contract/assert-never.ts';
import type { DeskError, InboxItem } from '../../relay/contract/desk-api.ts';
import type { HandoffState, Party } from '../../relay/contract/handoff.ts';
import type { ItemKey } from './item.ts';

/** What can be done at the foot of a thread. `reply` is a message, the others are steps of the handoff. */
export type Step = 'reply' | 'accept' | 'decline' | 'complete' | 'ask' | 'fail' | 'cancel';

/** Steps that ask for words, and what for. The dock shows the field of one of them. */
export type WrittenStep = Exclude<Step, 'accept'>;

export function isWritten(step: Step): step is WrittenStep {
  return step !== 'accept';
}

/** Whether a step is not taken without words. */
export function needsWords(step: Step): boolean {
  return isWritten(step) && step !== 'cancel';
}

/** What is done only after one has been asked again; it needs no words. */
export type Question = 'trust' | 'drop';

/** What can be on its way. */
export type Act = Step | Question | 'release';

/** Text that is not sent yet. */
export interface Draft {
  readonly text: string;
  /** Made when it is first sent and kept until that is known to have worked: the same text is never sent twice. */
  readonly idempotencyKey?: string;
}

/** The foot of one thread, or of what waits to be sent. */
export interface Dock {
  readonly mode: WrittenStep;
  /** What is asked before anything else. */
  readonly asks?: Question;
  /** What is on its way. Nothing else starts before it is back. */
  readonly pending?: Act;
  readonly error?: DeskError;
  /** What came of the last act, where nothing else shows it. */
  readonly note?: string;
}

export interface ComposeState {
  readonly docks: Readonly<Record<ItemKey, Dock>>;
  /** By draftId. */
  readonly drafts: Readonly<Record<string, Draft>>;
}

export const EMPTY_DOCK: Dock = { mode: 'reply' };
export const EMPTY_DRAFT: Draft = { text: '' };

/** Names the draft of a step in a thread. */
export function draftId(key: ItemKey, step: Step): string {
  return `${key} ${step}`;
}

/** The steps that a side can take, the one that is most likely wanted first. */
export function stepsFor(role: Party, state: HandoffState): readonly Step[] {
  switch (state) {
    case 'pending':
      return role === 'recipient' ? ['accept', 'decline', 'reply'] : ['reply', 'cancel'];
    case 'accepted':
      return role === 'recipient' ? ['complete', 'ask', 'fail', 'reply'] : ['reply'];
    case 'input_required':
      return role === 'recipient' ? ['complete', 'fail', 'reply'] : ['reply', 'cancel'];
    case 'completed':
    case 'failed':
    case 'declined':
    case 'cancelled':
      return [];
    default:
      return assertNever(state);
  }
}

export type ComposeAction =
  | { readonly type: 'mode'; readonly key: ItemKey; readonly mode: WrittenStep }
  | { readonly type: 'typed'; readonly key: ItemKey; readonly step: WrittenStep; readonly text: string }
  | { readonly type: 'sending'; readonly key: ItemKey; readonly step: Step; readonly idempotencyKey: string }
  /** The desk has it: it was sent, or is kept until it can be. */
  | { readonly type: 'sent'; readonly key: ItemKey; readonly step: Step }
  | { readonly type: 'refused'; readonly key: ItemKey; readonly step: Step; readonly error: DeskError }
  | { readonly type: 'asked'; readonly key: ItemKey; readonly question: Question }
  | { readonly type: 'acting'; readonly key: ItemKey; readonly act: Act }
  | { readonly type: 'acted'; readonly key: ItemKey; readonly note?: string }
  | { readonly type: 'failed'; readonly key: ItemKey; readonly error: DeskError };

/** Pure. A draft leaves only with the success of its step. */
export function compose(state: ComposeState, action: ComposeAction): ComposeState {
  const { key } = action;
  const dock = state.docks[key] ?? EMPTY_DOCK;
  switch (action.type) {
    case 'mode':
      return withDock(state, key, {
        mode: action.mode,
        ...(dock.pending === undefined ? {} : { pending: dock.pending }),
      });
    case 'typed': {
      const id = draftId(key, action.step);
      return withDraft(state, id, { ...state.drafts[id], text: action.text });
    }
    case 'sending': {
      const id = draftId(key, action.step);
      const { text, idempotencyKey } = state.drafts[id] ?? EMPTY_DRAFT;
      const draft = { text, idempotencyKey: idempotencyKey ?? action.idempotencyKey };
      return withDraft(withDock(state, key, { mode: dock.mode, pending: action.step }), id, draft);
    }
    case 'sent':
      // what is kept from being sent is in the outbox, and with it the text
      return withDraft(withDock(state, key, EMPTY_DOCK), draftId(key, action.step), EMPTY_DRAFT);
    case 'refused': {
      const id = draftId(key, action.step);
      const { text, idempotencyKey } = state.drafts[id] ?? EMPTY_DRAFT;
      const keep = mayHaveHappened(action.error) && idempotencyKey !== undefined;
      const draft = keep ? { text, idempotencyKey } : { text };
      return withDraft(withDock(state, key, { mode: dock.mode, error: action.error }), id, draft);
    }
    case 'asked': {
      const { mode, pending } = dock;
      return withDock(state, key, { mode, asks: action.question, ...(pending && { pending }) });
    }
    case 'acting': {
      const { mode, asks } = dock;
      return withDock(state, key, { mode, ...(asks && { asks }), pending: action.act });
    }
    case 'acted':
      return withDock(state, key, { mode: dock.mode, ...(action.note !== undefined && { note: action.note }) });
    case 'failed': {
      const { mode, asks } = dock;
      return withDock(state, key, { mode, ...(asks && { asks }), error: action.error });
    }
    default:
      return assertNever(action);
  }
}

/** Whether a step may have been taken although it failed here. Everything else was refused, and refusing keeps no key. */
function mayHaveHappened({ reason }: DeskError): boolean {
  return ['RELAY_UNREACHABLE', 'INTERNAL', 'SHUTTING_DOWN', 'STORAGE_FAILED'].includes(reason);
}

function withDock(state: ComposeState, key: ItemKey, dock: Dock): ComposeState {
  return { ...state, docks: { ...state.docks, [key]: dock } };
}

function withDraft(state: ComposeState, id: string, draft: Draft): ComposeState {
  const { [id]: _before, ...drafts } = state.drafts;
  const isEmpty = draft.text === '' && draft.idempotencyKey === undefined;
  return { ...state, drafts: isEmpty ? drafts : { ...drafts, [id]: draft } };
}

/** A step as a command of the desk. */
export type WriteCommand =
  | {
      readonly command: 'sendMessage';
      readonly input: { as: string; task_id: string; body: string; idempotency_key: string };
    }
  | {
      readonly command: 'updateHandoff';
      readonly input: {
        as: string;
        task_id: string;
        transition: Exclude<Step, 'reply'>;
        body?: string;
        reason?: string;
        idempotency_key: string;
      };
    };

/** What a step asks of the desk. A summary or question is a message of the thread, a reason belongs to the step. */
export function writeCommand(
  { account, task_id: id }: Pick<InboxItem, 'account' | 'task_id'>,
  step: Step,
  text: string,
  idempotencyKey: string,
): WriteCommand {
  const common = { as: account, task_id: id, idempotency_key: idempotencyKey };
  switch (step) {
    case 'reply':
      return { command: 'sendMessage', input: { ...common, body: text } };
    case 'accept':
      return { command: 'updateHandoff', input: { ...common, transition: step } };
    case 'complete':
    case 'ask':
      return { command: 'updateHandoff', input: { ...common, transition: step, body: text } };
    case 'decline':
    case 'fail':
    case 'cancel':
      if (text === '') return { command: 'updateHandoff', input: { ...common, transition: step } };
      return { command: 'updateHandoff', input: { ...common, transition: step, reason: text } };
    default:
      return assertNever(step);
  }
}
