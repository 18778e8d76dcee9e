import { describe, expect, test } from 'vitest';
import { createPresence } from '../../../relay/hub/presence.ts';

const ALICE = 1;
const FRANK = 2;

function observed() {
  const presence = createPresence();
  const changes: string[] = [];
  const stop = presence.onChange((agent, isConnected) => changes.push(`${agent} ${isConnected ? 'on' : 'off'}`));
  return { presence, changes, stop };
}

describe('presence', () => {
  test('begins with nobody', () => {
    expect(observed().presence.isConnected(ALICE)).toBe(false);
  });

  test('lasts from the first connection to the last, and is told twice', () => {
    const { presence, changes } = observed();
    const leaveFirst = presence.enter(ALICE);
    const leaveSecond = presence.enter(ALICE);
    leaveFirst();
    expect(presence.isConnected(ALICE)).toBe(true);
    leaveSecond();
    expect(presence.isConnected(ALICE)).toBe(false);
    expect(changes).toEqual(['1 on', '1 off']);
  });

  test('is not shortened by a connection that closes twice', () => {
    const { presence, changes } = observed();
    const leave = presence.enter(ALICE);
    presence.enter(ALICE);
    leave();
    leave();
    expect(presence.isConnected(ALICE)).toBe(true);
    expect(changes).toEqual(['1 on']);
  });

  test('of one agent says nothing of another', () => {
    const { presence } = observed();
    presence.enter(ALICE);
    expect(presence.isConnected(FRANK)).toBe(false);
  });

  test('begins anew after it has ended', () => {
    const { presence, changes } = observed();
    presence.enter(ALICE)();
    presence.enter(ALICE)();
    expect(changes).toEqual(['1 on', '1 off', '1 on', '1 off']);
  });

  test('is true already, or no longer, when its change is told', () => {
    const presence = createPresence();
    const seen: boolean[] = [];
    presence.onChange((agent) => seen.push(presence.isConnected(agent)));
    presence.enter(ALICE)();
    expect(seen).toEqual([true, false]);
  });

  test('is told to nobody who has unsubscribed', () => {
    const { presence, changes, stop } = observed();
    stop();
    presence.enter(ALICE);
    expect(changes).toEqual([]);
  });
});
