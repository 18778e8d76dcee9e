import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ThreadEvent } from '../../../relay/contract/handoff.ts';
import { INITIAL, reduce, type DeskAction, type DeskState } from '../../../renderer/state/reducer.ts';
import { created, item, itemEvent, said, snapshot, thread } from './samples.ts';

const OPEN: DeskAction = { type: 'thread_opened', account: 'alice@acme', taskId: 't1' };
const LOG = [created(), said(2), said(3)];
const error = { reason: 'TASK_NOT_FOUND', message: 'There is no such task.' } as const;
const silence = { reason: 'RELAY_UNREACHABLE', message: 'No answer.' } as const;

const at = (version: number): ReturnType<typeof item> =>
  item({ version, last_version: version, updated_at: 1_000 * version });
const opened = (): DeskState =>
  [{ type: 'snapshot', snapshot: snapshot({ items: [at(3)] }) } as const, OPEN].reduce<DeskState>(reduce, INITIAL);
const loaded = (): DeskState =>
  [
    { type: 'thread_requested' } as const,
    { type: 'thread_loaded', thread: thread(at(3), LOG) } as const,
  ].reduce<DeskState>(reduce, opened());
const live = (state: DeskState, event: ThreadEvent): DeskState =>
  reduce(state, { type: 'event', event: itemEvent(state.seq + 1, at(event.version), event) });
const versions = (state: DeskState): readonly number[] => (state.thread?.events ?? []).map(({ version }) => version);

describe('a thread', () => {
  it('is asked for when it is opened', () => {
    expect(opened().thread).toEqual({
      key: 'alice@acme t1',
      account: 'alice@acme',
      taskId: 't1',
      phase: 'loading',
      events: [],
      stale: true,
    });
  });

  it('stays as it is when it is opened again', () => {
    const state = loaded();
    expect(reduce(state, OPEN)).toBe(state);
  });

  it('makes room for another one', () => {
    expect(reduce(loaded(), { ...OPEN, taskId: 't2' }).thread).toMatchObject({
      key: 'alice@acme t2',
      events: [],
      phase: 'loading',
    });
  });

  it('has its whole log once it is read', () => {
    expect(loaded().thread).toMatchObject({ phase: 'ready', events: LOG, stale: false });
  });

  it('grows with what happens', () => {
    expect(versions(live(loaded(), said(4)))).toEqual([1, 2, 3, 4]);
  });

  it('shows nothing twice', () => {
    expect(versions(live(loaded(), said(3)))).toEqual([1, 2, 3]);
  });

  it('is read again when a version is missing', () => {
    const gap = live(loaded(), said(6));
    expect(versions(gap)).toEqual([1, 2, 3]);
    expect(gap.thread).toMatchObject({ phase: 'ready', stale: true });
    const log = [...LOG, said(4), said(5), said(6)];
    const asked = reduce(gap, { type: 'thread_requested' });
    expect(reduce(asked, { type: 'thread_loaded', thread: thread(at(6), log) }).thread).toMatchObject({
      events: log,
      stale: false,
    });
  });

  it('keeps what arrives while its log is on the way', () => {
    const state = live(live(opened(), said(3)), said(4));
    expect(versions(reduce(state, { type: 'thread_loaded', thread: thread(at(3), LOG) }))).toEqual([1, 2, 3, 4]);
  });

  it('is asked for once more if there is a gap even then', () => {
    const state = live(opened(), said(6));
    const after = reduce(state, { type: 'thread_loaded', thread: thread(at(3), LOG) });
    expect(versions(after)).toEqual([1, 2, 3]);
    expect(after.thread?.stale).toBe(true);
  });

  it('that is answered when another one is open only refreshes its row', () => {
    const moved = reduce(opened(), { ...OPEN, taskId: 't2' });
    const state = reduce(moved, { type: 'thread_loaded', thread: thread(at(9), LOG) });
    expect(state.thread).toEqual(moved.thread);
    expect(state.rows[0]?.item.handoff.version).toBe(9);
  });

  it('brings a row of its own when the list did not have one', () => {
    const bare = [{ type: 'snapshot', snapshot: snapshot() } as const, OPEN].reduce<DeskState>(reduce, INITIAL);
    expect(reduce(bare, { type: 'thread_loaded', thread: thread(at(3), LOG) }).rows).toHaveLength(1);
  });

  it('that cannot be read says why', () => {
    const state = reduce(opened(), { type: 'thread_failed', key: 'alice@acme t1', error });
    expect(state.thread).toMatchObject({ phase: 'failed', error, stale: false });
    expect(reduce(state, { type: 'thread_retried' }).thread).toMatchObject({ phase: 'loading', stale: true });
  });

  it('is tried again where that may help', () => {
    expect(reduce(opened(), { type: 'thread_failed', key: 'alice@acme t1', error: silence }).thread).toMatchObject({
      phase: 'failed',
      stale: true,
    });
  });

  it('that is shown stays, although it could not be read again', () => {
    const state = reduce(live(loaded(), said(6)), { type: 'thread_failed', key: 'alice@acme t1', error: silence });
    expect(state.thread).toMatchObject({ phase: 'ready', events: LOG, stale: true });
  });

  it('does not take the failure of another one', () => {
    const state = opened();
    expect(reduce(state, { type: 'thread_failed', key: 'alice@acme t2', error })).toBe(state);
  });

  it('has nothing to read again when none is open', () => {
    const none = reduce(INITIAL, { type: 'snapshot', snapshot: snapshot() });
    expect(reduce(none, { type: 'thread_retried' })).toBe(none);
    expect(reduce(none, { type: 'thread_requested' })).toBe(none);
  });

  it('is whole, however reading it and what happens meanwhile fall together', () => {
    const log = [created(), ...[2, 3, 4, 5, 6, 7, 8].map((version) => said(version))];
    fc.assert(
      fc.property(fc.nat({ max: 7 }), fc.subarray([0, 1, 2, 3, 4, 5, 6, 7]), (read, lost) => {
        // the log is read when `read + 1` events are there; some of the live ones never arrive
        let state = [
          { type: 'snapshot', snapshot: snapshot() } as const,
          OPEN,
          { type: 'thread_requested' } as const,
        ].reduce<DeskState>(reduce, INITIAL);
        log.forEach((event, index) => {
          if (!lost.includes(index)) state = live(state, event);
          if (index === read)
            state = reduce(state, { type: 'thread_loaded', thread: thread(at(index + 1), log.slice(0, index + 1)) });
        });
        const last = versions(state).at(-1) ?? 0;
        expect(versions(state)).toEqual(log.slice(0, last).map(({ version }) => version));
        const newest = Math.max(read, ...log.map((_, index) => (lost.includes(index) ? -1 : index))) + 1;
        if (last < newest) expect(state.thread?.stale).toBe(true);
      }),
    );
  });
});
