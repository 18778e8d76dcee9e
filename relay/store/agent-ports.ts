import type { AgentExtension, AgentSkill } from '../contract/a2a.ts';
import type { ContactMode, Word } from '../contract/contact.ts';
import type { Scope as KeyScope } from '../contract/keys.ts';
import type { AgentId, Standing } from './ports.ts';

/** What stands behind identity: agents, their keys, and what they have said of one another (relay/store/ports.ts). */

/** What there is between two agents, as the first has it. */
export interface Relation {
  readonly peer: Agent;
  /** The agent's word about the peer, and the peer's about the agent. */
  readonly incoming?: Word;
  readonly outgoing?: Word;
  readonly blocks: boolean;
  readonly isBlocked: boolean;
  /** The line that came with the peer's request. */
  readonly note?: string;
  /** Milliseconds since the epoch. */
  readonly since?: number;
}

/** What becomes of the word of an agent about another one; `none` forgets it. */
export interface WordChange {
  readonly agent: AgentId;
  readonly about: AgentId;
  readonly word: Word | 'none';
  readonly note?: string;
}

/** Who may reach whom. What changes is in the feeds of those who are to see it, in the same transaction. */
export interface ContactStore {
  /**
   * Looks at what `to` has said of `from`, and writes what `decide` makes of it. Resolves with its value after the COMMIT.
   * @param decide is told how many requests wait for `to`; it may be run twice, and throw a RelayError, which writes nothing
   */
  change<T>(
    from: AgentId,
    to: AgentId,
    decide: (standing: Standing, waiting: number) => { readonly changes: readonly WordChange[]; readonly value: T },
  ): Promise<T>;
  /** Blocks, or lets go. What they had said of one another stays, and counts again afterwards. */
  setBlocked(agent: AgentId, peer: AgentId, isBlocked: boolean): Promise<void>;
  relation(agent: AgentId, peer: AgentId): Promise<Relation | undefined>;
  /** Of those with whom there is anything, in the order of their names: those behind `after`, which is empty at first. */
  relations(agent: AgentId, after: string, limit: number): Promise<readonly Relation[]>;
  /** Whether `agent` has accepted `peer`. */
  knows(agent: AgentId, peer: AgentId): Promise<boolean>;
}

/** How a recipient's plain message on a task is read (docs/extension.md, Agents that know nothing of it). */
export type Replies = 'append' | 'complete';

export interface Agent {
  readonly id: AgentId;
  /** UUID, permanent. */
  readonly uid: string;
  /** The part before `@`. */
  readonly name: string;
  readonly kind: 'desk' | 'a2a';
  readonly replies: Replies;
  readonly displayName: string;
  readonly description: string;
  readonly role?: string;
  /** An invite gave it its role, which therefore stays. */
  readonly hasGivenRole?: true;
  readonly skills: readonly string[];
  readonly repos: readonly string[];
  readonly listed: boolean;
  /** What becomes of those that it does not know. */
  readonly contacts: ContactMode;
  /** What it said of itself for its card, beyond the above. */
  readonly profile?: Profile;
  /** Milliseconds since the epoch. `updatedAt` grows with every change, also within one millisecond. */
  readonly createdAt: number;
  readonly updatedAt: number;
  /** When it was removed: it has no key then, nobody reaches it, and its name stays its own. */
  readonly removedAt?: number;
}

/** What an agent may add to its card. Lists that would be empty are left out. */
export interface Profile {
  /** In full, where it gave more of any of them than its name. `Agent.skills` has their names. */
  readonly skills?: readonly AgentSkill[];
  readonly iconUrl?: string;
  readonly documentationUrl?: string;
  /** Media types. */
  readonly inputModes?: readonly string[];
  readonly outputModes?: readonly string[];
  /** Extensions of A2A that it speaks; who calls it has to know those that are required. */
  readonly extensions?: readonly AgentExtension[];
}

/** What an agent may change of itself. */
export type AgentChange = Pick<
  Agent,
  'displayName' | 'description' | 'role' | 'skills' | 'repos' | 'listed' | 'contacts' | 'profile'
>;

/** What is looked for in the directory. Letter case does not matter (relay/store/search-terms.ts). */
export interface DirectoryQuery {
  /** Who looks: agents that are not listed are found by themselves and by those whom they have accepted. */
  readonly viewer: AgentId;
  /** Words that all have to be in the name, display name, description, role or skills. */
  readonly text?: string;
  /** Words that stand together in one skill's id, name or tags. */
  readonly skill?: string;
  /** A path in a repository: of the agents, those that own it, something above it or something below it. */
  readonly repo?: string;
  readonly limit: number;
  /** The name with which the last page ended. */
  readonly after?: string;
}

export type NewAgent = Omit<Agent, 'id' | 'createdAt' | 'updatedAt' | 'removedAt'>;

/** What a key may be used for. */
export type Scopes = readonly KeyScope[];

/** A key as it is stored: its SHA-256 (32 bytes), and never the key. */
export interface NewKey {
  readonly hash: Uint8Array;
  readonly scopes: Scopes;
}

export interface ApiKey {
  readonly id: number;
  readonly agent: Agent;
  readonly scopes: Scopes;
  /** When it ends, milliseconds since the epoch, if it was rotated. It may be over. */
  readonly endsAt?: number;
}

export interface Directory {
  /** Fails with HANDLE_TAKEN. The key's hash (SHA-256, 32 bytes) is stored, the key never. */
  createAgent(agent: NewAgent, key: NewKey): Promise<Agent>;
  agentByName(name: string): Promise<Agent | undefined>;
  agentById(id: AgentId): Promise<Agent | undefined>;
  /** Changes an agent in one transaction. undefined when it is not there or was removed; what `change` throws changes nothing. */
  updateAgent(id: AgentId, change: (agent: Agent) => AgentChange): Promise<Agent | undefined>;
  /**
   * Takes all of an agent's keys and webhooks away, and it out of the directory; its threads stay. undefined when there is
   * no such agent.
   */
  removeAgent(id: AgentId): Promise<Removed | undefined>;
  /** Undoes that, with a new key. undefined when there is no such agent. */
  restoreAgent(id: AgentId, key: NewKey): Promise<Agent | undefined>;
  /** All, those too that were removed, in the order of their names: those behind `after`, which is empty at first. */
  listAgents(after: string, limit: number): Promise<readonly Agent[]>;
  /** In the order of their names. */
  searchAgents(query: DirectoryQuery): Promise<readonly Agent[]>;
  keyByHash(hash: Uint8Array): Promise<ApiKey | undefined>;
  /** Notes that a key was used, at most once a minute. */
  touchKey(keyId: number, at: number): Promise<void>;
}

/** What a removal has taken away, and from whom. */
export interface Removed {
  /** As it is then. */
  readonly agent: Agent;
  /** Numbers of its keys, and of its webhooks. */
  readonly keyIds: readonly number[];
  readonly webhooks: readonly number[];
}
