import type { SecretStore } from '../../secrets.ts';
import type { Credentials, Logger } from '../options.ts';
import type { AccountStore } from '../store/account-store.ts';
import { accountKeys } from './account-keys.ts';
import { credentialsOf } from './join.ts';

/**
 * The accounts on other relays, in the order in which they came. One whose key is gone is there all the same: its relay
 * refuses it, so it says that it has no key that counts, and what waits for it can be read and dropped.
 */
export async function storedCredentials(
  store: Pick<AccountStore, 'list'>,
  secrets: SecretStore,
  logger: Pick<Logger, 'error'>,
): Promise<readonly Credentials[]> {
  return Promise.all(
    store.list().map(async ({ name, relay }) => {
      const keys = accountKeys(secrets, relay.id, name);
      const apiKey = await keys.get();
      if (apiKey === undefined) logger.error({ account: name, relay: relay.alias }, 'the key of an account is gone');
      return credentialsOf(relay, name, apiKey ?? '', await keys.next());
    }),
  );
}
