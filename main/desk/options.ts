import type { CommandInput, CommandOutput, Status } from '../../relay/contract/desk-api.ts';
import type { CommandLine } from '../command-line.ts';
import type { Audit } from './audit/audit.ts';
import type { Timing } from './timing.ts';

/** What the desk needs of a logger; pino's has this shape. */
export interface Logger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** What an account is: a handle and its key on a relay. */
export interface Credentials {
  /** The full handle, `frank@acme`. */
  readonly handle: string;
  /** The relay's base URL. */
  readonly relay: string;
  /** The relay's permanent id. */
  readonly relayId: string;
  readonly apiKey: string;
}

/** Chance. */
export interface Random {
  /** In [0, 1). */
  readonly number: () => number;
  /** An id that nobody else has. */
  readonly id: () => string;
}

export interface DeskOptions {
  readonly version: string;
  readonly shell: 'browser' | 'electron';
  readonly commandLine: CommandLine;
  /** Stable per data folder: tells this desk's streams from those of another. */
  readonly deskId: string;
  readonly account: Credentials;
  /** Makes an agent on the own relay. */
  readonly registerAgent: (input: CommandInput<'registerAgent'>) => Promise<CommandOutput<'registerAgent'>>;
  /** Shows the window; the address that opens it once, or `Electron`. */
  readonly openWindow: () => Promise<string>;
  /** What the desk cannot know of the process around it. */
  readonly status: () => Pick<Status, 'relay' | 'mcp' | 'window'>;
  /** Where it is written down what is done and decided. */
  readonly audit: Audit;
  readonly logger: Logger;
  /** Milliseconds since the epoch. */
  readonly clock?: () => number;
  readonly random?: Random;
  readonly timing?: Partial<Timing>;
}
