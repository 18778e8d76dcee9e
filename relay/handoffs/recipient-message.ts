import type { Artifact, Message } from '../contract/a2a.ts';
import { assertNever } from '../contract/assert-never.ts';
import type { Author, MessageKind } from '../contract/handoff.ts';
import type { Handoff, Replies } from '../store/ports.ts';
import type { Command } from './command.ts';

/** The artifact that a reply of a plain A2A agent becomes. */
export const REPLY_ARTIFACT_ID = 'reply';

/** A recipient's message that names no transition. */
export interface RecipientMessage {
  readonly kind: MessageKind;
  readonly message: Message;
  readonly author: Author;
  /** The session that says it, where it is one that does. */
  readonly sessionId?: string;
}

/**
 * What such a message means (docs/extension.md, Agents that know nothing of it).
 * @param replies the recipient's own setting: a desk's agents append, a plain A2A agent completes
 */
export function readRecipientMessage(
  handoff: Handoff,
  replies: Replies,
  { kind, message, author, sessionId }: RecipientMessage,
): readonly Command[] {
  const by = { actor: 'recipient', author, ...(sessionId && { sessionId }) } as const;
  const { state } = handoff;
  const holder = sessionId ?? handoff.sessionId;
  switch (kind) {
    case 'question':
      // asked once more, or too late, it is words like any others
      return state === 'pending' || state === 'accepted'
        ? [{ type: 'transition', ...by, transition: 'ask', message }]
        : [{ type: 'message', ...by, message }];
    case 'information':
      // a plain agent has no other way to say that it goes on; whoever holds the handoff keeps it
      return state === 'pending' || (state === 'input_required' && replies === 'complete')
        ? [{ type: 'transition', ...by, transition: 'accept', message, ...(holder && { sessionId: holder }) }]
        : [{ type: 'message', ...by, message }];
    case 'message':
      if (replies === 'append') return [{ type: 'message', ...by, message }];
      return [
        ...(state === 'pending' ? [{ type: 'transition', ...by, transition: 'accept' } as const] : []),
        { type: 'artifact', ...by, artifact: replyArtifact(message), append: false, lastChunk: true },
        { type: 'transition', ...by, transition: 'complete' },
      ];
    default:
      return assertNever(kind);
  }
}

function replyArtifact({ parts, metadata, extensions }: Message): Artifact {
  return {
    artifactId: REPLY_ARTIFACT_ID,
    name: 'reply',
    parts,
    ...(metadata === undefined ? {} : { metadata }),
    ...(extensions === undefined ? {} : { extensions }),
  };
}
