import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createKeyEnds } from '../../../relay/identity/key-ends.ts';

/** What was called, in order. */
function log() {
  const calls: string[] = [];
  return { calls, note: (name: string) => () => void calls.push(name) };
}

describe('what is open with a key', () => {
  test('hears of its end, once, and nothing of another key’s', () => {
    const ends = createKeyEnds(() => 0);
    const { calls, note } = log();
    ends.on(1, note('stream'));
    ends.on(1, note('call'));
    ends.on(2, note('other'));
    ends.note(1);
    ends.note(1);
    expect(calls).toEqual(['stream', 'call']);
  });

  test('hears of it at once when it comes too late', () => {
    const ends = createKeyEnds(() => 0);
    const { calls, note } = log();
    expect(ends.has(1)).toBe(false);
    ends.note(1);
    expect([ends.has(1), ends.has(2)]).toEqual([true, false]);
    ends.on(1, note('late'))();
    expect(calls).toEqual(['late']);
  });

  test('hears nothing when it has ended before', () => {
    const ends = createKeyEnds(() => 0);
    const { calls, note } = log();
    const forget = ends.on(1, note('ended'));
    ends.on(1, note('open'));
    forget();
    forget();
    ends.note(1);
    expect(calls).toEqual(['open']);
  });

  test('may end others while it is told', () => {
    const ends = createKeyEnds(() => 0);
    const { calls, note } = log();
    const forgets: (() => void)[] = [];
    ends.on(1, () => forgets.forEach((forget) => forget()));
    forgets.push(ends.on(1, note('ended by the first')));
    ends.note(1);
    expect(calls).toEqual([]);
  });
});

describe('a key that ends at a certain time', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: 1_000 }));
  afterEach(() => void vi.useRealTimers());

  function open(clock: () => number = Date.now) {
    const ends = createKeyEnds(clock);
    const { calls, note } = log();
    ends.on(1, note('ended'));
    return { ends, calls };
  }

  test('is good to its last millisecond, and tells of its end by itself', () => {
    const { ends, calls } = open();
    ends.noteAt(1, 2_000);
    vi.advanceTimersByTime(999);
    expect([ends.has(1), calls]).toEqual([false, []]);
    vi.advanceTimersByTime(1);
    expect([ends.has(1), calls]).toEqual([true, ['ended']]);
    vi.advanceTimersByTime(86_400_000);
    expect(calls).toEqual(['ended']);
  });

  test('has ended at once when that time is over', () => {
    const { ends, calls } = open();
    ends.noteAt(1, 1_000);
    expect([ends.has(1), calls]).toEqual([true, ['ended']]);
  });

  test('ends at the time that was said last, and once however often it is said', () => {
    const { ends, calls } = open();
    for (const at of [2_000, 2_000, 3_000]) ends.noteAt(1, at);
    vi.advanceTimersByTime(1_500);
    expect(ends.has(1)).toBe(false);
    vi.advanceTimersByTime(500);
    expect(calls).toEqual(['ended']);
    ends.noteAt(1, 9_000);
    expect(ends.has(1)).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('ends days ahead as well', () => {
    const { ends, calls } = open();
    ends.noteAt(1, 1_000 + 40 * 86_400_000);
    vi.advanceTimersByTime(40 * 86_400_000 - 1);
    expect(calls).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(calls).toEqual(['ended']);
  });

  test('is not trusted to a timer alone: after a clock was set forward it has ended, and half a minute later it tells', () => {
    let ahead = 0;
    const { ends, calls } = open(() => Date.now() + ahead);
    ends.noteAt(1, 3_600_000);
    ahead = 3_600_000;
    expect(ends.has(1)).toBe(true);
    vi.advanceTimersByTime(30_000);
    expect(calls).toEqual(['ended']);
  });

  test('that is revoked before leaves no timer, and neither does a relay that stops', () => {
    const { ends, calls } = open();
    ends.noteAt(1, 2_000);
    ends.noteAt(2, 2_000);
    ends.note(1);
    expect(vi.getTimerCount()).toBe(1);
    ends.close();
    expect(vi.getTimerCount()).toBe(0);
    expect(calls).toEqual(['ended']);
  });
});
