import type { Artifact, Message } from '../../relay/contract/a2a.ts';
import type {
  Actor,
  HandoffState,
  MessageKind,
  Party,
  ReceiptState,
  ThreadEvent,
  Transition,
} from '../../relay/contract/handoff.ts';
import type { ArtifactCommand, Command, CreateCommand } from '../../relay/handoffs/command.ts';
import { carryOut } from '../../relay/handoffs/carry-out.ts';
import { blank, type Parties } from '../../relay/handoffs/evolve.ts';
import { readRecipientMessage } from '../../relay/handoffs/recipient-message.ts';
import type { Handoff, Replies } from '../../relay/store/ports.ts';

/** Handoffs in any state, made by the commands that really lead there, and short words for commands. */

export const ALICE = 1;
export const FRANK = 2;
export const PARTIES: Parties = { id: 'task-1', contextId: 'context-1', sender: ALICE, recipient: FRANK };

export function message(text: string, more: Partial<Message> = {}): Message {
  return { messageId: `id of ${text}`, role: 'ROLE_USER', parts: [{ text }], ...more };
}

export function create(more: Partial<CreateCommand> = {}): CreateCommand {
  return {
    type: 'create',
    actor: 'sender',
    author: 'human',
    message: message('the parser drops commas'),
    summary: 'the parser drops commas',
    bornLive: false,
    ...more,
  };
}

export function says(actor: Party, text: string): Command {
  return { type: 'message', actor, author: 'human', message: message(text) };
}

export function step(
  transition: Transition | 'give_up',
  more: { actor?: Actor; message?: Message; reason?: string; sessionId?: string } = {},
): Command {
  const actor = transition === 'cancel' ? 'sender' : transition === 'give_up' ? 'relay' : 'recipient';
  return { type: 'transition', transition, actor, author: 'codex', ...more };
}

export function artifact(
  more: Partial<Artifact> = {},
  flags: { append?: boolean; lastChunk?: boolean; sessionId?: string } = {},
): ArtifactCommand {
  return {
    type: 'artifact',
    actor: 'recipient',
    author: 'codex',
    artifact: { artifactId: 'a', parts: [{ text: 'done' }], ...more },
    append: false,
    lastChunk: true,
    ...flags,
  };
}

export function receipt(actor: Party, state: ReceiptState, upTo: number, label?: string): Command {
  return { type: 'receipt', actor, author: 'human', state, upTo, ...(label === undefined ? {} : { label }) };
}

/** A recipient's message that names no transition. What it means depends on the handoff it comes to. */
export interface RecipientSays {
  readonly kind: MessageKind;
  readonly replies: Replies;
  readonly text: string;
  readonly sessionId?: string;
}

/** A thread from its first message on: the handoff and its whole log. Each command is a call of its own, 1 s apart. */
export function thread(...steps: readonly (Command | RecipientSays)[]): {
  readonly handoff: Handoff;
  readonly events: readonly ThreadEvent[];
} {
  const first = steps[0];
  const all = first !== undefined && 'type' in first && first.type === 'create' ? steps : [create(), ...steps];
  let handoff = blank(PARTIES);
  const events: ThreadEvent[] = [];
  for (const [index, one] of all.entries()) {
    const decision = carryOut(handoff, commandsOf(handoff, one), 1_000 * (index + 1));
    handoff = decision.handoff;
    events.push(...decision.events);
  }
  return { handoff, events };
}

export function commandsOf(handoff: Handoff, one: Command | RecipientSays): readonly Command[] {
  if ('type' in one) return [one];
  const { replies, text, ...said } = one;
  return readRecipientMessage(handoff, replies, { ...said, message: message(text), author: 'a2a' });
}

const WAYS: Readonly<Record<HandoffState, readonly Command[]>> = {
  pending: [],
  accepted: [step('accept')],
  input_required: [step('accept'), step('ask', { message: message('which commas?') })],
  completed: [step('accept'), step('complete')],
  failed: [step('accept'), step('fail')],
  declined: [step('decline')],
  cancelled: [step('cancel')],
};

/** A handoff in a state, that no session holds. */
export function handoffIn(state: HandoffState, first: CreateCommand = create()): Handoff {
  return thread(first, ...WAYS[state]).handoff;
}
