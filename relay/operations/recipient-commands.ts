import type { Artifact, Message } from '../contract/a2a.ts';
import { TERMINAL_STATES, type Author, type MessageKind, type Party, type Transition } from '../contract/handoff.ts';
import { invalidParams } from '../contract/reasons.ts';
import type { Command } from '../handoffs/command.ts';
import { readRecipientMessage } from '../handoffs/recipient-message.ts';
import type { Handoff, Replies } from '../store/ports.ts';

/** One step of a party on a handoff, whichever form it came in: `tasks/update`, or a message with our metadata. */
export interface Step {
  readonly party: Party;
  readonly author: Author;
  readonly transition?: Transition;
  readonly sessionId?: string;
  readonly reason?: string;
  readonly kind?: MessageKind;
  readonly message?: Message;
  readonly artifacts: readonly Artifact[];
  readonly append: boolean;
  readonly lastChunk: boolean;
  /** The recipient's own setting, for a message that names no transition. */
  readonly replies: Replies;
}

/** What a step asks of the engine, in order. */
export function commandsOf(handoff: Handoff, step: Step): readonly Command[] {
  const artifacts = artifactCommands(step);
  const words = wordCommands(handoff, step);
  if (step.transition === 'reply_only' && artifacts.length > 0) {
    throw invalidParams('artifacts', 'do not go with reply_only. Accept the handoff, then complete it with them.');
  }
  // What ends a handoff comes after its artifacts. On a pending one it comes first, since nothing ends before accept; and
  // on one that has ended, since it says best what is wrong.
  const wordsFirst =
    handoff.state === 'pending' ||
    step.transition === 'accept' ||
    step.transition === 'take_over' ||
    (step.transition !== undefined && TERMINAL_STATES.has(handoff.state));
  return wordsFirst ? [...words, ...artifacts] : [...artifacts, ...words];
}

function artifactCommands({ party, author, artifacts, append, lastChunk, sessionId }: Step): readonly Command[] {
  const common = { type: 'artifact', actor: party, author, append, lastChunk } as const;
  return artifacts.map((artifact) => ({ ...common, artifact, ...(sessionId === undefined ? {} : { sessionId }) }));
}

function wordCommands(handoff: Handoff, step: Step): readonly Command[] {
  const { party, author, transition, message, reason, sessionId } = step;
  if (transition !== undefined) {
    if (transition === 'reply_only' && message === undefined) {
      throw invalidParams('message', 'is what reply_only answers with; it cannot be left out.');
    }
    return [
      {
        type: 'transition',
        actor: party,
        author,
        transition,
        ...(message === undefined ? {} : { message }),
        ...(reason === undefined ? {} : { reason }),
        ...(sessionId === undefined ? {} : { sessionId }),
      },
    ];
  }
  if (message === undefined) return [];
  return party === 'sender'
    ? [{ type: 'message', actor: party, author, message }]
    : readRecipientMessage(handoff, step.replies, {
        kind: step.kind ?? 'message',
        message,
        author,
        ...(sessionId === undefined ? {} : { sessionId }),
      });
}
