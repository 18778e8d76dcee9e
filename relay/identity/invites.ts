import { isInviteCode } from '../contract/invite.ts';
import { RelayError } from '../contract/reasons.ts';
import type { Invite, InviteStore } from '../store/key-ports.ts';
import type { Agent } from '../store/ports.ts';
import type { Befriend } from './befriend.ts';
import { createInviteCode, hashKey, keyTaken, ownKey, type Random } from './keys.ts';
import { newAgent } from './new-agent.ts';
import type { Registered, Registration, Registry } from './registry.ts';
import { OWNER_SCOPES } from './scopes.ts';

export interface NewInvite {
  readonly handle: string;
  readonly role?: string;
  readonly lifeMs: number;
  /** Who invites; nobody where that is the admin token. */
  readonly inviter?: Agent;
}

export interface Invited {
  readonly id: string;
  /** Shown once: the relay itself keeps only its hash. */
  readonly code: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** Lets those in who were invited, each once and as what they were invited. */
export interface Invites {
  /** An open invite for the same handle is thereby withdrawn. Fails as a registration of that handle would. */
  create(invite: NewInvite): Promise<Invited>;
  /** Newest first: those before `before`, which is empty at first. */
  list(before: string, limit: number): Promise<readonly Invite[]>;
  /** ROUTE_NOT_FOUND where there is no such invite that is open. */
  withdraw(id: string): Promise<void>;
  /**
   * Makes the agent, and a contact of whoever invited it. The same code with the same key once more is the same answer.
   * Fails with INVITE_INVALID for a code that nobody was given, INVITE_GONE whose `metadata.cause` is USED, EXPIRED or
   * WITHDRAWN, HANDLE_TAKEN, and INVALID_PARAMS for a key.
   */
  redeem(
    code: string,
    registration: Omit<Registration, 'handle' | 'role'>,
  ): Promise<Registered & { readonly inviter?: Agent }>;
}

export function createInvites(options: {
  readonly invites: InviteStore;
  readonly registry: Pick<Registry, 'freeName' | 'refresh'>;
  readonly befriend: Befriend;
  readonly random: Random;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** A UUIDv7 that is greater than every one before it. */
  readonly newId: () => string;
}): Invites {
  const { invites, registry, befriend, random, clock, newId } = options;
  return {
    async create({ handle, role, lifeMs, inviter }) {
      const name = await registry.freeName(handle);
      const code = createInviteCode(random);
      const invite = { id: newId(), name, expiresAt: clock() + lifeMs };
      await invites.add({
        ...invite,
        hash: hashKey(code),
        ...(role === undefined ? {} : { role }),
        ...(inviter === undefined ? {} : { createdBy: inviter.id }),
      });
      return { id: invite.id, code, expiresAt: invite.expiresAt };
    },
    list: invites.list,
    async withdraw(id) {
      if (!(await invites.withdraw(id))) {
        throw new RelayError('ROUTE_NOT_FOUND', 'There is no such invite that is open: GET /v1/invites lists them.');
      }
    },
    async redeem(code, registration) {
      // asked before anything is hashed or looked up, so that junk costs nothing
      if (!isInviteCode(code)) throw invalid();
      const apiKey = ownKey(registration.apiKey, random);
      const key = { hash: hashKey(apiKey), scopes: OWNER_SCOPES };
      const redeemed = await invites.redeem(hashKey(code), key, ({ name, role }) => ({
        ...newAgent(name, { ...registration, ...(role === undefined ? {} : { role }) }, random),
        ...(role === undefined ? {} : { hasGivenRole: true }),
      }));
      switch (redeemed) {
        case 'unknown':
          throw invalid();
        case 'key_taken':
          throw keyTaken();
        case 'used':
        case 'expired':
        case 'withdrawn':
          throw gone(redeemed);
      }
      const { agent, inviter } = redeemed;
      registry.refresh(agent);
      if (inviter !== undefined) await befriend(inviter.id, agent.id);
      return { agent, apiKey, ...(inviter === undefined ? {} : { inviter }) };
    },
  };
}

function invalid(): RelayError {
  return new RelayError(
    'INVITE_INVALID',
    'This is no invite of this relay. Copy the whole link, or ask for another one.',
  );
}

function gone(cause: 'used' | 'expired' | 'withdrawn'): RelayError {
  const was = { used: 'was used', expired: 'has expired', withdrawn: 'was withdrawn' }[cause];
  return new RelayError('INVITE_GONE', `This invite ${was}. Ask whoever sent it for another one.`, {
    metadata: { cause: cause.toUpperCase() },
  });
}
