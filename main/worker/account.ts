import { RelayError, invalidParams } from '../../relay/contract/reasons.ts';
import { storedAccount } from '../account.ts';
import { fullHandle, relayName } from '../desk/handles.ts';
import { ConnectionError } from '../desk/trouble.ts';
import { readPublished } from '../running-app.ts';

/** For whom a worker works, and where. */
export interface WorkerAccount {
  readonly apiKey: string;
  /** The relay's base URL. Fails with a ConnectionError while no app runs on the data folder. */
  readonly relay: () => Promise<string>;
}

export interface WorkerAccountOptions {
  /** The data folder of an app. */
  readonly home: string;
  /** The handle; left out, that of the app's own account, or whose the key is. */
  readonly as: string | undefined;
  /** The relay's base URL; left out, it is where the app's relay is, wherever that is after its next start. */
  readonly relayUrl: string | undefined;
  /** What was given as a key; left out, it is that of the app's own account. */
  readonly key: string | undefined;
}

/** Fails with INVALID_PARAMS for a handle that the app has no account of, and with UNAUTHENTICATED where it has none at all. */
export async function workerAccount({ home, as, relayUrl, key }: WorkerAccountOptions): Promise<WorkerAccount> {
  const relay = relayUrl === undefined ? () => publishedRelay(home) : () => Promise.resolve(relayUrl);
  return { apiKey: key ?? (await ownKey(home, as)), relay };
}

async function ownKey(home: string, as: string | undefined): Promise<string> {
  const account = await storedAccount(home);
  if (account === undefined) {
    throw new RelayError('UNAUTHENTICATED', `There is no account in ${home}. Name the file of a key with --key-file.`);
  }
  const { handle, apiKey } = account;
  if (as === undefined || fullHandle(as, relayName(handle)) === handle) return apiKey;
  throw invalidParams(
    'as',
    `${as} is no account of this desk, which has ${handle}. Name the file of its key with --key-file.`,
  );
}

/** An app that was started anew may have taken another port. */
async function publishedRelay(home: string): Promise<string> {
  const published = await readPublished(home);
  if (typeof published === 'string') throw new ConnectionError({ kind: 'refused' });
  return published.relay.url;
}
