import { retryDelay } from '../../../relay/contract/back-off.ts';
import type { InboxContact } from '../../../relay/contract/contact.ts';
import type { Account, InboxItem } from '../../../relay/contract/desk-api.ts';
import type { HandoffView } from '../../../relay/contract/handoff.ts';
import { pause } from '../../pause.ts';
import { describeAccount, nextAccountState, type AccountChange, type AccountState } from './account-state.ts';
import { createCatchUp, type Change } from '../catch-up.ts';
import { followInbox, type FollowOptions } from '../follow-inbox.ts';
import type { Credentials, Logger } from '../options.ts';
import { createNames, type Names } from './names.ts';
import { createPeers, type Peers, type PeersOptions } from './peers.ts';
import { createPicture, type Picture } from '../picture.ts';
import { createRelayClient, type RelayClient } from '../relay-client.ts';
import { createRelayProof } from './relay-proof.ts';
import { sleptBetween, type Timing } from '../timing.ts';
import { troubleOf, type Trouble } from '../trouble.ts';

export interface AccountOptions extends Credentials {
  readonly deskId: string;
  readonly timing: Timing;
  readonly logger: Logger;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** In [0, 1). */
  readonly random: () => number;
  readonly randomBytes: (size: number) => Uint8Array;
  /** The picture is complete, and the stream keeps it so. */
  readonly onCaughtUp: () => void;
  /** What there is now between the account and a peer. */
  readonly onContact: (contact: InboxContact) => void;
  /** The key that was being changed when the app stopped is the one that counts. Resolves when it is stored as such. */
  readonly onKeyTaken: (apiKey: string) => Promise<void>;
  /** Makes rows of the account's handoffs, by the rules as they are when it is called. */
  readonly rows: () => (view: HandoffView) => InboxItem;
  readonly onState: (account: Account) => void;
  readonly onPeer: PeersOptions['onChange'];
  readonly onReload: () => void;
  readonly onChange: (change: Change) => void;
}

/** An account at work: it follows its inbox, come what may, and is asked through its client. */
export interface LiveAccount {
  readonly handle: string;
  readonly relayId: string;
  /** Handles of its relay, as they are called here. */
  readonly names: Names;
  readonly client: RelayClient;
  readonly picture: Picture;
  /** Makes rows of its handoffs, by the rules as they are when it is called. */
  readonly rows: AccountOptions['rows'];
  readonly peers: Omit<Peers, 'hear' | 'forget' | 'met'>;
  /** Resolves when the relay has said whether a peer is there, or there is no hearing of it for now. */
  meet(peer: string): Promise<void>;
  describe(): Account;
  /** Resolves when the first attempt to connect has succeeded or failed. */
  readonly settled: Promise<void>;
  /** Connects anew at once: the machine woke up, the key may be good again, or somebody does not want to wait. */
  readonly wake: () => void;
  /** From now on it asks with another key, which is of the same agent. */
  useKey(apiKey: string): void;
  /** A key that may have taken the place of this one: it is tried when this one is refused. */
  offerKey(apiKey: string): void;
  /** A request was refused with this key. The stream is opened anew and shows whether the key is gone. */
  doubt(): void;
  /** Ends the stream and all requests. Idempotent. */
  close(): Promise<void>;
}

export function startAccount(options: AccountOptions): LiveAccount {
  const { handle, relay, relayId, timing, logger, clock } = options;
  const names = createNames(options.alias, options.relayName);
  const picture = createPicture(options.rows);
  const catchUp = createCatchUp(picture);
  const closing = new AbortController();
  let { apiKey, nextKey } = options;
  /** Whether the key in use is one of which nobody knows yet that it counts. */
  let isTrial = false;
  const proof = options.isOwn
    ? undefined
    : createRelayProof({ ...options, timeoutMs: timing.requestMs, signal: closing.signal });
  const client = createRelayClient({
    relay: async () => {
      await proof?.ensure();
      return relay;
    },
    apiKey: () => apiKey,
    names,
    logger,
    timeoutMs: timing.requestMs,
    signal: closing.signal,
  });
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

  const follow: Omit<FollowOptions, 'apiKey'> = {
    ...options,
    client,
    catchUp: { ...catchUp, take: (id, frame) => catchUp.take(id, names.localFrame(frame)) },
    onCaughtUp() {
      failures = 0;
      keyWorks();
      change({ type: 'caught_up', at: clock() });
      settled.resolve();
      options.onCaughtUp();
    },
    onPresence: ({ handle: peer, online }) => peers.hear({ handle: names.local(peer), online }),
    onContact: (contact) => options.onContact({ ...contact, handle: names.local(contact.handle) }),
  };

  /** Follows the inbox until that ends. Somebody who is not the relay is not shown the key. */
  async function followOnce(signal: AbortSignal): Promise<Trouble | undefined> {
    // what was shown on the connection before says nothing of who is at the end of this one
    proof?.forget();
    try {
      await proof?.ensure();
    } catch (error) {
      return signal.aborted ? undefined : troubleOf(error);
    }
    const trouble = await followInbox({ ...follow, apiKey }, signal);
    proof?.forget();
    return trouble;
  }

  /** Where a key was being changed and nobody knows how far that got, either of the two may be the one that counts. */
  function tryOtherKey(): boolean {
    if (nextKey === undefined) return false;
    [apiKey, nextKey] = [nextKey, apiKey];
    isTrial = !isTrial;
    // both were refused: the first one is in use again, until somebody does something about it
    return isTrial;
  }

  /** The relay has taken the key that was tried: it is the one that counts. */
  function keyWorks(): void {
    if (!isTrial) return;
    isTrial = false;
    nextKey = undefined;
    options.onKeyTaken(apiKey).catch((error: unknown) => {
      logger.error({ err: error }, 'the key that counts could not be stored');
    });
  }

  async function keepFollowing(): Promise<void> {
    while (!closing.signal.aborted) {
      nudge = new AbortController();
      peers.forget();
      const trouble = await followOnce(nudge.signal);
      if (trouble === undefined) {
        failures = 0;
        continue;
      }
      if (trouble.kind === 'revoked' && tryOtherKey()) continue;
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
    proof?.forget();
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
    relayId,
    names,
    rows: options.rows,
    client,
    picture,
    peers,
    describe,
    async meet(peer) {
      if (state.state === 'connected') await peers.met(peer, timing.presenceMs);
    },
    settled: settled.promise,
    wake,
    useKey(key) {
      apiKey = key;
      nextKey = undefined;
      isTrial = false;
      wake();
    },
    offerKey(key) {
      nextKey = key;
    },
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
