import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createPeers, type Peers } from '../../../main/desk/accounts/peers.ts';

/** The peers of alice@acme, and what was told of them: `-frank@acme` left, `+frank@acme` is no longer known to be gone. */
function bench(): { readonly peers: Peers; readonly told: string[]; at: number } {
  const told: string[] = [];
  const state = { at: 1_000 };
  const peers = createPeers({
    account: 'alice@acme',
    clock: () => state.at,
    onChange: ({ peer }, isOffline) => told.push(`${isOffline ? '-' : '+'}${peer}`),
  });
  return Object.assign(state, { peers, told });
}

describe('a peer', () => {
  it('that was away before anybody looked is away since nobody knows when', () => {
    const { peers, told } = bench();
    peers.hear({ handle: 'frank@acme', online: false });
    expect(peers.offline()).toEqual([{ account: 'alice@acme', peer: 'frank@acme' }]);
    expect(peers.isOffline('frank@acme')).toBe(true);
    expect(told).toEqual(['-frank@acme']);
  });

  it('that is seen to leave is away since then, however often that is said', () => {
    const seen = bench();
    seen.peers.hear({ handle: 'frank@acme', online: true });
    expect(seen.told).toEqual([]);
    seen.at = 5_000;
    seen.peers.hear({ handle: 'frank@acme', online: false });
    seen.at = 9_000;
    seen.peers.hear({ handle: 'frank@acme', online: false });
    expect(seen.peers.offline()).toEqual([{ account: 'alice@acme', peer: 'frank@acme', since: 5_000 }]);
    expect(seen.told).toEqual(['-frank@acme']);
  });

  it('that comes back is there', () => {
    const { peers, told } = bench();
    peers.hear({ handle: 'frank@acme', online: false });
    peers.hear({ handle: 'frank@acme', online: true });
    expect(peers.isOffline('frank@acme')).toBe(false);
    expect(peers.offline()).toEqual([]);
    expect(told).toEqual(['-frank@acme', '+frank@acme']);
  });

  it('is not known to be away once the connection that said so is gone', () => {
    const { peers, told } = bench();
    peers.hear({ handle: 'frank@acme', online: true });
    peers.hear({ handle: 'mia@acme', online: false });
    peers.forget();
    expect(told).toEqual(['-mia@acme', '+mia@acme']);
    // nor since when: it may have come and gone meanwhile
    peers.hear({ handle: 'frank@acme', online: false });
    expect(peers.offline()).toEqual([{ account: 'alice@acme', peer: 'frank@acme' }]);
  });
});

describe('waiting to hear of a peer', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());
  const PATIENCE_MS = 1_000;

  /** Whether a promise has resolved by now. */
  async function isOver(promise: Promise<void>): Promise<boolean> {
    let over = false;
    void promise.then(() => (over = true));
    await vi.advanceTimersByTimeAsync(0);
    return over;
  }

  it('ends at once where it was heard of already', async () => {
    for (const online of [true, false]) {
      const { peers } = bench();
      peers.hear({ handle: 'frank@acme', online });
      expect(await isOver(peers.met('frank@acme', PATIENCE_MS))).toBe(true);
      expect(vi.getTimerCount()).toBe(0);
    }
  });

  it('ends when it is heard of, for all who wait, and not when another one is', async () => {
    const { peers } = bench();
    const waits = [peers.met('frank@acme', PATIENCE_MS), peers.met('frank@acme', PATIENCE_MS)];
    peers.hear({ handle: 'mia@acme', online: true });
    expect(await Promise.all(waits.map(isOver))).toEqual([false, false]);
    peers.hear({ handle: 'frank@acme', online: false });
    expect(await Promise.all(waits.map(isOver))).toEqual([true, true]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('ends when there is nobody to hear it from', async () => {
    const { peers } = bench();
    const wait = peers.met('frank@acme', PATIENCE_MS);
    peers.forget();
    expect(await isOver(wait)).toBe(true);
  });

  it('ends when it takes too long', async () => {
    const { peers } = bench();
    const wait = peers.met('frank@acme', PATIENCE_MS);
    await vi.advanceTimersByTimeAsync(PATIENCE_MS - 1);
    expect(await isOver(wait)).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await isOver(wait)).toBe(true);
  });
});
