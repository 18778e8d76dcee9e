import type { DeskConnection } from '../mcp/socket-client.ts';
import type { Machine } from '../settings.ts';
import type { FlagTable, Flags } from './flags.ts';

/** What a command has to say: one JSON value for programs, and text for people. */
export interface Outcome {
  readonly json: unknown;
  /** Without the last line feed. Everything a peer wrote in it is made visible (relay/contract/plain-text.ts). */
  readonly text: string;
  /** It was done, and what was found is not as it should be: exit code 1. */
  readonly isBad?: true;
}

/** What a command was given on its command line. */
export interface Given {
  /** As many as the command names, in order. */
  readonly operands: readonly string[];
  readonly flags: Flags;
  /** `{as}` where `--as` was given: to be spread into what the desk is asked. */
  readonly as: { readonly as?: string };
  readonly machine: Machine;
  /** Reads a text file, `-` is stdin. Fails with FILE_NOT_READABLE. */
  readonly readText: (path: string) => Promise<string>;
}

/** What a command needs of the terminal it writes to. */
export interface Terminal {
  /** Characters in a line; infinitely many where nobody looks at it. */
  readonly columns: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/**
 * What remains to be done with a desk, once everything that was given makes sense. One that has much to say says it part by
 * part.
 */
export type Action = (
  desk: Pick<DeskConnection, 'call'>,
  terminal: Terminal,
) => Promise<Outcome> | AsyncIterable<Outcome>;

/** What remains to be done without a desk. */
export interface Alone {
  readonly kind: 'alone';
  /** Resolves when the command has ended. */
  act(io: Io): Promise<void>;
}

/** How a command speaks while it is still at work. */
export interface Io {
  readonly out: (outcome: Outcome) => void;
  /** On stderr, for people; with its line feeds. */
  readonly error: (text: string) => void;
}

/** One command of `agentrelay`. */
export interface Command {
  /** Names for the help: `['id']`. Each is required. */
  readonly operands: readonly string[];
  /** One line for the help, without a full stop. */
  readonly summary: string;
  readonly flags: FlagTable;
  /** Checks what was given, before anything is connected to. Fails with a UsageError. */
  prepare(given: Given): Action | Alone | Promise<Action | Alone>;
}
