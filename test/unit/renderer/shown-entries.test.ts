import { describe, expect, it } from 'vitest';
import type { ThreadEvent } from '../../../relay/contract/handoff.ts';
import { threadEntries } from '../../../relay/contract/thread.ts';
import {
  entriesFrom,
  openingOf,
  showEntries,
  type ShownEntry,
} from '../../../renderer/screens/thread/shown-entries.ts';
import { created, receipt, said, step } from './samples.ts';

const shown = (...events: ThreadEvent[]): readonly ShownEntry[] => showEntries(threadEntries(events, 'recipient'));
const own = (version: number, at: number): ThreadEvent => said(version, { actor: 'recipient', author: 'human', at });

describe('an entry', () => {
  it('goes on where the same author goes on within minutes', () => {
    const entries = shown(
      created({ at: 0 }),
      said(2, { at: 60_000 }),
      said(3, { at: 10 * 60_000 }),
      said(4, { at: 10 * 60_000, author: 'human' }),
    );
    expect(entries.map(({ continues }) => continues)).toEqual([false, true, false, false]);
  });

  it('begins anew behind a step', () => {
    expect(
      shown(created(), step(2, 'accept', 'accepted'), said(3, { at: 2_000 })).map(({ continues }) => continues),
    ).toEqual([false, false, false]);
  });
});

describe('a receipt', () => {
  const states = (...events: ThreadEvent[]): readonly (string | undefined)[] =>
    shown(...events).map((one) => one.receipt?.state);

  it('is said once, with the last entry that it is about', () => {
    expect(states(created(), own(2, 2_000), own(3, 3_000), receipt(4, 'acked', 3, { actor: 'sender' }))).toEqual([
      undefined,
      undefined,
      'acked',
    ]);
  });

  it('is said where it differs', () => {
    const log = [created(), own(2, 2_000), receipt(3, 'acked', 2, { actor: 'sender' }), own(4, 4_000), own(5, 5_000)];
    expect(states(...log)).toEqual([undefined, 'acked', undefined, 'queued']);
  });

  it('of the same kind from two moments is two', () => {
    const log = [created(), own(2, 2_000), said(3, { at: 3_000 }), own(4, 4_000), said(5, { at: 5_000 })];
    expect(states(...log)).toEqual([undefined, 'acked', undefined, 'acked', undefined]);
  });
});

describe('a thread', () => {
  const long = shown(created(), ...Array.from({ length: 999 }, (_, index) => said(index + 2)));

  it('opens at the first entry that was not shown', () => {
    expect(openingOf(shown(created(), said(2), said(3)), 1)).toEqual({ first: 2, hidden: 0 });
  });

  it('opens at its end when all was shown', () => {
    expect(openingOf(shown(created(), said(2)), 2)).toEqual({ first: undefined, hidden: 0 });
  });

  it('does not open at what one wrote oneself', () => {
    expect(openingOf(shown(created(), own(2, 2_000)), 1)).toEqual({ first: undefined, hidden: 0 });
  });

  it('that is long is drawn from its end', () => {
    expect(openingOf(long, 1_000)).toEqual({ first: undefined, hidden: 800 });
    expect(openingOf(long, 950)).toEqual({ first: 951, hidden: 800 });
  });

  it('is drawn from what is new, however long that is', () => {
    expect(openingOf(long, 10)).toEqual({ first: 11, hidden: 10 });
    expect(openingOf(long, 0)).toEqual({ first: 1, hidden: 0 });
  });

  it('says who wrote the first entry that is drawn', () => {
    const [first, second] = entriesFrom(long, 800);
    expect(long[800]?.continues).toBe(true);
    expect([first?.continues, second?.continues]).toEqual([false, true]);
    expect(entriesFrom(long, 800)).toHaveLength(200);
  });
});
