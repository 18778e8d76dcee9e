import type { InboxItem } from '../../relay/contract/desk-api.ts';
import type { DockMode, Step } from '../state/compose.ts';

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
  /** Names the field, or asks the question. */
  readonly label: string;
  readonly submit: string;
  /** The way out without doing it. */
  readonly back: string;
}

/** What a step is asked with, in a thread with `peer`. Buttons name the result. */
export function formWords(mode: DockMode, { peer, handoff }: Pick<InboxItem, 'peer' | 'handoff'>): FormWords {
  const answers = handoff.role === 'sender' && handoff.state === 'input_required';
  const forms: Readonly<Record<DockMode, FormWords>> = {
    reply: { label: answers ? `Answer ${peer}` : `Reply to ${peer}`, submit: 'Send', back: 'Back' },
    decline: { label: `Why do you decline? ${peer} sees the reason.`, submit: 'Decline', back: 'Back' },
    complete: { label: `What came of it? ${peer} sees the summary.`, submit: 'Complete', back: 'Back' },
    ask: { label: `What do you need to know? The work waits until ${peer} answers.`, submit: 'Ask', back: 'Back' },
    fail: { label: `Why did it fail? ${peer} sees the reason.`, submit: 'Report failure', back: 'Back' },
    cancel: {
      label: `Cancel this handoff? ${peer} sees that it is cancelled, and it cannot be taken back.`,
      submit: 'Cancel the handoff',
      back: 'Keep it',
    },
  };
  return forms[mode];
}

/** What is good to know before one does something here. */
export function dockHint({ handoff }: Pick<InboxItem, 'handoff'>): string {
  const { role, state } = handoff;
  if (role === 'recipient') return state === 'pending' ? 'Accepting or replying acks it' : '';
  return state === 'accepted' ? 'It was accepted. To stop it, ask in a message.' : '';
}
