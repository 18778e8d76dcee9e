import type { RelayError } from '../contract/reasons.ts';
import type { Agent, Directory, Scopes } from '../store/ports.ts';
import { keyRevoked, readBearer, unauthenticated } from './bearer.ts';
import { BoundedMap } from './bounded-map.ts';
import type { Remembers } from './change-agent.ts';
import type { KeyEnds } from './key-ends.ts';
import { hashKey, isKey } from './keys.ts';

/** Who a request speaks for. */
export interface Principal {
  readonly agent: Agent;
  readonly keyId: number;
  readonly scopes: Scopes;
}

export interface Authenticator extends Remembers {
  /**
   * Reads an `Authorization` header. Fails with UNAUTHENTICATED, whose `metadata.cause` is NO_HEADER, NOT_BEARER or
   * UNKNOWN_KEY and whose message says what to do; a key is never part of it.
   */
  readonly authenticate: (authorizationHeader: string | undefined) => Promise<Principal>;
  /**
   * Asks again, right before something is done for one who was let in a while ago: a body may take a minute to come.
   * Fails with UNAUTHENTICATED where the key has ended since.
   */
  readonly confirm: (principal: Principal) => void;
}

interface Entry {
  readonly principal: Principal;
  /** When the key's use was last noted, milliseconds since the epoch. */
  notedAt: number;
}

/** Keys that are remembered between requests: about 1 KB each. */
const CACHE_LIMIT = 10_000;
const NOTE_EVERY_MS = 60_000;
const ADVICE =
  'Send "Authorization: Bearer <api key>"; "agentrelay register <handle>" makes an agent and shows its key once.';

/**
 * Bearer authentication (RFC 6750). A known key costs one SHA-256 and one look-up in memory.
 *
 * Time tells an attacker nothing: what is compared, in memory and in the store's index, is the hash of what was sent,
 * and nobody can choose a text whose hash begins with given bytes and learn the next one. So no compare here has to
 * take constant time. Only known keys are remembered: a flood of invented ones pushes nobody out.
 */
export function createAuthenticator(options: {
  readonly directory: Pick<Directory, 'keyByHash' | 'touchKey'>;
  /** Told of a key that ends at a certain time, once it comes. */
  readonly ends: Pick<KeyEnds, 'has' | 'noteAt'>;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}): Authenticator {
  const { directory, ends, clock } = options;
  const known = new BoundedMap<string, Entry>(CACHE_LIMIT);
  let changes = 0;

  const lookUp = async (hash: Uint8Array, cacheKey: string): Promise<Entry> => {
    const before = changes;
    const key = await directory.keyByHash(hash);
    if (key === undefined) throw unknownKey();
    if (key.endsAt !== undefined) ends.noteAt(key.id, key.endsAt);
    const principal = { agent: key.agent, keyId: key.id, scopes: key.scopes };
    const entry = { principal, notedAt: Number.NEGATIVE_INFINITY };
    // an agent that changed while we read it must not come back through the cache
    if (changes === before) known.set(cacheKey, entry);
    return entry;
  };

  const noteUse = (entry: Entry): void => {
    const now = clock();
    if (now - entry.notedAt < NOTE_EVERY_MS) return;
    entry.notedAt = now;
    // For information only, so nobody waits for it and a full disk locks nobody out; the next minute tries again.
    directory.touchKey(entry.principal.keyId, now).catch(() => undefined);
  };

  return {
    authenticate: async (authorizationHeader) => {
      const hash = hashKey(readKey(authorizationHeader));
      const cacheKey = Buffer.from(hash.buffer, hash.byteOffset, hash.byteLength).toString('latin1');
      const entry = known.get(cacheKey) ?? (await lookUp(hash, cacheKey));
      if (ends.has(entry.principal.keyId)) throw unknownKey();
      noteUse(entry);
      return entry.principal;
    },
    confirm: ({ keyId }) => {
      if (ends.has(keyId)) throw keyRevoked();
    },
    refresh: ({ id }) => {
      changes++;
      known.deleteWhere(({ principal }) => principal.agent.id === id);
    },
  };
}

/** The key in the header, well formed. */
function readKey(header: string | undefined): string {
  const key = readBearer(header, ADVICE);
  if (!isKey(key)) throw unknownKey();
  return key;
}

function unknownKey(): RelayError {
  return unauthenticated('UNKNOWN_KEY', `The API key is unknown, was revoked, or has ended. ${ADVICE}`);
}
