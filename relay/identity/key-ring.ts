import { assertNever } from '../contract/assert-never.ts';
import { invalidParams, RelayError } from '../contract/reasons.ts';
import type { KeyRecord, KeyRefusal, KeyStore } from '../store/key-ports.ts';
import type { Scopes } from '../store/ports.ts';
import type { Principal } from './authenticate.ts';
import { keyRevoked } from './bearer.ts';
import type { KeyEnds } from './key-ends.ts';
import { createKey, hashKey, keyTaken, ownKey, type Random } from './keys.ts';
import { requireAll } from './scopes.ts';

/** Keys that an agent may have at once, those that are about to end included. */
export const MOST_KEYS = 64;

/** The keys of an agent, as the agent itself deals with them. */
export interface KeyRing {
  /** Those that can be used, oldest first. */
  list(caller: Principal): Promise<readonly KeyRecord[]>;
  /** Makes a key that may do no more than the caller's own. Fails with SCOPE_REQUIRED, STATE_CHANGED, INVALID_PARAMS. */
  add(caller: Principal, scopes: Scopes): Promise<{ readonly id: number; readonly apiKey: string }>;
  /**
   * Gives the caller's key a successor with the same scopes; the key itself goes on for a while. The same once more is the
   * same answer, so long as it does. Fails with STATE_CHANGED for a key that has another successor, so that nobody who has
   * found an old key makes a new one of it; and with INVALID_PARAMS.
   */
  rotate(
    caller: Principal,
    request: { readonly apiKey?: string; readonly overlapMs: number },
  ): Promise<{ readonly apiKey: string; readonly oldEndsAt: number }>;
  /**
   * Revokes a key of the caller's agent, and ends what is open with it. ROUTE_NOT_FOUND where there is none, SCOPE_REQUIRED
   * for one that may do more than the caller's.
   */
  revoke(caller: Principal, id: string): Promise<void>;
}

export function createKeyRing(options: {
  readonly keys: KeyStore;
  readonly ends: Pick<KeyEnds, 'note' | 'noteAt'>;
  readonly random: Random;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}): KeyRing {
  const { keys, ends, random, clock } = options;
  return {
    list: ({ agent }) => keys.list(agent.id),
    async add(caller, scopes) {
      requireAll(caller.scopes, scopes);
      const apiKey = createKey(random);
      const added = await keys.add(caller.keyId, { hash: hashKey(apiKey), scopes }, MOST_KEYS);
      if (typeof added === 'string') throw refused(added);
      return { id: added.id, apiKey };
    },
    async rotate({ keyId }, { apiKey: given, overlapMs }) {
      const apiKey = ownKey(given, random);
      const rotated = await keys.rotate(keyId, hashKey(apiKey), clock() + overlapMs, MOST_KEYS);
      if (typeof rotated === 'string') throw refused(rotated);
      ends.noteAt(keyId, rotated.endsAt);
      return { apiKey, oldEndsAt: rotated.endsAt };
    },
    async revoke(caller, id) {
      const wanted = (await keys.list(caller.agent.id)).find((key) => String(key.id) === id);
      if (wanted === undefined) throw noSuchKey();
      requireAll(caller.scopes, wanted.scopes);
      if (!(await keys.revoke(caller.agent.id, wanted.id))) throw noSuchKey();
      ends.note(wanted.id);
    },
  };
}

function refused(refusal: KeyRefusal): RelayError {
  switch (refusal) {
    case 'gone':
      return keyRevoked();
    case 'rotated':
      return new RelayError(
        'STATE_CHANGED',
        'This key was rotated, and makes no more keys. Use the one that came of it.',
        {
          metadata: { cause: 'ROTATED' },
        },
      );
    case 'taken':
      return keyTaken();
    case 'full':
      return invalidParams('key', `would be one too many: an agent has at most ${MOST_KEYS}. Revoke one first.`);
    default:
      return assertNever(refusal);
  }
}

function noSuchKey(): RelayError {
  return new RelayError('ROUTE_NOT_FOUND', 'Your agent has no such key. GET /v1/keys lists those that it has.');
}
