import type { CommandInput, CommandOutput, Status } from '../../relay/contract/desk-api.ts';
import type { Database } from '../../relay/store/sqlite/database.ts';
import type { SecretStore } from '../secrets.ts';
import type { CommandLine } from '../command-line.ts';
import type { Audit } from './audit/audit.ts';
import type { Timing } from './timing.ts';
import type { TrustFile } from './trust/trust-file.ts';

/** What the desk needs of a logger; pino's has this shape. */
export interface Logger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** What an account is: a handle and its key on a relay. */
export interface Credentials {
  /** `frank@acme`: the name there, and what the relay is called here. */
  readonly handle: string;
  /** What the relay is called here. */
  readonly alias: string;
  /** What it calls itself. */
  readonly relayName: string;
  /** The relay's base URL. */
  readonly relay: string;
  /** The relay's permanent id. */
  readonly relayId: string;
  /** The relay runs in this process: who it is needs no proof. */
  readonly isOwn: boolean;
  readonly apiKey: string;
  /** A key that was being changed to when the app stopped: it may be the one that counts by now. */
  readonly nextKey?: string;
}

/** Chance. */
export interface Random {
  /** In [0, 1). */
  readonly number: () => number;
  /** An id that nobody else has. */
  readonly id: () => string;
  /** So many bytes from a cryptographic source. */
  readonly bytes: (size: number) => Uint8Array;
}

export interface DeskOptions {
  readonly version: string;
  readonly shell: 'browser' | 'electron';
  readonly commandLine: CommandLine;
  /** Stable per data folder: tells this desk's streams from those of another. */
  readonly deskId: string;
  /** The account on the own relay. Those on others are in `db`. */
  readonly account: Credentials;
  /** `desk.db` */
  readonly db: Database;
  /** Where the keys of accounts are. */
  readonly secrets: SecretStore;
  /** `trust.yaml` */
  readonly trust: TrustFile;
  /** A folder for what is replaced. */
  readonly backups: string;
  /** The home folders of the user: paths below them tell of the person. */
  readonly homeDirs: readonly string[];
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
