import { parseHandle } from '../../../relay/contract/handle.ts';
import type { SecretStore } from '../../secrets.ts';

/** Keys of accounts among the secrets: the one that is in use, and, while it is being changed, the one that will be. */
export interface AccountKeys {
  get(): Promise<string | undefined>;
  /** A key that was being changed to when the app stopped. */
  next(): Promise<string | undefined>;
  /** Before it is told to the relay, so that nothing is lost whoever stops in between. */
  setNext(apiKey: string): Promise<void>;
  /** It is the one that counts. */
  set(apiKey: string): Promise<void>;
}

/** @param handle `name`, or `name@` whatever the relay is called */
export function accountKeys(secrets: SecretStore, relayId: string, handle: string): AccountKeys {
  const name = keyName(relayId, handle);
  const next = `${name} next`;
  return {
    get: () => secrets.get(name),
    next: () => secrets.get(next),
    setNext: (apiKey) => secrets.set(next, apiKey),
    async set(apiKey) {
      await secrets.set(name, apiKey);
      await secrets.remove(next);
    },
  };
}

/** The same for `name` and `name@relay`, and for another relay with the same name another one. */
export function keyName(relayId: string, handle: string): string {
  return `${relayId}/${parseHandle(handle)?.name ?? handle}`;
}
