import type { AuthorizeAdmin } from '../identity/admin-token.ts';
import type { Authenticator } from '../identity/authenticate.ts';
import type { Members } from '../identity/members.ts';
import type { CardSigner } from '../cards/card-signer.ts';
import type { ChangeAgent } from '../identity/change-agent.ts';
import type { Invites } from '../identity/invites.ts';
import type { KeyRing } from '../identity/key-ring.ts';
import type { Registry } from '../identity/registry.ts';
import type { RelayProof } from '../identity/relay-proof.ts';
import type { Desks } from '../hub/desks.ts';
import type { SseWriters } from '../hub/sse-writer.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { RelayContext } from '../operations/context.ts';
import type { Leasing } from '../operations/leasing.ts';
import type { RateLimits } from './rate-limits.ts';
import type { Pace } from './slow-readers.ts';

/** Whether anybody may make an agent at this relay. */
export type RegistrationMode = 'closed' | 'invite' | 'open';

/** How callers reach the relay. */
export interface Edge {
  /** PEM. Left out, it speaks plain HTTP. */
  readonly tls?: { readonly cert: string; readonly key: string };
  /**
   * Callers reach it through these proxies: addresses, networks or `loopback`. Their X-Forwarded-For is believed. Left
   * out, there is none, and nobody's is.
   */
  readonly proxies?: readonly string[];
  /** Refuses every request of a web page: whoever needs no key is kept from pages by nothing else. */
  readonly refusesPages?: boolean;
}

/** What the routes stand on. */
export interface HttpDeps {
  readonly context: RelayContext;
  readonly authenticator: Authenticator;
  readonly registry: Registry;
  readonly changeAgent: ChangeAgent;
  readonly keyRing: KeyRing;
  readonly invites: Invites;
  /** Shows which relay this is, for a nonce of the other side's. */
  readonly prove: (nonce: string) => RelayProof;
  /** The public key that cards are signed with, as a JWK Set. */
  readonly cardKeys: CardSigner['keys'];
  readonly writers: SseWriters;
  readonly desks: Desks;
  readonly leasing: Leasing;
  readonly registration: RegistrationMode;
  /** Where the relay is reached, without a slash at the end. Known once it listens. */
  readonly publicUrl: () => string;
  /** When the relay started, milliseconds since the epoch. */
  readonly startedAt: number;
  /** Milliseconds between two signs of life on a stream. */
  readonly heartbeatMs: number;
  /** Age at which an A2A stream is ended, milliseconds. */
  readonly streamMaxAgeMs: number;
  /** Who runs the relay, by the admin token; undefined where there is none. Keys with the scope `admin` are as good. */
  readonly authorizeAdmin: AuthorizeAdmin | undefined;
  readonly members: Members;
  readonly metrics: Metrics;
  readonly rateLimits: RateLimits;
  readonly edge: Edge;
  /** Below it a reader is dropped. */
  readonly pace: Pace;
  /** Serves a 1.0 method without a version header as 1.0. */
  readonly lenientVersion: boolean;
  /** Serves a card in the form of 1.0 to whoever names no version. */
  readonly strictCards: boolean;
}
