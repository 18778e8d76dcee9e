import type { Artifact, Message } from '../contract/a2a.ts';
import type { Actor, Author, Intent, Party, ProposedAction, ReceiptState, Transition } from '../contract/handoff.ts';

/** What can be done to a handoff, by whom. Commands carry no time and no version: the machine's caller adds them. */

interface CommandCommon {
  readonly actor: Actor;
  readonly author: Author;
}

/** The first message of a sender. */
export interface CreateCommand extends CommandCommon {
  readonly type: 'create';
  readonly message: Message;
  readonly summary: string;
  readonly intent?: Intent;
  readonly proposedAction?: ProposedAction;
  readonly bornLive: boolean;
}

/** A message that asks for no transition by name. A sender's answers a question. */
export interface MessageCommand extends CommandCommon {
  readonly type: 'message';
  readonly actor: Party;
  readonly message: Message;
  /** Of a recipient's, who says in the name of which session it speaks. */
  readonly sessionId?: string;
}

/** A transition by name; `give_up` is the relay's own. */
export interface TransitionCommand extends CommandCommon {
  readonly type: 'transition';
  readonly transition: Transition | 'give_up';
  readonly message?: Message;
  readonly reason?: string;
  readonly sessionId?: string;
}

/** An artifact of the recipient, or a chunk of one. */
export interface ArtifactCommand extends CommandCommon {
  readonly type: 'artifact';
  readonly artifact: Artifact;
  readonly append: boolean;
  readonly lastChunk: boolean;
  /** Holds the handoff from then on, if this is what takes it up. */
  readonly sessionId?: string;
}

/** How far a party has got. */
export interface ReceiptCommand extends CommandCommon {
  readonly type: 'receipt';
  readonly actor: Party;
  readonly state: ReceiptState;
  readonly upTo: number;
  readonly label?: string;
}

export type Command = CreateCommand | MessageCommand | TransitionCommand | ArtifactCommand | ReceiptCommand;
