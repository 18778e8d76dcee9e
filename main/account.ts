import { join } from 'node:path';
import { formatHandle, parseHandle } from '../relay/contract/handle.ts';
import { RelayError } from '../relay/contract/reasons.ts';
import { createKey } from '../relay/identity/keys.ts';
import type { Database } from '../relay/store/sqlite/database.ts';
import { readConfiguredAccount, type Config } from './config.ts';
import { accountKeys, keyName } from './desk/accounts/account-keys.ts';
import type { Credentials } from './desk/options.ts';
import { createAccountStore } from './desk/store/account-store.ts';
import { fileSecretStore, type SecretStore } from './secrets.ts';
import { StartError } from './start-error.ts';
import type { RandomBytes } from './tokens.ts';

/** The account on the own relay. */
export interface OwnAccount {
  /** `name@relay` */
  readonly handle: string;
  readonly relayId: string;
  readonly apiKey: string;
}

export interface OwnAccountOptions {
  /** The own relay, as far as it is needed here. Owning a name again with the same key gives the same agent. */
  readonly relay: {
    readonly id: string;
    own(input: { handle: string; apiKey: string }): Promise<{ handle: string; apiKey: string }>;
  };
  readonly config: Config;
  readonly secrets: SecretStore;
  /** For the first start: `name` or `name@relay`. */
  readonly handle: string;
  readonly random: RandomBytes;
}

/**
 * The account on the own relay; made at the first start. The key is stored before it is registered and the account is
 * noted last, so that a start which was cut short at any point is simply done again.
 *
 * Fails as the relay's `own` does (HANDLE_TAKEN), and with a StartError when the key of a known account is gone.
 */
export async function ownAccount(options: OwnAccountOptions): Promise<OwnAccount> {
  const { relay, config, secrets, random } = options;
  const known = config.account;
  // another relay.db than the account was made on knows nothing of it: that is a first start again
  if (known?.relayId === relay.id) {
    const apiKey = await secrets.get(keyName(relay.id, known.handle));
    if (apiKey !== undefined) {
      await ownAgain(relay, known.handle, apiKey);
      return { ...known, apiKey };
    }
    throw new StartError(
      `The key of ${known.handle} is not in secrets.json any more. Restore that file from a backup, or remove ${config.file} and start with another AGENTRELAY_HANDLE.`,
    );
  }
  const name = keyName(relay.id, options.handle);
  const apiKey = (await secrets.get(name)) ?? createKey(random);
  await secrets.set(name, apiKey);
  const { handle } = await relay.own({ handle: options.handle, apiKey });
  const account = { handle, relayId: relay.id };
  await config.setAccount(account);
  return { ...account, apiKey };
}

/**
 * A relay of an older version has given the key less than it now has. Where the key was revoked, or the agent removed, the
 * app starts all the same: the desk says so, and has other accounts.
 */
async function ownAgain(relay: OwnAccountOptions['relay'], handle: string, apiKey: string): Promise<void> {
  try {
    await relay.own({ handle, apiKey });
  } catch (error) {
    if (!(error instanceof RelayError) || error.reason !== 'HANDLE_TAKEN') throw error;
  }
}

/**
 * The account that a start has made in a data folder, for another program of its user; undefined where there is none, or its
 * key is gone. Fails with a StartError when the files cannot be read.
 */
export async function storedAccount(home: string): Promise<OwnAccount | undefined> {
  const account = await readConfiguredAccount(join(home, 'config.json'));
  if (account === undefined) return undefined;
  const apiKey = await fileSecretStore(join(home, 'secrets.json')).get(keyName(account.relayId, account.handle));
  return apiKey === undefined ? undefined : { ...account, apiKey };
}

/**
 * The account on the own relay, as the desk has it: what the relay is called here is decided once.
 * @param relay where it is, what it calls itself, and its id
 */
export async function ownCredentials(
  { handle, apiKey }: OwnAccount,
  relay: { readonly url: string; readonly name: string; readonly id: string },
  db: Database,
  secrets: SecretStore,
): Promise<Credentials> {
  const { alias } = createAccountStore(db).setOwnRelay(relay);
  const nextKey = await accountKeys(secrets, relay.id, handle).next();
  const { id: relayId, name: relayName, url } = relay;
  const local = formatHandle(parseHandle(handle)?.name ?? handle, alias);
  return { handle: local, alias, relayName, relay: url, relayId, isOwn: true, apiKey, ...(nextKey && { nextKey }) };
}
