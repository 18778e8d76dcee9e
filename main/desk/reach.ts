import { RelayError } from '../../relay/contract/reasons.ts';
import type { LiveAccount } from './accounts/account.ts';
import { ConnectionError, describeTrouble } from './trouble.ts';

/** Asking a relay on behalf of a client: what the client gets when the relay is not there. */

/** Runs a read. RELAY_UNREACHABLE when the relay cannot be asked. */
export function reading<T>(account: LiveAccount, read: () => Promise<T>): Promise<T> {
  return reaching(account, read, (trouble) => {
    const message = `The relay of ${account.handle} cannot be reached (${trouble}). Try again when it is back.`;
    return new RelayError('RELAY_UNREACHABLE', message);
  });
}

/**
 * Runs a write that may be repeated: a lost connection, which leaves open whether it arrived, is answered by sending the
 * same again, once. RELAY_UNREACHABLE when that is lost, too.
 * @param key the idempotency key under which it is done once; left out where it says the same however often it is said
 */
export function writing<T>(account: LiveAccount, write: () => Promise<T>, key?: string): Promise<T> {
  const twice = (): Promise<T> =>
    write().catch((error: unknown) => {
      if (error instanceof ConnectionError) return write();
      throw error;
    });
  return reaching(account, twice, (trouble) => {
    const under = key === undefined ? '' : ` with the idempotency_key ${key}, under which it happens once`;
    const message =
      `The relay of ${account.handle} cannot be reached (${trouble}), so this may not have arrived. ` +
      `Nothing is lost: when the relay is back, send it again${under}.`;
    return new RelayError(
      'RELAY_UNREACHABLE',
      message,
      key === undefined ? {} : { metadata: { idempotency_key: key } },
    );
  });
}

async function reaching<T>(
  account: LiveAccount,
  ask: () => Promise<T>,
  unreachable: (trouble: string) => RelayError,
): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof ConnectionError) throw unreachable(describeTrouble(error.trouble));
    // whether the key is really gone, the account finds out for itself
    if (error instanceof RelayError && error.reason === 'UNAUTHENTICATED') account.doubt();
    throw error;
  }
}
