import type { Agent, AgentId, ApiKey, NewAgent, NewKey, Removed, Scopes } from './ports.ts';

/** The keys of agents, and what lets somebody in who has none. */

/** A key of an agent, with what became of it. Times in milliseconds since the epoch. */
export interface KeyRecord extends Omit<ApiKey, 'agent'> {
  readonly createdAt: number;
  readonly lastUsedAt?: number;
}

/**
 * Why a key is not made: the one that asks has ended (`gone`); it was rotated, and no other key comes of it; the new one
 * was seen before (`taken`); or its agent has as many as it may have (`full`).
 */
export type KeyRefusal = 'gone' | 'rotated' | 'taken' | 'full';

export interface KeyStore {
  /** Those of an agent that have not ended, oldest first. */
  list(agent: AgentId): Promise<readonly KeyRecord[]>;
  /** Another key for the agent whose key `by` is. @param most keys that an agent may have */
  add(by: number, key: NewKey, most: number): Promise<{ readonly id: number } | KeyRefusal>;
  /**
   * A key that takes the place of `old`, with the same scopes; `old` ends at that time. The same once more changes
   * nothing: the time is then that of the first one.
   */
  rotate(
    old: number,
    hash: Uint8Array,
    endsAt: number,
    most: number,
  ): Promise<{ readonly endsAt: number } | KeyRefusal>;
  /** Whether there was such a key of that agent, which had not ended. */
  revoke(agent: AgentId, keyId: number): Promise<boolean>;
  /**
   * Revokes all keys of an agent and drops its webhooks, for one new key that may do what `key` says and what any of them
   * could. undefined when there is no such agent, or it was removed.
   */
  replaceAll(agent: AgentId, key: NewKey): Promise<Removed | undefined>;
  /** Makes a key one with these scopes. */
  setScopes(hash: Uint8Array, scopes: Scopes): Promise<void>;
}

/** What lets somebody make one agent. Times in milliseconds since the epoch. */
export interface Invite {
  /** UUIDv7. */
  readonly id: string;
  /** The name of the agent that will be. */
  readonly name: string;
  readonly role?: string;
  /** Whose key it was made with; nobody's where that was the admin token. */
  readonly createdBy?: Agent;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly withdrawnAt?: number;
  readonly redeemedAt?: number;
}

/** What became of an invite that somebody wants to use. */
export type Redemption =
  | { readonly agent: Agent; readonly inviter?: Agent }
  /** Nobody was ever given this code. */
  | 'unknown'
  | 'used'
  | 'expired'
  | 'withdrawn'
  /** The key is that of another agent, or has ended. */
  | 'key_taken';

export interface InviteStore {
  /** An open one for the same name is thereby withdrawn. @param invite with the SHA-256 of its code (32 bytes) */
  add(
    invite: Pick<Invite, 'id' | 'name' | 'role' | 'expiresAt'> & {
      readonly createdBy?: AgentId;
      readonly hash: Uint8Array;
    },
  ): Promise<void>;
  /** Newest first: those before `before`, which is empty at first. */
  list(before: string, limit: number): Promise<readonly Invite[]>;
  /** Whether it was open. */
  withdraw(id: string): Promise<boolean>;
  /**
   * Makes the agent, and uses the invite up, in one transaction. With the same key once more it is the same answer.
   * Fails with HANDLE_TAKEN, which leaves the invite as it is.
   * @param make the agent as the invite has it
   */
  redeem(hash: Uint8Array, key: NewKey, make: (invite: Invite) => NewAgent): Promise<Redemption>;
}
