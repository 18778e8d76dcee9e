import { RelayError } from '../contract/reasons.ts';
import type { Push } from '../notify/push.ts';
import type { KeyStore } from '../store/key-ports.ts';
import type { Agent, AgentId, Directory, Removed } from '../store/ports.ts';
import { GUEST } from './guest.ts';
import type { KeyEnds } from './key-ends.ts';
import { createKey, hashKey, type Random } from './keys.ts';
import type { Registered, Registry } from './registry.ts';
import { OWNER_SCOPES } from './scopes.ts';

/** Who is on a relay, as whoever runs it decides. */
export interface Members {
  /** In the order of their names, those too that were removed: those behind `after`, which is empty at first. */
  list(after: string, limit: number): Promise<readonly Agent[]>;
  /**
   * Revokes all keys of an agent, drops its webhooks and ends what it has open. Its threads stay, and its name stays its own: trust was given
   * to that name, so nobody else ever gets it. What was for it and is open, the relay gives up. Fails with RECIPIENT_NOT_FOUND, and with UNSUPPORTED_OPERATION for the guest
   * of the open profile; once more does what was not done.
   */
  remove(handle: string): Promise<Agent>;
  /** Makes one that was removed an agent again, with its threads and a new key. HANDLE_TAKEN where it was not removed. */
  restore(handle: string): Promise<Registered>;
  /**
   * For a key that was lost or stolen: revokes all keys of an agent, drops its webhooks, which a thief may have set, and
   * ends what it has open; for one new key. Fails with RECIPIENT_NOT_FOUND, also for an agent that was removed.
   */
  replaceKeys(handle: string): Promise<Registered>;
}

export function createMembers(options: {
  readonly directory: Pick<Directory, 'removeAgent' | 'restoreAgent' | 'listAgents'>;
  readonly registry: Pick<Registry, 'find' | 'refresh'>;
  readonly keys: Pick<KeyStore, 'replaceAll'>;
  readonly ends: Pick<KeyEnds, 'note'>;
  /** Those that were removed while this process runs, to be kept. */
  readonly removed: Set<AgentId>;
  readonly push: Pick<Push, 'forget'>;
  readonly random: Random;
  /** Whether requests without a key speak for the guest. */
  readonly isOpen: boolean;
  /** Gives up what is open and was for agents that were removed (relay/handoffs/abandoned.ts). */
  readonly endAbandoned: () => Promise<void>;
}): Members {
  const { directory, registry, keys, ends, removed, push, random, isOpen, endAbandoned } = options;

  async function find(handle: string): Promise<Agent> {
    const agent = await registry.find(handle);
    if (agent === undefined) throw new RelayError('RECIPIENT_NOT_FOUND', 'No agent of this relay has that handle.');
    return agent;
  }

  /** What is open with the keys ends last: whoever is told of it can do no more. */
  function end({ agent, keyIds, webhooks }: Removed): void {
    for (const webhook of webhooks) push.forget(webhook);
    registry.refresh(agent);
    for (const keyId of keyIds) ends.note(keyId);
  }

  return {
    list: directory.listAgents,
    async remove(handle) {
      const agent = await find(handle);
      if (agent.removedAt !== undefined) {
        await endAbandoned();
        return agent;
      }
      if (isOpen && agent.name === GUEST) {
        throw new RelayError(
          'UNSUPPORTED_OPERATION',
          `Under the open profile, requests without a key speak for ${GUEST}: it stays. Start without --open-profile to remove it.`,
        );
      }
      const gone = await directory.removeAgent(agent.id);
      if (gone === undefined) throw missing();
      removed.add(agent.id);
      end(gone);
      await endAbandoned();
      return gone.agent;
    },
    async restore(handle) {
      const { id, name, removedAt } = await find(handle);
      if (removedAt === undefined) {
        throw new RelayError('HANDLE_TAKEN', `${name} was not removed: there is nothing to restore.`);
      }
      const apiKey = createKey(random);
      const agent = await directory.restoreAgent(id, { hash: hashKey(apiKey), scopes: OWNER_SCOPES });
      if (agent === undefined) throw missing();
      registry.refresh(agent);
      removed.delete(id);
      return { agent, apiKey };
    },
    async replaceKeys(handle) {
      const { id, name } = await find(handle);
      const apiKey = createKey(random);
      const replaced = await keys.replaceAll(id, { hash: hashKey(apiKey), scopes: OWNER_SCOPES });
      if (replaced === undefined) {
        throw new RelayError('RECIPIENT_NOT_FOUND', `${name} was removed. Restoring it makes a new key.`);
      }
      end(replaced);
      return { agent: replaced.agent, apiKey };
    },
  };
}

/** Rows of agents stay. */
function missing(): Error {
  return new Error('an agent that was there is gone');
}
