import type { InboxItem } from '../../relay/contract/desk-api.ts';
import { canTrust } from '../state/decisions.ts';
import type { Dock, Question, Step, WrittenStep } from '../state/compose.ts';

/** What the button of a step says. */
export const STEP_NAMES: Readonly<Record<Exclude<Step, 'reply'>, string>> = {
  accept: 'Accept',
  decline: 'Decline',
  complete: 'Complete',
  ask: 'Ask a question',
  fail: 'Report failure',
  cancel: 'Cancel',
};

/** The words of a form at the foot of a thread. */
export interface FormWords {
  /** Names the field. */
  readonly label: string;
  readonly submit: string;
  /** The way out without doing it. */
  readonly back: string;
}

/** What a step is asked with, in a thread with `peer`. Buttons name the result. */
export function formWords(mode: WrittenStep, { peer, handoff }: Pick<InboxItem, 'peer' | 'handoff'>): FormWords {
  const answers = handoff.role === 'sender' && handoff.state === 'input_required';
  const forms: Readonly<Record<WrittenStep, FormWords>> = {
    reply: { label: answers ? `Answer ${peer}` : `Reply to ${peer}`, submit: 'Send', back: 'Back' },
    decline: { label: `Why do you decline? ${peer} sees the reason.`, submit: 'Decline', back: 'Back' },
    complete: { label: `What came of it? ${peer} sees the summary.`, submit: 'Complete', back: 'Back' },
    ask: { label: `What do you need to know? The work waits until ${peer} answers.`, submit: 'Ask', back: 'Back' },
    fail: { label: `Why did it fail? ${peer} sees the reason.`, submit: 'Report failure', back: 'Back' },
    cancel: {
      label: `Why do you cancel? You need not say. ${peer} sees that it is cancelled, and it cannot be taken back.`,
      submit: 'Cancel the handoff',
      back: 'Keep it',
    },
  };
  return forms[mode];
}

/** The words of a question, and of the two ways to answer it. */
export interface QuestionWords extends Omit<FormWords, 'label'> {
  readonly question: string;
}

/** What is asked again before it is done. */
export function questionWords(question: Question, peer: string): QuestionWords {
  const questions: Readonly<Record<Question, QuestionWords>> = {
    trust: {
      question: `Lists ${peer} in trust.yaml: from now on, all they send reaches you and your agents.`,
      submit: `Trust ${peer}`,
      back: 'Back',
    },
    drop: {
      question: `Drops it for good: ${peer} never sees it, and the text is gone.`,
      submit: 'Drop it',
      back: 'Keep it',
    },
  };
  return questions[question];
}

/** Why nothing can be done in a pane now; empty when something can. */
export function blockedWords({ pending }: Dock, lost: boolean): string {
  switch (pending) {
    case undefined:
      return lost ? 'AgentRelay does not answer. Your text is kept.' : '';
    case 'trust':
      return 'Adding';
    case 'drop':
      return 'Dropping';
    default:
      return 'Sending';
  }
}

/** What is good to know before one does something here. */
export function dockHint(item: Pick<InboxItem, 'peer' | 'handoff' | 'group' | 'trust'>): string {
  const { peer, handoff } = item;
  if (canTrust(item)) return 'Accept takes on this one alone';
  const { role, state } = handoff;
  if (role === 'recipient') return state === 'pending' ? `Accept or reply, and ${peer} sees that you have it` : '';
  return state === 'accepted' ? 'It was accepted. To stop it, ask in a message.' : '';
}
