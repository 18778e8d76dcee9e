import { retryDelay } from '../../relay/contract/back-off.ts';
import type { Account } from '../../relay/contract/desk-api.ts';
import { pause } from '../pause.ts';
import { describeAccount, nextAccountState, type AccountChange, type AccountState } from './account-state.ts';
import { createCatchUp, type Change } from './catch-up.ts';
import { followInbox, type FollowOptions } from './follow-inbox.ts';
import type { Credentials, Logger } from './options.ts';
import { createPeers, type Peers, type PeersOptions } from './peers.ts';
import { createPicture, type Picture } from './picture.ts';
import { createRelayClient, type RelayClient } from './relay-client.ts';
import { sleptBetween, type Timing } from './timing.ts';

export interface AccountOptions extends Credentials {
  readonly deskId: string;
  readonly timing: Timing;
  readonly logger: Logger;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** In [0, 1). */
  readonly random: () => number;
  readonly onState: (account: Account) => void;
  readonly onPeer: PeersOptions['onChange'];
  readonly onReload: () => void;
  readonly onChange: (change: Change) => void;
}

/** An account at work: it follows its inbox, come what may, and is asked through its client. */
export interface LiveAccount {
  readonly handle: string;
  readonly client: RelayClient;
  readonly picture: Picture;
  readonly peers: Omit<Peers, 'hear' | 'forget' | 'met'>;
  /** Resolves when the relay has said whether a peer is there, or there is no hearing of it for now. */
  meet(peer: string): Promise<void>;
  describe(): Account;
  /** Resolves when the first attempt to connect has succeeded or failed. */
  readonly settled: Promise<void>;
  /** Connects anew at once: the machine woke up, the key may be good again, or somebody does not want to wait. */
  readonly wake: () => void;
  /** A request was refused with this key. The stream is opened anew and shows whether the key is gone. */
  doubt(): void;
  /** Ends the stream and all requests. Idempotent. */
  close(): Promise<void>;
}

export function startAccount(options: AccountOptions): LiveAccount {
  const { handle, relay, apiKey, timing, logger, clock } = options;
  const picture = createPicture(handle);
  const catchUp = createCatchUp(picture);
  const closing = new AbortController();
  const client = createRelayClient({ relay, apiKey, logger, timeoutMs: timing.requestMs, signal: closing.signal });
  const settled = Promise.withResolvers<void>();
  const peers = createPeers({ account: handle, clock, onChange: options.onPeer });

  let state: AccountState = { state: 'connecting', since: clock() };
  let nudge = new AbortController();
  let failures = 0;

  function describe(): Account {
    return describeAccount(handle, relay, state);
  }

  function change(what: AccountChange): void {
    const next = nextAccountState(state, what);
    if (next === state) return;
    state = next;
    logger.info({ account: describe() }, 'the connection of an account changed');
    options.onState(describe());
  }

  const follow: FollowOptions = {
    ...options,
    client,
    catchUp,
    onCaughtUp() {
      failures = 0;
      change({ type: 'caught_up', at: clock() });
      settled.resolve();
    },
    onPresence: peers.hear,
  };

  async function keepFollowing(): Promise<void> {
    while (!closing.signal.aborted) {
      nudge = new AbortController();
      peers.forget();
      const trouble = await followInbox(follow, nudge.signal);
      if (trouble === undefined) {
        failures = 0;
        continue;
      }
      change({ type: 'failed', trouble, at: clock() });
      settled.resolve();
      // a key that was refused stays refused until somebody does something about it
      const delay = trouble.kind === 'revoked' ? undefined : retryDelay(failures, options.random(), timing);
      failures += 1;
      await pause(delay, nudge.signal);
    }
  }

  function wake(): void {
    change({ type: 'restarted', at: clock() });
    nudge.abort();
  }

  let looked = clock();
  const watch = setInterval(() => {
    const before = looked;
    looked = clock();
    // sockets that a sleeping machine left behind look open and are dead
    if (sleptBetween(before, looked, timing)) wake();
  }, timing.tickMs);
  const following = keepFollowing();

  return {
    handle,
    client,
    picture,
    peers,
    describe,
    async meet(peer) {
      if (state.state === 'connected') await peers.met(peer, timing.presenceMs);
    },
    settled: settled.promise,
    wake,
    doubt() {
      if (state.state !== 'key_revoked') wake();
    },
    async close() {
      clearInterval(watch);
      closing.abort();
      nudge.abort();
      await following;
      peers.forget();
    },
  };
}
