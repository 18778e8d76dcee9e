import type { InboxItem } from '../../relay/contract/desk-api.ts';
import type { Step, WrittenStep } from '../state/compose.ts';

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

/** What is good to know before one does something here. */
export function dockHint({ peer, handoff }: Pick<InboxItem, 'peer' | 'handoff'>): string {
  const { role, state } = handoff;
  if (role === 'recipient') return state === 'pending' ? `Accept or reply, and ${peer} sees that you have it` : '';
  return state === 'accepted' ? 'It was accepted. To stop it, ask in a message.' : '';
}
