import type { Authenticator } from '../identity/authenticate.ts';
import type { Registry } from '../identity/registry.ts';
import type { Desks } from '../hub/desks.ts';
import type { SseWriters } from '../hub/sse-writer.ts';
import type { RelayContext } from '../operations/context.ts';
import type { Pace } from './slow-readers.ts';

/** Whether anybody may make an agent at this relay. */
export type RegistrationMode = 'closed' | 'invite' | 'open';

/** What the routes stand on. */
export interface HttpDeps {
  readonly context: RelayContext;
  readonly authenticator: Authenticator;
  readonly registry: Registry;
  readonly writers: SseWriters;
  readonly desks: Desks;
  readonly registration: RegistrationMode;
  /** Where the relay is reached, without a slash at the end. Known once it listens. */
  readonly publicUrl: () => string;
  readonly version: string;
  /** When the relay started, milliseconds since the epoch. */
  readonly startedAt: number;
  /** Milliseconds between two signs of life on a stream. */
  readonly heartbeatMs: number;
  /** Age at which an A2A stream is ended, milliseconds. */
  readonly streamMaxAgeMs: number;
  /** Below it a reader is dropped. */
  readonly pace: Pace;
  /** Serves a 1.0 method without a version header as 1.0. */
  readonly lenientVersion: boolean;
}
