import { parseHandle } from '../../../relay/contract/handle.ts';
import { invalidParams } from '../../../relay/contract/reasons.ts';
import { fullHandle } from '../handles.ts';
import type { LiveAccount } from './account.ts';

/** The accounts of a desk, and which of them acts. */
export interface Accounts {
  /** The one on the own relay, which acts where nobody says otherwise. */
  readonly own: LiveAccount;
  /** In the order in which they came; the own one is the first. */
  all(): readonly LiveAccount[];
  add(account: LiveAccount): void;
  /** The account that is named; the own one where none is. INVALID_PARAMS when it is none of ours. */
  acting(as: string | undefined): LiveAccount;
  /** Of a handle of a peer: the account that is named, else the first on the peer's relay, else the own one. */
  toward(peer: string, as: string | undefined): LiveAccount;
  /** Of a handoff: the account that is named, else the one that knows it, else the own one. INVALID_PARAMS for two. */
  with(taskId: string, as: string | undefined): LiveAccount;
  /** The full form of a peer's handle; without a relay it is meant on the relay of the account that acts. */
  peer(handle: string, as: string | undefined): string;
}

export function createAccounts(own: LiveAccount): Accounts {
  const accounts = [own];

  function acting(as: string | undefined): LiveAccount {
    if (as === undefined) return own;
    const handle = fullHandle(as, own.names.alias);
    const account = accounts.find((one) => one.handle === handle);
    if (account !== undefined) return account;
    const ours = accounts.map((one) => one.handle).join(', ');
    throw invalidParams('as', `${as} is no account of this desk. It has: ${ours}.`);
  }

  function toward(peer: string, as: string | undefined): LiveAccount {
    const alias = parseHandle(peer)?.relay;
    const there = as === undefined ? accounts.find(({ names }) => names.alias === alias) : undefined;
    return there ?? acting(as);
  }

  return {
    own,
    all: () => accounts,
    add: (account) => void accounts.push(account),
    acting,
    toward,
    with(taskId, as) {
      if (as !== undefined) return acting(as);
      const [account, second] = accounts.filter(({ picture }) => picture.get(taskId) !== undefined);
      // a relay can give any id to a handoff, also one that another relay has given
      if (second !== undefined) {
        throw invalidParams('as', `say which account is meant: ${account?.handle} and ${second.handle} both have it.`);
      }
      return account ?? own;
    },
    peer: (handle, as) => fullHandle(handle, toward(handle, as).names.alias),
  };
}
