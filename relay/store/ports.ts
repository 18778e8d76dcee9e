import type { AuthenticationInfo } from '../contract/a2a.ts';
import type { Word } from '../contract/contact.ts';
import type { Generation } from '../contract/generation.ts';
import type { Actor, HandoffState, Intent, ReceiptCursors, ThreadEvent } from '../contract/handoff.ts';

export type * from './agent-ports.ts';

/**
 * What stands behind the engine. Everything is asynchronous, so that another database can take the place of SQLite.
 */

/** An agent's number inside one store: small, never on the wire. */
export type AgentId = number;

/** Through whom the work of a handoff came (relay/handoffs/chain.ts). No party is shown more of it than the number. */
export interface Chain {
  /** Handoffs up to this one, which is counted. */
  readonly hops: number;
  /** To whom the work came, one after another: the last two are the sender and the recipient. */
  readonly path: readonly AgentId[];
}

/** The snapshot of a handoff: what replaying its events gives (relay/handoffs/evolve.ts). */
export interface Handoff {
  /** UUIDv7, the task id on the wire. */
  readonly id: string;
  readonly contextId: string;
  readonly sender: AgentId;
  readonly recipient: AgentId;
  /** Only where it follows from another handoff. */
  readonly chain?: Chain;
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
  /** Who wants to reach whom; `to` left out, the other party of the handoff. Left out as a whole, nobody asks. */
  readonly reaching?: { readonly from: AgentId; readonly to?: AgentId };
}
export interface State {
  /** The handoff of the scope, or the one that an earlier write under the same key was about. */
  readonly handoff?: Handoff;
  /** The lease of that handoff, where a worker has taken it up. */
  readonly lease?: Lease;
  /** The digest of an earlier write under the same key. */
  readonly earlier?: Uint8Array;
  /** Between the two of `reaching`. */
  readonly standing?: Standing;
}

/** What is between an agent that wants to reach another one, and that one. */
export interface Standing {
  /** What the other one has said of it; undefined where they are strangers. */
  readonly word?: Word;
  /** The other one has blocked it. */
  readonly isBlocked: boolean;
  /** It has blocked the other one. */
  readonly hasBlocked: boolean;
}

/** What a decision asks to be written. No events: nothing is written but the key, and the handoff is the answer. */
export interface Decision {
  /** The snapshot after the events. */
  readonly handoff: Handoff;
  readonly events: readonly ThreadEvent[];
  /** True when an earlier write under the same key is answered again. */
  readonly replayed?: boolean;
  /** The lease after that; `over`: there is none any more. Left out, it stays as it was. */
  readonly lease?: Lease | 'over';
}

/**
 * What a worker has of a handoff that it has taken up (docs/explanation/state-machine.md, Workers). It stands beside the thread and
 * belongs to the session that holds the handoff; nobody is shown it.
 */
export interface Lease {
  /** The worker's own name, which is its session. */
  readonly worker: string;
  /**
   * `running`: the worker is at it, and has until `dueAt`. `waiting`: nobody is; from `dueAt` on any worker may take it. It
   * rests, with 0 there, until the sender has answered.
   */
  readonly state: 'running' | 'waiting';
  /** Milliseconds since the epoch by the steady clock (relay/operations/steady-clock.ts), as `since` is. */
  readonly dueAt: number;
  /** How many times the handoff has been leased, this one included. */
  readonly number: number;
  /** Attempts that have failed since `since`, of `attempts` that there are. */
  readonly failures: number;
  readonly attempts: number;
  /** When the first of these attempts began, milliseconds since the epoch. */
  readonly since: number;
}

/** A lease whose time has come. */
export interface DueLease {
  readonly taskId: string;
  readonly agent: AgentId;
  readonly state: Lease['state'];
}

/** Times in milliseconds since the epoch; Infinity where there is none. */
export interface NextDue {
  /** When the first of those that are running runs out, whatever its time. */
  readonly runsOut: number;
  /** When the first that waits beyond the time that was asked about has waited. */
  readonly waited: number;
  /** When the oldest began of those that wait for a worker. */
  readonly since: number;
}

/** Which leases there are. They are changed by decisions alone, together with their handoff. */
export interface Leases {
  /**
   * The handoff that a worker of this agent is to take next: the one that it has already, else one whose waiting is over,
   * else the oldest that is pending and not held by the agent's rules.
   */
  next(agent: AgentId, worker: string, now: number): Promise<string | undefined>;
  /** Those that have run out, and those whose waiting has ended after `after`; both up to `now`. */
  due(after: number, now: number): Promise<readonly DueLease[]>;
  /** Which wait for a worker, and began at or before that time: not those that rest until their sender has answered. */
  waitingSince(time: number): Promise<readonly string[]>;
  /** What comes next, in each of these ways. */
  nextDue(after: number): Promise<NextDue>;
  /** Brings times nearer that lie further ahead of `now` than any lease does. */
  bound(now: number, most: { readonly runningMs: number; readonly waitingMs: number }): Promise<void>;
  /** Agents of which a worker is at work. */
  busy(): Promise<readonly AgentId[]>;
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
export type FeedEntry =
  | { readonly seq: number; readonly kind: 'handoff'; readonly taskId: string; readonly version: number }
  /** What there is between the agent and a peer has changed. */
  | { readonly seq: number; readonly kind: 'contact'; readonly peer: AgentId };

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
  /** Characters of a thread in the store, events and all; 0 for one that is not there. */
  threadSize(taskId: string): Promise<number>;
  /** The handoff and those of its events that an answer shows, oldest first, as of one moment. */
  readConversation(taskId: string, shown: Shown): Promise<Conversation | undefined>;
  /** Rows after `afterSeq`, oldest first; `head` is the newest number there is. */
  readFeed(agent: AgentId, afterSeq: number, limit: number): Promise<{ entries: readonly FeedEntry[]; head: number }>;
  /** One page; `total` over all pages is 0 when it was not asked for. */
  list(query: ListQuery): Promise<{ handoffs: readonly Handoff[]; total: number }>;
  /** Some of the open handoffs whose recipient was removed from the relay, at most so many; as of all that was asked for before. */
  abandoned(limit: number): Promise<readonly string[]>;
  /** How many handoffs are in each state that is not the last; one in which none is may be left out. */
  countOpen(): Promise<Readonly<Partial<Record<HandoffState, number>>>>;
  /** Called after each COMMIT. Returns the unsubscribe function. */
  onCommit(listener: (commits: readonly Commit[]) => void): () => void;
  /** Called after a COMMIT that brought these agents something else than a handoff. Returns the unsubscribe function. */
  onNews(listener: (agents: readonly AgentId[]) => void): () => void;
}

/** A webhook that changes of a task are pushed to. */
export interface PushConfig {
  /** Its number inside one store. */
  readonly pk: number;
  readonly taskId: string;
  /** Whose it is: a party to the task. */
  readonly agent: AgentId;
  /** Unique among those of this agent for this task. */
  readonly id: string;
  readonly url: string;
  readonly token?: string;
  readonly authentication?: AuthenticationInfo;
  /** Only that there is something new is sent. */
  readonly wakeUp: boolean;
  /** In whose form it is told. */
  readonly generation: Generation;
  /** The client's own name for the task (A2A 0.1). */
  readonly alias?: string;
  /** Up to this version of the task everything was delivered, or given up. */
  readonly cursor: number;
  /** What became of the event that comes next, where it was tried; times in milliseconds since the epoch. */
  readonly failure?: PushFailure;
}
export interface PushFailure {
  readonly attempts: number;
  readonly since: number;
  /** When it is tried again. */
  readonly nextAt: number;
}
export type NewPushConfig = Omit<PushConfig, 'pk' | 'failure'>;

/** An event that a webhook did not take, and that is no longer tried. */
export interface DeadLetter {
  readonly version: number;
  /** In a word or two. */
  readonly error: string;
  readonly attempts: number;
  /** Milliseconds since the epoch. */
  readonly diedAt: number;
}
/** The same, with whose it is. */
export interface BuriedLetter extends DeadLetter {
  readonly taskId: string;
  readonly configId: string;
  readonly url: string;
}

export interface PushStore {
  /**
   * Adds a webhook. One with the same id takes the new address, and goes on where it was; the same once more changes
   * nothing. undefined where the agent was removed: nobody is pushed to who is not here.
   */
  put(config: NewPushConfig): Promise<{ readonly config: PushConfig; readonly isChanged: boolean } | undefined>;
  /** Oldest first. */
  list(taskId: string, agent: AgentId): Promise<readonly PushConfig[]>;
  /** The number of what was removed; undefined where there was nothing. Its dead letters go with it. */
  remove(taskId: string, agent: AgentId, id: string): Promise<number | undefined>;
  /** Those that may have something to deliver: of open tasks, and of others where something is left, which is due. */
  live(): Promise<readonly { readonly config: PushConfig; readonly isDue: boolean }[]>;
  noteDelivered(pk: number, cursor: number): Promise<void>;
  noteFailed(pk: number, failure: PushFailure): Promise<void>;
  /** Gives the event up, and goes on behind it. */
  bury(pk: number, letter: DeadLetter): Promise<void>;
  /** An agent's, newest first. */
  deadLetters(agent: AgentId, limit: number): Promise<readonly BuriedLetter[]>;
  /** Goes back to before the first dead letter of each of the agent's webhooks for a task, and forgets the letters. */
  revive(taskId: string, agent: AgentId): Promise<readonly PushConfig[]>;
  /** Forgets the webhooks of tasks that were closed before a time, milliseconds since the epoch, and are done with. */
  prune(closedBefore: number): Promise<void>;
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
