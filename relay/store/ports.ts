import type { Actor, HandoffState, Intent, ReceiptCursors, ThreadEvent } from '../contract/handoff.ts';

/**
 * What stands behind the engine. Everything is asynchronous, so that another database can take the place of SQLite.
 */

/** An agent's number inside one store: small, never on the wire. */
export type AgentId = number;

/** The snapshot of a handoff: what replaying its events gives (relay/handoffs/evolve.ts). */
export interface Handoff {
  /** UUIDv7, the task id on the wire. */
  readonly id: string;
  readonly contextId: string;
  readonly sender: AgentId;
  readonly recipient: AgentId;
  readonly state: HandoffState;
  /** Number of events so far. */
  readonly version: number;
  readonly summary: string;
  readonly intent?: Intent;
  /** Why it was declined, failed or cancelled, in a line. */
  readonly reason?: string;
  readonly artifactTypes: readonly string[];
  readonly sessionId?: string;
  readonly bornLive: boolean;
  /** Closed by `reply_only`: a sender's SendMessage is answered with the message itself. */
  readonly replyOnly: boolean;
  readonly lastActor: Actor;
  /** Version of the last event that is no receipt. */
  readonly lastVersion: number;
  readonly receipts: { readonly sender: ReceiptCursors; readonly recipient: ReceiptCursors };
  /** Milliseconds since the epoch. `updatedAt` is when `lastVersion` was written, `statusAt` when the state last changed. */
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly statusAt: number;
}

/** A key under which a write is done once. `key` is the caller's own: a messageId, or an update's idempotency key. */
export interface IdempotencyKey {
  readonly caller: AgentId;
  /** The other party. Keys of different kinds are never the same. */
  readonly other: AgentId;
  /** `alias`: a client's own name for the task that was made under it. */
  readonly kind: 'message' | 'update' | 'alias';
  readonly key: string;
}

/** Under which key a write is done once, and the SHA-256 of what it was (32 bytes). */
export interface Once {
  readonly key: IdempotencyKey;
  readonly digest: Uint8Array;
}

/** What a decision may look at: read inside the transaction in which its events are written. */
export interface Scope {
  readonly taskId?: string;
  readonly once?: Once;
}
export interface State {
  /** The handoff of the scope, or the one that an earlier write under the same key was about. */
  readonly handoff?: Handoff;
  /** The digest of an earlier write under the same key. */
  readonly earlier?: Uint8Array;
}

/** What a decision asks to be written. No events: nothing is written but the key, and the handoff is the answer. */
export interface Decision {
  /** The snapshot after the events. */
  readonly handoff: Handoff;
  readonly events: readonly ThreadEvent[];
  /** True when an earlier write under the same key is answered again. */
  readonly replayed?: boolean;
}

/** What became of it. */
export interface Committed {
  readonly handoff: Handoff;
  readonly events: readonly ThreadEvent[];
  readonly replayed: boolean;
}

/** A hint after a COMMIT, in commit order. Feeds are numbered per agent, without gaps. */
export interface Commit {
  readonly handoff: Handoff;
  readonly events: readonly ThreadEvent[];
  readonly feeds: readonly { readonly agent: AgentId; readonly firstSeq: number }[];
  /** Characters that the events have in the store. */
  readonly size: number;
}

/** A row of an agent's feed: something its desk has to see. */
export interface FeedEntry {
  readonly seq: number;
  readonly kind: 'handoff';
  readonly taskId: string;
  readonly version: number;
}

/** A page of handoffs, newest status first. */
export interface ListQuery {
  /** Whose view it is: only handoffs to which this agent is a party. */
  readonly viewer: AgentId;
  readonly role?: 'sender' | 'recipient';
  /** The other party. */
  readonly other?: AgentId;
  readonly contextId?: string;
  readonly states?: readonly HandoffState[];
  /** Only those whose state changed at or after this time, milliseconds since the epoch. */
  readonly statusSince?: number;
  readonly limit: number;
  /** Whether `total` is wanted: it costs a walk over all that matches. */
  readonly countTotal: boolean;
  /** Where the last page ended: compared, never looked up, so that it cannot go stale. */
  readonly after?: { readonly statusAt: number; readonly taskId: string };
}

/** A part of a thread. */
export interface ThreadPage {
  readonly handoff: Handoff;
  readonly events: readonly ThreadEvent[];
  /** Whether there are events after these. */
  readonly more: boolean;
}

/** What of a thread is to be shown. */
export interface Shown {
  /** So many of the newest messages, or all. A recipient's that is the newest is the status, and not counted. */
  readonly messages?: number;
  readonly artifacts: boolean;
}

export interface Conversation {
  readonly handoff: Handoff;
  /** Messages, steps and artifacts; no receipts. */
  readonly events: readonly ThreadEvent[];
  /** Characters that these have in the store. */
  readonly size: number;
}

export interface TaskLog {
  /** Changes with every restored copy: a cursor of another epoch is worth nothing. */
  readonly epoch: string;
  /**
   * Runs `decide` and writes what it returns. Calls that come at once share one COMMIT; a decision that throws
   * takes no other with it. Resolves after the COMMIT.
   */
  transact(scope: Scope, decide: (state: State) => Decision): Promise<Committed>;
  readHandoff(taskId: string): Promise<Handoff | undefined>;
  /** The id of the task that a write under this key was about. */
  taskUnderKey(key: IdempotencyKey): Promise<string | undefined>;
  /**
   * The handoff and its events after `afterVersion`, as of one moment: at most `limit`, and no more than a few megabytes
   * of them, but one if there is one.
   */
  readTask(taskId: string, afterVersion: number, limit: number): Promise<ThreadPage | undefined>;
  /** The handoff and those of its events that an answer shows, oldest first, as of one moment. */
  readConversation(taskId: string, shown: Shown): Promise<Conversation | undefined>;
  /** Rows after `afterSeq`, oldest first; `head` is the newest number there is. */
  readFeed(agent: AgentId, afterSeq: number, limit: number): Promise<{ entries: readonly FeedEntry[]; head: number }>;
  /** One page; `total` over all pages is 0 when it was not asked for. */
  list(query: ListQuery): Promise<{ handoffs: readonly Handoff[]; total: number }>;
  /** Called after each COMMIT. Returns the unsubscribe function. */
  onCommit(listener: (commits: readonly Commit[]) => void): () => void;
}

/** How a recipient's plain message on a task is read (docs/extension.md, Agents that know nothing of it). */
export type Replies = 'append' | 'complete';

export interface Agent {
  readonly id: AgentId;
  /** UUID, permanent: a name that is registered again is another agent. */
  readonly uid: string;
  /** The part before `@`. */
  readonly name: string;
  readonly kind: 'desk' | 'a2a';
  readonly replies: Replies;
  readonly displayName: string;
  readonly description: string;
  readonly role?: string;
  readonly skills: readonly string[];
  readonly repos: readonly string[];
  readonly listed: boolean;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly updatedAt: number;
}
export type NewAgent = Omit<Agent, 'id' | 'createdAt' | 'updatedAt'>;

export type Scopes = readonly ('send' | 'receive' | 'contacts' | 'admin')[];

export interface ApiKey {
  readonly id: number;
  readonly agent: Agent;
  readonly scopes: Scopes;
}

export interface Directory {
  /** Fails with HANDLE_TAKEN. The key's hash (SHA-256, 32 bytes) is stored, the key never. */
  createAgent(agent: NewAgent, key: { readonly hash: Uint8Array; readonly scopes: Scopes }): Promise<Agent>;
  agentByName(name: string): Promise<Agent | undefined>;
  agentById(id: AgentId): Promise<Agent | undefined>;
  keyByHash(hash: Uint8Array): Promise<ApiKey | undefined>;
  /** Notes that a key was used, at most once a minute. */
  touchKey(keyId: number, at: number): Promise<void>;
}

/** What the relay keeps of itself. */
export interface RelayIdentity {
  /** Fingerprint of the key made at first start: permanent, and what trust is keyed by. */
  readonly id: string;
  /** Stored at first start; a label. */
  readonly name: string;
  /** Ed25519, PKCS #8 PEM. */
  readonly privateKey: string;
}

export interface Store {
  readonly log: TaskLog;
  readonly directory: Directory;
  /** The stored identity; `make` is called at the first start only. */
  identity(make: () => RelayIdentity): Promise<RelayIdentity>;
  /** Writes what is waiting, then closes. */
  close(): Promise<void>;
}
