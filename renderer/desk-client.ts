import { visibleLine } from '../relay/contract/plain-text.ts';
import type { CommandInput, CommandName, CommandOutput, DeskError, DeskEvent } from '../relay/contract/desk-api.ts';

/** How the window stands with the desk, as far as its transport can tell. */
export type Connection =
  | { readonly state: 'open' }
  /** The desk stopped answering at `since`, milliseconds since the epoch. The transport tries again by itself. */
  | { readonly state: 'lost'; readonly since: number }
  /** The desk does not know this window, and will not by trying again. */
  | { readonly state: 'signed_out' };

/** What the window asks of a desk. Two transports carry it: HTTP in the browser shell, IPC in Electron. */
export interface DeskClient {
  /** Throws DeskCallError, and nothing else. */
  call<C extends CommandName>(command: C, input: CommandInput<C>): Promise<CommandOutput<C>>;
  /** Events after `afterSeq`, then live ones, across interruptions. Returns the unsubscribe function. */
  subscribe(
    afterSeq: number,
    onEvent: (event: DeskEvent) => void,
    onConnection: (connection: Connection) => void,
  ): () => void;
}

/** Why a command was not carried out, in words that can be shown. */
export class DeskCallError extends Error {
  readonly error: DeskError;

  constructor(error: DeskError) {
    super(error.message);
    this.name = 'DeskCallError';
    this.error = error;
  }
}

/** The desk does not know this window (any more). Only the browser shell has windows that it may not know. */
export class SignedOutError extends DeskCallError {
  constructor() {
    super({
      reason: 'UNAUTHENTICATED',
      message: 'AgentRelay was restarted. Open the window again from the Window line that the start printed.',
    });
    this.name = 'SignedOutError';
  }
}

/** What a command answers when nobody does: the app was stopped, or the way to it is gone. */
export function unreachable(): DeskCallError {
  return new DeskCallError({
    reason: 'RELAY_UNREACHABLE',
    message: 'AgentRelay does not answer. If it was stopped, start it again.',
  });
}

/**
 * The error of a call as data, with nothing hidden in its words: they may be those of somebody else's relay. Anything but a
 * DeskCallError is a fault of ours and is thrown on.
 */
export function deskError(thrown: unknown): DeskError {
  if (!(thrown instanceof DeskCallError)) throw thrown;
  const { reason, message, violations } = thrown.error;
  const shown = violations?.map(({ field, description }) => ({
    field: visibleLine(field),
    description: visibleLine(description),
  }));
  return { reason, message: visibleLine(message), ...(shown && { violations: shown }) };
}
