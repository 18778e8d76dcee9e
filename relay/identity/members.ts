import { RelayError } from '../contract/reasons.ts';
import type { Push } from '../notify/push.ts';
import type { Agent, Directory } from '../store/ports.ts';
import type { Authenticator } from './authenticate.ts';
import { GUEST } from './guest.ts';
import { createKey, hashKey } from './keys.ts';
import { OWNER_SCOPES, type Registered, type Registry } from './registry.ts';
import type { Removals } from './removals.ts';

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
}

export function createMembers(options: {
  readonly directory: Pick<Directory, 'removeAgent' | 'restoreAgent' | 'listAgents'>;
  readonly registry: Pick<Registry, 'find' | 'refresh'>;
  readonly authenticator: Pick<Authenticator, 'invalidate'>;
  readonly removals: Removals;
  readonly push: Pick<Push, 'forget'>;
  /** That many bytes from a cryptographic source. */
  readonly random: (bytes: number) => Uint8Array;
  /** Whether requests without a key speak for the guest. */
  readonly isOpen: boolean;
  /** Gives up what is open and was for agents that were removed (relay/handoffs/abandoned.ts). */
  readonly endAbandoned: () => Promise<void>;
}): Members {
  const { directory, registry, authenticator, removals, push, random, isOpen, endAbandoned } = options;

  async function find(handle: string): Promise<Agent> {
    const agent = await registry.find(handle);
    if (agent === undefined) throw new RelayError('RECIPIENT_NOT_FOUND', 'No agent of this relay has that handle.');
    return agent;
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
      const removed = await directory.removeAgent(agent.id);
      if (removed === undefined) throw gone();
      for (const keyId of removed.keyIds) authenticator.invalidate(keyId);
      for (const webhook of removed.webhooks) push.forget(webhook);
      registry.refresh(removed.agent);
      // whoever is told of it can do no more
      removals.note(agent.id);
      await endAbandoned();
      return removed.agent;
    },
    async restore(handle) {
      const { id, name, removedAt } = await find(handle);
      if (removedAt === undefined) {
        throw new RelayError('HANDLE_TAKEN', `${name} was not removed: there is nothing to restore.`);
      }
      const apiKey = createKey(random);
      const agent = await directory.restoreAgent(id, { hash: hashKey(apiKey), scopes: OWNER_SCOPES });
      if (agent === undefined) throw gone();
      registry.refresh(agent);
      removals.forget(id);
      return { agent, apiKey };
    },
  };
}

/** Rows of agents stay. */
function gone(): Error {
  return new Error('an agent that was there is gone');
}
