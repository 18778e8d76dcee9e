import { describe, expect, test } from 'vitest';
import { createRemovals } from '../../../relay/identity/removals.ts';

/** What was called, in order. */
function log() {
  const calls: string[] = [];
  return { calls, note: (name: string) => () => void calls.push(name) };
}

describe('what an agent has open', () => {
  test('hears of its removal, once, and nothing of another agent’s', () => {
    const removals = createRemovals();
    const { calls, note } = log();
    removals.on(1, note('stream'));
    removals.on(1, note('call'));
    removals.on(2, note('other'));
    removals.note(1);
    removals.note(1);
    expect(calls).toEqual(['stream', 'call']);
  });

  test('hears of it at once when it comes too late', () => {
    const removals = createRemovals();
    const { calls, note } = log();
    expect(removals.has(1)).toBe(false);
    removals.note(1);
    expect([removals.has(1), removals.has(2)]).toEqual([true, false]);
    removals.on(1, note('late'))();
    expect(calls).toEqual(['late']);
  });

  test('hears nothing when it has ended before', () => {
    const removals = createRemovals();
    const { calls, note } = log();
    const forget = removals.on(1, note('ended'));
    removals.on(1, note('open'));
    forget();
    forget();
    removals.note(1);
    expect(calls).toEqual(['open']);
  });

  test('may end others while it is told', () => {
    const removals = createRemovals();
    const { calls, note } = log();
    const forgets: (() => void)[] = [];
    removals.on(1, () => forgets.forEach((forget) => forget()));
    forgets.push(removals.on(1, note('ended by the first')));
    removals.note(1);
    expect(calls).toEqual([]);
  });

  test('stays open once the agent is restored', () => {
    const removals = createRemovals();
    const { calls, note } = log();
    removals.note(1);
    removals.forget(1);
    removals.on(1, note('again'));
    expect(calls).toEqual([]);
    removals.note(1);
    expect(calls).toEqual(['again']);
  });
});
