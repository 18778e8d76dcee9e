import { describe, expect, it } from 'vitest';
import { arrange, countUnread, countWaiting } from '../../../main/desk/inbox.ts';
import { rowOf, sampleView } from './samples.ts';

const pending = (id: string, at: number) => rowOf(sampleView({ task_id: id, updated_at: at }));
const done = (id: string, at: number) =>
  rowOf(sampleView({ task_id: id, updated_at: at, state: 'completed', last_actor: 'recipient' }));

describe('the rows of a snapshot', () => {
  it('come newest first', () => {
    const { items } = arrange([pending('a', 1), pending('b', 3), done('c', 2)], 10);
    expect(items.map(({ task_id: id }) => id)).toEqual(['b', 'c', 'a']);
  });

  it('have one order even within a millisecond, whatever order they were in', () => {
    const rows = [pending('a', 1), pending('b', 1), pending('c', 1)];
    const orders = [rows, rows.toReversed()].map((r) => arrange(r, 10).items.map(({ task_id: id }) => id));
    expect(orders).toEqual([
      ['c', 'b', 'a'],
      ['c', 'b', 'a'],
    ]);
  });

  it('hold everything that is open, and the newest of what is done', () => {
    const { items, doneTotal } = arrange([done('d1', 9), pending('a', 1), done('d2', 8), done('d3', 7)], 2);
    expect(items.map(({ task_id: id }) => id)).toEqual(['d1', 'd2', 'a']);
    expect(doneTotal).toBe(3);
  });

  it('leave the given list as it was', () => {
    const rows = [pending('a', 1), pending('b', 2)];
    arrange(rows, 10);
    expect(rows.map(({ task_id: id }) => id)).toEqual(['a', 'b']);
  });
});

it('counts what waits for a step of the account, read or not', () => {
  const seen = sampleView({
    receipts: { ...sampleView().receipts, recipient: { offered: 1, surfaced: 1, acked: 1, held: false } },
  });
  expect(countWaiting([pending('a', 1), rowOf(seen), done('c', 1)])).toBe(2);
  expect(countUnread([pending('a', 1), rowOf(seen), done('c', 1)])).toBe(1);
});
