import type { Authenticator, Principal } from './authenticate.ts';
import type { Registry } from './registry.ts';
import { OWNER_SCOPES } from './scopes.ts';

/** No key has this number: keys count from 1. */
const NO_KEY = 0;

/** The name of whoever shows no key. */
export const GUEST = 'guest';

/**
 * For compatibility kits, which know nothing of keys: a request without one speaks for an agent `guest`, which is made
 * where it is not there. With a key it speaks for its owner, as always.
 */
export async function admitGuest(
  authenticator: Authenticator,
  registry: Pick<Registry, 'resolve' | 'register'>,
): Promise<Authenticator> {
  const known = await registry.resolve(GUEST);
  const agent = known ?? (await registry.register({ handle: GUEST, kind: 'a2a', listed: false })).agent;
  const guest: Principal = { agent, keyId: NO_KEY, scopes: OWNER_SCOPES };
  return {
    ...authenticator,
    authenticate: async (header) => (header === undefined ? guest : authenticator.authenticate(header)),
  };
}
