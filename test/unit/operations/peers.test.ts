import { describe, expect, test } from 'vitest';
import { createPresence } from '../../../relay/hub/presence.ts';
import { createPeers } from '../../../relay/operations/peers.ts';

const ALICE = 1;
const FRANK = 2;

function setUp() {
  const presence = createPresence();
  const peers = createPeers(presence);
  const leaving = new AbortController();
  return { presence, peers, leaving, changes: peers.changes(leaving.signal) };
}

describe('a peer', () => {
  test('is told of when it is met, and not again', () => {
    const { presence, peers } = setUp();
    presence.enter(ALICE);
    expect(peers.meet(ALICE)).toEqual({ peer: ALICE, online: true });
    expect(peers.meet(ALICE)).toBeUndefined();
    expect(peers.meet(FRANK)).toEqual({ peer: FRANK, online: false });
  });

  test('is told of whenever it comes or goes', async () => {
    const { presence, peers, changes } = setUp();
    peers.meet(ALICE);
    const first = changes.next();
    const leave = presence.enter(ALICE);
    expect((await first).value).toEqual({ peer: ALICE, online: true });
    leave();
    expect((await changes.next()).value).toEqual({ peer: ALICE, online: false });
  });

  test('that came before anybody listened is told of as well', async () => {
    const { presence, peers, changes } = setUp();
    peers.meet(ALICE);
    presence.enter(ALICE);
    expect((await changes.next()).value).toEqual({ peer: ALICE, online: true });
  });

  test('that left and came back before it was told did nothing', async () => {
    const { presence, peers, changes } = setUp();
    const leave = presence.enter(ALICE);
    peers.meet(ALICE);
    peers.meet(FRANK);
    const next = changes.next();
    leave();
    presence.enter(ALICE);
    presence.enter(FRANK);
    expect((await next).value).toEqual({ peer: FRANK, online: true });
  });

  test('that was never met is nobody’s business', async () => {
    const { presence, peers, changes, leaving } = setUp();
    peers.meet(ALICE);
    const next = changes.next();
    presence.enter(FRANK);
    leaving.abort();
    expect(await next).toEqual({ done: true, value: undefined });
  });
});

describe('a reader that leaves', () => {
  test('ends the changes, and is told of nothing more', async () => {
    const { presence, peers, changes, leaving } = setUp();
    peers.meet(ALICE);
    const next = changes.next();
    leaving.abort();
    presence.enter(ALICE);
    expect((await next).done).toBe(true);
    expect((await changes.next()).done).toBe(true);
  });

  test('before it began ends them at once', async () => {
    const { changes, leaving } = setUp();
    leaving.abort();
    expect((await changes.next()).done).toBe(true);
  });
});
