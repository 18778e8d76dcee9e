import { COMMANDS } from '../../../relay/contract/desk-api.ts';
import { RelayError } from '../../../relay/contract/reasons.ts';
import { createKey } from '../../../relay/identity/keys.ts';
import type { SecretStore } from '../../secrets.ts';
import type { Audit } from '../audit/audit.ts';
import { checked } from '../checked.ts';
import type { Commands } from '../commands.ts';
import type { Credentials } from '../options.ts';
import { writing } from '../reach.ts';
import type { InvitedStore } from '../store/account-store.ts';
import type { TrustRules } from '../trust/rules.ts';
import { accountKeys } from './account-keys.ts';
import type { Accounts } from './accounts.ts';
import type { Joined } from './join.ts';

export interface AccountCommandsOptions {
  readonly accounts: Accounts;
  readonly rules: TrustRules;
  readonly invited: InvitedStore;
  readonly secrets: SecretStore;
  readonly audit: Pick<Audit, 'note'>;
  readonly randomBytes: (size: number) => Uint8Array;
  /** Becomes a member of a relay. */
  readonly joinRelay: (link: string, alias: string | undefined) => Promise<Joined>;
  /** Brings a new account to life. Resolves when the first attempt to connect has succeeded or failed. */
  readonly open: (credentials: Credentials) => Promise<void>;
}

/** The commands about accounts: who comes to this relay, which others we are on, and with which key. */
export function createAccountCommands(
  options: AccountCommandsOptions,
): Pick<Commands, 'invite' | 'join' | 'rotateKey'> {
  const { accounts, rules, invited, secrets, audit, randomBytes } = options;
  return {
    invite: checked(COMMANDS.invite, async ({ as, handle, role, expires_in_s: expiresInS }, actor) => {
      const by = accounts.toward(handle, as);
      const peer = accounts.peer(handle, as);
      // they become a teammate when they come, so it has to be possible
      rules.requireUsable();
      const invite = { ...(role !== undefined && { role }), ...(expiresInS !== undefined && { expiresInS }) };
      const { id: ref, link, expires_at } = await writing(by, () => by.client.invite(peer, invite));
      invited.put(by.handle, peer, Date.parse(expires_at));
      audit.note({ action: 'invite_made', actor, account: by.handle, peer, ref, detail: { expires_at, ...invite } });
      return { handle: peer, link, expires_at };
    }),

    join: checked(COMMANDS.join, async ({ link, alias }, actor) => {
      rules.requireUsable();
      const { credentials, inviter } = await options.joinRelay(link, alias);
      const { handle, relay, relayId, alias: called } = credentials;
      const detail = { relay: called, relay_id: relayId };
      audit.note({ action: 'account_joined', actor, account: handle, ...(inviter && { peer: inviter }), detail });
      if (inviter !== undefined) await rules.edit({ kind: 'teammate', handle: inviter, grants: {} }, actor);
      if (!accounts.all().some((account) => account.handle === handle)) await options.open(credentials);
      return { handle, relay, ...(inviter !== undefined && { inviter }) };
    }),

    rotateKey: checked(COMMANDS.rotateKey, async ({ as, overlap_s: overlapS }, actor) => {
      const by = accounts.acting(as);
      const keys = accountKeys(secrets, by.relayId, by.handle);
      // one that was on its way when the app stopped is the one that the relay may know already
      const apiKey = (await keys.next()) ?? createKey(randomBytes);
      await keys.setNext(apiKey);
      by.offerKey(apiKey);
      const { api_key: now, old_key_ends_at } = await writing(by, () => by.client.rotateKey(apiKey, overlapS));
      if (now !== apiKey) throw new RelayError('INTERNAL', 'The relay has made another key than it was asked for.');
      await keys.set(apiKey);
      by.useKey(apiKey);
      audit.note({ action: 'key_rotated', actor, account: by.handle, detail: { old_key_ends_at } });
      return { handle: by.handle, api_key: apiKey, old_key_ends_at };
    }),
  };
}
