import type { Account } from '../../../relay/contract/desk-api.ts';
import { assertNever } from '../../../relay/contract/assert-never.ts';
import { describeTrouble, type Trouble } from '../trouble.ts';

/** Where an account stands with its relay. `since` is milliseconds since the epoch. */
export type AccountState =
  | { readonly state: 'connecting' | 'connected' | 'key_revoked'; readonly since: number }
  | { readonly state: 'offline'; readonly since: number; readonly trouble: Trouble };

/** What happened to it, and when. */
export type AccountChange =
  /** It tries anew, because it was told to or the machine woke up. */
  | { readonly type: 'restarted'; readonly at: number }
  /** The stream is open and the picture complete. */
  | { readonly type: 'caught_up'; readonly at: number }
  | { readonly type: 'failed'; readonly at: number; readonly trouble: Trouble };

/**
 * The next state; the same object when nothing changed. An account stays offline, since the same moment, until it is
 * really back: attempts in between are not worth a flicker.
 */
export function nextAccountState(now: AccountState, change: AccountChange): AccountState {
  const since = change.at;
  switch (change.type) {
    case 'restarted':
      return now.state === 'connecting' ? now : { state: 'connecting', since };
    case 'caught_up':
      return now.state === 'connected' ? now : { state: 'connected', since };
    case 'failed':
      return change.trouble.kind === 'revoked' ? revoked(now, since) : offline(now, since, change.trouble);
    default:
      return assertNever(change);
  }
}

function revoked(now: AccountState, since: number): AccountState {
  return now.state === 'key_revoked' ? now : { state: 'key_revoked', since };
}

function offline(now: AccountState, since: number, trouble: Trouble): AccountState {
  if (now.state !== 'offline') return { state: 'offline', since, trouble };
  const isSame = describeTrouble(now.trouble) === describeTrouble(trouble);
  return isSame ? now : { state: 'offline', since: now.since, trouble };
}

/** The account as clients see it. */
export function describeAccount(handle: string, relay: string, now: AccountState): Account {
  const { state, since } = now;
  switch (state) {
    case 'connecting':
    case 'connected':
      return { handle, relay, state, since };
    case 'key_revoked':
      return { handle, relay, state, since, detail: 'the relay does not accept the key of this account any more' };
    case 'offline':
      return { handle, relay, state, since, detail: describeTrouble(now.trouble) };
    default:
      return assertNever(state);
  }
}
