import { z } from 'zod';
import type { Artifact, Message } from './a2a.ts';
import { handleSchema } from './handle.ts';

/** The URI of our A2A extension; its `metadata` key on params, messages and tasks (docs/extension.md). */
export const EXTENSION_URI = 'urn:agentrelay:handoff:1';

export const handoffStateSchema = z.enum([
  'pending',
  'accepted',
  'input_required',
  'completed',
  'failed',
  'declined',
  'cancelled',
]);
/** Where a handoff stands (docs/explanation/state-machine.md). */
export type HandoffState = z.infer<typeof handoffStateSchema>;

/** States after which a thread is read-only. */
export const TERMINAL_STATES: ReadonlySet<HandoffState> = new Set(['completed', 'failed', 'declined', 'cancelled']);

export const transitionSchema = z.enum([
  'accept',
  'ask',
  'complete',
  'fail',
  'decline',
  'cancel',
  'reply_only',
  'take_over',
]);
/** What a party may ask for by name. `answer` and `give_up` are not asked for: a message makes the one, the relay the other. */
export type Transition = z.infer<typeof transitionSchema>;

/** Who acts on a handoff: its two parties, and the relay itself. */
export type Actor = 'sender' | 'recipient' | 'relay';
export type Party = Exclude<Actor, 'relay'>;

export const intentSchema = z.enum(['inform', 'ask_question', 'propose_action']);
export type Intent = z.infer<typeof intentSchema>;

/** Which surface wrote something. Believed only from a desk's key; everything else is `a2a`. */
export const authorSchema = z.enum(['human', 'claude-code', 'codex', 'cli', 'a2a']);
export type Author = z.infer<typeof authorSchema>;

/** Whether a person wrote it: in the window, or on the command line. */
export function isPerson(author: Author): boolean {
  return author === 'human' || author === 'cli';
}

/** What a message of a recipient is meant as. Unmarked is `message`. */
export const messageKindSchema = z.enum(['message', 'question', 'information']);
export type MessageKind = z.infer<typeof messageKindSchema>;

/** Required for `propose_action`, refused for the other intents. */
export const proposedActionSchema = z.object({
  description: z.string().min(1),
  target_files: z.array(z.string()),
  rationale: z.string(),
  suggested_diff: z.string().exactOptional(),
});
export type ProposedAction = z.infer<typeof proposedActionSchema>;

interface EventCommon {
  /** Counts from 1 within the task, without gaps. */
  readonly version: number;
  readonly actor: Actor;
  readonly author: Author;
  /** Milliseconds since the epoch. Shown, never used for order. */
  readonly at: number;
}

/** The first event of every thread. */
export interface CreatedEvent extends EventCommon {
  readonly kind: 'created';
  readonly message: Message;
  readonly summary: string;
  readonly intent?: Intent;
  readonly proposedAction?: ProposedAction;
  /** The handoff was asked for as a pairing, and may be cancelled even once accepted. */
  readonly bornLive?: true;
}
/** A message that is no transition of its own. `state` is set when it moved the handoff (a sender's answer). */
export interface MessageEvent extends EventCommon {
  readonly kind: 'message';
  readonly message: Message;
  readonly state?: HandoffState;
}
/** A transition, with the message that came with it. */
export interface StatusEvent extends EventCommon {
  readonly kind: 'status';
  readonly state: HandoffState;
  readonly transition: Transition | 'give_up';
  readonly message?: Message;
  readonly reason?: string;
  /** The session that holds the handoff from now on. Never shown to the other side. */
  readonly sessionId?: string;
}
/** An artifact, or a chunk of one. */
export interface ArtifactEvent extends EventCommon {
  readonly kind: 'artifact';
  readonly artifact: Artifact;
  readonly append: boolean;
  readonly lastChunk: boolean;
}

/** `queued` is what a message is once it is committed; the others are said of it (docs/extension.md, Receipts). */
export const receiptStateSchema = z.enum(['offered', 'surfaced', 'acked', 'held']);
export type ReceiptState = z.infer<typeof receiptStateSchema>;

/** How far a party has got: everything up to `upTo` is offered, surfaced, acked, or held by its own rules. */
export interface ReceiptEvent extends EventCommon {
  readonly kind: 'receipt';
  readonly state: ReceiptState;
  readonly upTo: number;
  /** A client's name and the last segment of its directory: "Codex in web/". */
  readonly label?: string;
}

/** One entry of a thread's log. Replaying them gives the handoff. */
export type ThreadEvent = CreatedEvent | MessageEvent | StatusEvent | ArtifactEvent | ReceiptEvent;

/** Per party, the highest version it has been offered, shown, and has acknowledged; 0 is none. */
export interface ReceiptCursors {
  readonly offered: number;
  readonly surfaced: number;
  readonly acked: number;
  readonly held: boolean;
}

const receiptCursorsSchema = z.object({
  offered: z.int(),
  surfaced: z.int(),
  acked: z.int(),
  held: z.boolean(),
});

/**
 * `task.metadata[EXTENSION_URI]`, as the relay writes it for one of the two parties: all that a list needs to show
 * of a handoff. Snake case, as on the wire.
 */
export const handoffViewSchema = z.object({
  task_id: z.string(),
  /** The reader's side of it. */
  role: z.enum(['sender', 'recipient']),
  /** Handles, and nothing else: whoever shows one need not ask what hides in it. */
  sender: handleSchema,
  recipient: handleSchema,
  state: handoffStateSchema,
  version: z.int(),
  summary: z.string(),
  intent: intentSchema.exactOptional(),
  /** Why it was declined, failed or cancelled, cut to a line. */
  reason: z.string().exactOptional(),
  /** Which handoff it is in its chain, where it follows from another one: 2 or more (docs/extension.md, What follows). */
  hops: z.int().exactOptional(),
  /** Types of the artifacts that came with the first message, in order, without repetition. */
  artifact_types: z.array(z.string()),
  /** Only for the recipient: which of its sessions holds the handoff. */
  session_id: z.string().exactOptional(),
  /** Who wrote last, and where: receipts do not count. */
  last_actor: z.enum(['sender', 'recipient', 'relay']),
  last_version: z.int(),
  /** How far each side has got with what the other wrote. */
  receipts: z.object({ sender: receiptCursorsSchema, recipient: receiptCursorsSchema }),
  /** Milliseconds since the epoch; `updated_at` is when `last_version` was written. */
  created_at: z.number(),
  updated_at: z.number(),
});
export type HandoffView = z.infer<typeof handoffViewSchema>;
