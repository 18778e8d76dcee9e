import { describe, expect, it } from 'vitest';
import type { ThreadEvent } from '../../../relay/contract/handoff.ts';
import { threadEntries } from '../../../relay/contract/thread.ts';
import {
  endOf,
  entriesOf,
  openingOf,
  showEntries,
  withEarlier,
  withLater,
  type Drawn,
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
  const long = shown(created(), ...Array.from({ length: 9_999 }, (_, index) => said(index + 2)));
  const end = Number.POSITIVE_INFINITY;
  const size = ({ from, to }: Drawn): number => Math.min(to, long.length) - from;

  it('opens at the first entry that was not shown', () => {
    expect(openingOf(shown(created(), said(2), said(3)), 1)).toEqual({ first: 2, from: 0, to: end });
  });

  it('opens at its end when all was shown', () => {
    expect(openingOf(shown(created(), said(2)), 2)).toEqual({ first: undefined, from: 0, to: end });
  });

  it('does not open at what one wrote oneself', () => {
    expect(openingOf(shown(created(), own(2, 2_000)), 1)).toEqual({ first: undefined, from: 0, to: end });
  });

  it('that is long is drawn from its end, which moves', () => {
    const { from } = endOf(long);
    expect(from).toBeGreaterThan(9_700);
    expect(from).toBeLessThan(9_900);
    expect(openingOf(long, 10_000)).toEqual({ first: undefined, from, to: end });
    expect(openingOf(long, 9_950)).toEqual({ first: 9_951, from, to: end });
  });

  it('is drawn from what is new, and no more of it than of the end', () => {
    for (const surfaced of [0, 10, 5_000]) {
      const opening = openingOf(long, surfaced);
      expect(opening).toMatchObject({ first: surfaced + 1, from: surfaced });
      expect(size(opening)).toBe(size(endOf(long)));
    }
  });

  it('of long messages is drawn in fewer of them, and always in one at least', () => {
    const text = 'x'.repeat(900_000);
    const message = { messageId: 'm', role: 'ROLE_USER' as const, parts: Array.from({ length: 9 }, () => ({ text })) };
    const heavy = shown(
      created({ message }),
      ...Array.from({ length: 99 }, (_, index) => said(index + 2, { message })),
    );
    for (const surfaced of [0, 50, 100]) {
      const { from, to } = openingOf(heavy, surfaced);
      expect(Math.min(to, heavy.length) - from).toBeGreaterThanOrEqual(1);
      expect(Math.min(to, heavy.length) - from).toBeLessThan(10);
    }
  });

  it('can be read from one end to the other, and never more than a part is drawn', () => {
    const seen = new Set<number>();
    const look = (drawn: Drawn): void => {
      expect(size(drawn)).toBeLessThan(2_000);
      for (const { entry } of entriesOf(long, drawn)) seen.add(entry.version);
    };
    let drawn: Drawn = openingOf(long, 0);
    for (look(drawn); drawn.to !== end; look(drawn)) {
      const next = withLater(long, drawn);
      expect(next.from).toBeLessThan(drawn.to);
      expect(next.to).toBeGreaterThan(drawn.to);
      drawn = next;
    }
    expect(seen.size).toBe(10_000);
    seen.clear();
    for (look(drawn); drawn.from > 0; look(drawn)) {
      const next = withEarlier(long, drawn);
      expect(next.to).toBeGreaterThan(drawn.from);
      expect(next.from).toBeLessThan(drawn.from);
      drawn = next;
    }
    expect(seen.size).toBe(10_000);
  });

  it('says who wrote the first entry that is drawn', () => {
    const drawn = entriesOf(long, { from: 800, to: 802 });
    expect(long[800]?.continues).toBe(true);
    expect(drawn.map(({ continues }) => continues)).toEqual([false, true]);
  });
});
