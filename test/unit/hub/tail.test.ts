import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createTail, type Tail } from '../../../relay/hub/tail.ts';
import type { Commit } from '../../../relay/store/ports.ts';
import { handoffIn } from '../../support/threads.ts';

const PENDING = handoffIn('pending');
const EVENT_SIZE = 100;

/** A tail of so many events of the size above; no number of them is too many, or no size too big, as it may be. */
const byNumber = (events: number): Tail => createTail({ events, characters: Infinity });
const bySize = (events: number): Tail => createTail({ events: Infinity, characters: events * EVENT_SIZE });

/** A commit that brings a task's events `from` to `to`. */
function commit(id: string, from: number, to = from): Commit {
  const events = Array.from({ length: to - from + 1 }, (_none, index) => ({
    kind: 'receipt' as const,
    version: from + index,
    actor: 'sender' as const,
    author: 'human' as const,
    at: 0,
    state: 'acked' as const,
    upTo: 1,
  }));
  return { handoff: { ...PENDING, id, version: to }, events, feeds: [], size: events.length * EVENT_SIZE };
}

/** 1 to n. */
function upTo(n: number): readonly number[] {
  return Array.from({ length: n }, (_none, index) => index + 1);
}

function versions(tail: Tail, id: string, after: number): readonly number[] | undefined {
  return tail.after(id, after)?.map(({ event }) => event.version);
}

describe('a tail', () => {
  test('knows nothing of a task that it has not seen', () => {
    expect(byNumber(10).after('a', 0)).toBeUndefined();
  });

  test('gives what comes after a version, with the snapshot of its commit', () => {
    const tail = byNumber(10);
    tail.push([commit('a', 1), commit('a', 2, 4)]);
    expect(versions(tail, 'a', 0)).toEqual([1, 2, 3, 4]);
    expect(versions(tail, 'a', 3)).toEqual([4]);
    expect(tail.after('a', 0)?.map(({ handoff }) => handoff.version)).toEqual([1, 4, 4, 4]);
  });

  test('has nothing new for who has read all of it, or is ahead', () => {
    const tail = byNumber(10);
    tail.push([commit('a', 1, 3)]);
    expect(versions(tail, 'a', 3)).toEqual([]);
    expect(versions(tail, 'a', 99)).toEqual([]);
  });

  test('says so when it does not reach back far enough', () => {
    const tail = byNumber(10);
    tail.push([commit('a', 5, 6)]);
    expect(versions(tail, 'a', 4)).toEqual([5, 6]);
    expect(versions(tail, 'a', 3)).toBeUndefined();
  });

  test.each([byNumber, bySize])('gives up the task that was quiet for longest first', (create) => {
    const tail = create(3);
    tail.push([commit('a', 1), commit('b', 1), commit('a', 2)]);
    tail.push([commit('c', 1)]);
    expect(versions(tail, 'b', 0)).toBeUndefined();
    expect(versions(tail, 'a', 0)).toEqual([1, 2]);
    expect(versions(tail, 'c', 0)).toEqual([1]);
  });

  test.each([byNumber, bySize])('keeps the newest events of a thread that alone is longer than it', (create) => {
    const tail = create(3);
    tail.push([commit('a', 1, 2)]);
    tail.push([commit('a', 3, 5)]);
    expect(versions(tail, 'a', 2)).toEqual([3, 4, 5]);
    expect(versions(tail, 'a', 1)).toBeUndefined();
  });

  test('keeps nothing of an event that alone is bigger than it', () => {
    const tail = bySize(1);
    tail.push([commit('a', 1)]);
    tail.push([{ ...commit('a', 2), size: 2 * EVENT_SIZE }]);
    expect(versions(tail, 'a', 1)).toBeUndefined();
    tail.push([commit('a', 3)]);
    expect(versions(tail, 'a', 2)).toEqual([3]);
  });

  test('gives out lists that later commits do not change', () => {
    const tail = byNumber(10);
    tail.push([commit('a', 1)]);
    const before = tail.after('a', 0);
    tail.push([commit('a', 2)]);
    expect(before).toHaveLength(1);
  });

  test('never has a gap, a repetition, or more than its size, whatever is pushed', () => {
    const pushes = fc.array(fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.integer({ min: 1, max: 4 }))));
    fc.assert(
      fc.property(pushes, fc.integer({ min: 1, max: 6 }), fc.constantFrom(byNumber, bySize), (groups, size, create) => {
        const tail = create(size);
        const newest = new Map(['a', 'b', 'c'].map((id) => [id, 0]));
        for (const group of groups) {
          const commits = group.map(([id, count]) => {
            const from = (newest.get(id) ?? 0) + 1;
            newest.set(id, from + count - 1);
            return commit(id, from, from + count - 1);
          });
          tail.push(commits);
          for (const [id, last] of newest) {
            const found = Array.from({ length: last + 1 }, (_none, after) => versions(tail, id, after));
            const all = found.map((one, after) => one && upTo(last).slice(after));
            expect(found).toEqual(all);
          }
          const held = [...newest].map(([id, last]) =>
            upTo(last + 1).reduce((most, after) => Math.max(most, versions(tail, id, after - 1)?.length ?? 0), 0),
          );
          expect(held.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(size);
          // what was pushed last is there
          const pushed = commits.slice(-1).map(({ handoff }) => versions(tail, handoff.id, handoff.version - 1));
          expect(pushed).toEqual(commits.slice(-1).map(({ handoff }) => [handoff.version]));
        }
      }),
    );
  });
});
