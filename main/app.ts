import type { DeskApi } from '../relay/contract/desk-api.ts';

/** What both shells start: the relay, the desk and the local socket, in a data folder that nobody else owns. */

export interface AppOptions {
  /** The data folder. */
  readonly home: string;
  /** Port of the relay on loopback; 0 is any free one. */
  readonly port: number;
  /** Whether `port` was asked for (then a taken one is an error) or is the default (then the next free one serves). */
  readonly portIsDefault: boolean;
  /** Name for the relay, and for the first account, at the first start. */
  readonly relayName: string;
  readonly handle: string;
  readonly logLevel: string;
  readonly shell: 'browser' | 'electron';
  /** How the window is shown; answers with an address that opens it once, or `Electron`. */
  readonly openWindow: () => Promise<string>;
}

export interface RunningApp {
  readonly desk: DeskApi;
  /** `http://127.0.0.1:7319` */
  readonly relayUrl: string;
  readonly socketPath: string;
  /** Things worth a line on stderr at start: another port was taken, say. */
  readonly notices: readonly string[];
  /** Leaves no process, no socket and no lock. Idempotent. */
  close(): Promise<void>;
}

export type StartResult =
  | { readonly kind: 'started'; readonly app: RunningApp }
  /** Another process owns the data folder; it was asked to show its window. */
  | { readonly kind: 'already_running'; readonly window: string };
