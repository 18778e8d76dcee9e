import { formatHandle, parseHandle } from '../contract/handle.ts';
import { invalidParams, RelayError } from '../contract/reasons.ts';
import { handleTaken } from '../store/handle-taken.ts';
import type { KeyStore } from '../store/key-ports.ts';
import type { Agent, Directory, NewAgent } from '../store/ports.ts';
import { AgentCache } from './agent-cache.ts';
import type { Remembers } from './change-agent.ts';
import { hashKey, ownKey, type Random } from './keys.ts';
import { newAgent } from './new-agent.ts';
import { isReservedName } from './reserved-names.ts';
import { ALL_SCOPES, OWNER_SCOPES } from './scopes.ts';

/** What is said of an agent when it is registered; only the handle is needed. */
export interface Registration {
  /** `name`, or `name@relay` with this relay's own name; letter case does not matter. */
  readonly handle: string;
  /** For people to read. Default: the name. */
  readonly displayName?: string;
  readonly description?: string;
  readonly role?: string;
  readonly skills?: readonly string[];
  readonly repos?: readonly string[];
  /** Default: `desk`, a person with their coding agents; `a2a` is any other agent that speaks A2A. */
  readonly kind?: Agent['kind'];
  /** Whether the directory shows it. Default: yes. */
  readonly listed?: boolean;
  /** What becomes of those that it does not know. Default: `ask`. */
  readonly contacts?: Agent['contacts'];
  /**
   * The caller's own key, made like ours (relay/identity/keys.ts) and stored by the caller first. Registering the same
   * name with the same key again gives the same agent: so a crash between the two can be repaired.
   */
  readonly apiKey?: string;
}

export interface Registered {
  readonly agent: Agent;
  /** Shown once: the relay itself keeps only its hash. */
  readonly apiKey: string;
}

export interface Registry extends Remembers {
  /** Fails with INVALID_PARAMS (no handle, another relay's handle, a bad key) or HANDLE_TAKEN (in use, or reserved). */
  readonly register: (registration: Registration) => Promise<Registered>;
  /** The same for whoever runs the relay: their key may also let others in. Its agent may be there already. */
  readonly own: (registration: Registration & { readonly apiKey: string }) => Promise<Registered>;
  /** The part of a handle before `@`, if it could be registered now. Fails as `register` does. */
  readonly freeName: (handle: string) => Promise<string>;
  /**
   * The agent of this relay with that handle; undefined for text that is none, for another relay's handle, and for an
   * agent that was removed.
   */
  readonly resolve: (handle: string) => Promise<Agent | undefined>;
  /** The same, with those that were removed. */
  readonly find: (handle: string) => Promise<Agent | undefined>;
}

/** Names to agents: makes them, and finds them without asking the store twice. */
export function createRegistry(options: {
  readonly directory: Pick<Directory, 'createAgent' | 'agentByName' | 'keyByHash'>;
  readonly keys: Pick<KeyStore, 'setScopes'>;
  readonly random: Random;
  /** What stands after `@`. */
  readonly relayName: string;
}): Registry {
  const { directory, keys, random, relayName } = options;
  const known = new AgentCache<string>();

  /** The part before `@`, of a handle that can be this relay's. */
  const localName = (handle: string): string | undefined => {
    const parsed = parseHandle(handle);
    return parsed && (parsed.relay ?? relayName) === relayName ? parsed.name : undefined;
  };

  const create = async (agent: NewAgent, hash: Uint8Array): Promise<Agent> => {
    try {
      return await directory.createAgent(agent, { hash, scopes: OWNER_SCOPES });
    } catch (error) {
      const holder = await directory.keyByHash(hash);
      if (holder === undefined) throw error;
      if (holder.agent.name === agent.name) return holder.agent;
      throw invalidParams('api_key', 'belongs to another agent. Make a new key for each agent.');
    }
  };

  const find = async (handle: string): Promise<Agent | undefined> => {
    const name = localName(handle);
    if (name === undefined) return undefined;
    const agent = known.get(name) ?? (await directory.agentByName(name));
    if (agent !== undefined) known.set(name, agent);
    return agent;
  };

  /** INVALID_PARAMS, and HANDLE_TAKEN for a name that is nobody's to have. */
  const nameOf = (handle: string): string => {
    const name = localName(handle);
    if (name === undefined) {
      throw invalidParams(
        'handle',
        `must be a name of this relay, such as ${formatHandle('alice', relayName)}: lower-case letters, digits, dot, dash, underscore; at most 64.`,
      );
    }
    if (isReservedName(name)) {
      throw new RelayError('HANDLE_TAKEN', `"${name}" is kept for the relay itself. Choose another name.`);
    }
    return name;
  };

  const register = async (registration: Registration): Promise<Registered> => {
    const name = nameOf(registration.handle);
    const apiKey = ownKey(registration.apiKey, random);
    const agent = await create(newAgent(name, registration, random), hashKey(apiKey));
    known.set(name, agent);
    return { agent, apiKey };
  };

  return {
    register,
    own: async (registration) => {
      const registered = await register(registration);
      await keys.setScopes(hashKey(registered.apiKey), ALL_SCOPES);
      return registered;
    },
    freeName: async (handle) => {
      const name = nameOf(handle);
      const holder = await find(name);
      if (holder !== undefined) throw handleTaken(name, holder.removedAt !== undefined);
      return name;
    },
    find,
    resolve: async (handle) => {
      const agent = await find(handle);
      return agent?.removedAt === undefined ? agent : undefined;
    },
    refresh: (agent) => known.set(agent.name, agent),
  };
}
