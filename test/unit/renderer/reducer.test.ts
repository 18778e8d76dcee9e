import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DeskEvent, InboxItem, OfflinePeer } from '../../../relay/contract/desk-api.ts';
import {
  absenceOf,
  INITIAL,
  reduce,
  rowOf,
  waitingOf,
  type DeskAction,
  type DeskState,
} from '../../../renderer/state/reducer.ts';
import {
  account,
  away,
  created,
  heldItem,
  item,
  itemEvent,
  receipt,
  said,
  snapshot,
  step,
  thread,
  unsent,
} from './samples.ts';

const run = (...actions: DeskAction[]): DeskState => actions.reduce(reduce, INITIAL);
const event = (one: DeskEvent): DeskAction => ({ type: 'event', event: one });
const ready = (items: readonly InboxItem[] = [], seq = 0, offline: readonly OfflinePeer[] = []): DeskState =>
  run({ type: 'snapshot', snapshot: snapshot({ seq, items: [...items], offline: [...offline] }) });
const keys = (state: DeskState): readonly string[] => state.rows.map(({ item: { task_id: id } }) => id);

describe('a snapshot', () => {
  it('is all that the window knows', () => {
    const state = run({ type: 'snapshot', snapshot: snapshot({ seq: 7, items: [item()], done_total: 214 }) });
    expect(state).toMatchObject({ phase: 'ready', seq: 7, stale: false, doneTotal: 214, version: '0.1.0' });
    expect(state.accounts).toEqual([account()]);
    expect(state.terminal).toEqual({ command: '/srv/agentrelay/bin/agentrelay' });
    expect(state.offline).toEqual([]);
    expect(keys(state)).toEqual(['t1']);
  });

  it('forgets what is not in it', () => {
    const state = reduce(ready([item()]), {
      type: 'snapshot',
      snapshot: snapshot({ items: [item({ task_id: 't2' })] }),
    });
    expect(keys(state)).toEqual(['t2']);
  });

  it('is ordered by when somebody wrote, newest first', () => {
    const state = ready([
      item({ task_id: 'old', updated_at: 1_000 }),
      item({ task_id: 'new', updated_at: 3_000 }),
      item({ task_id: 'middle', updated_at: 2_000 }),
    ]);
    expect(keys(state)).toEqual(['new', 'middle', 'old']);
  });

  it('takes the place of an error', () => {
    const state = run(
      { type: 'failed', error: { reason: 'RELAY_UNREACHABLE', message: 'no' }, at: 5 },
      { type: 'snapshot', snapshot: snapshot() },
    );
    expect(state.phase).toBe('ready');
    expect(state.error).toBeUndefined();
  });

  it('asks for the log of the open thread again: events may have been missed', () => {
    const state = reduce(ready([item()]), { type: 'thread_opened', account: 'alice@acme', taskId: 't1' });
    const asked = reduce(state, { type: 'thread_requested' });
    expect(asked.thread?.stale).toBe(false);
    expect(reduce(asked, { type: 'snapshot', snapshot: snapshot() }).thread?.stale).toBe(true);
  });
});

describe('events', () => {
  it('go in one after the other', () => {
    const next = item({ version: 2, last_version: 2, state: 'accepted', updated_at: 2_000 }, { group: 'working' });
    const state = reduce(ready([item()]), event(itemEvent(1, next, step(2, 'accept', 'accepted'))));
    expect(state).toMatchObject({ seq: 1, stale: false });
    expect(state.rows).toEqual([{ key: 'alice@acme t1', item: next, at: 2_000 }]);
  });

  it('that were known change nothing', () => {
    const state = ready([item({ version: 3 })], 9);
    expect(reduce(state, event(itemEvent(9, item(), created())))).toBe(state);
    expect(reduce(state, event(itemEvent(4, item(), created())))).toBe(state);
  });

  it('behind a gap are not believed: a new snapshot is needed', () => {
    const state = reduce(ready([], 3), event(itemEvent(5, item(), created())));
    expect(state).toMatchObject({ seq: 3, stale: true, rows: [] });
  });

  it('wait for that snapshot', () => {
    const stale = reduce(ready([], 3), event(itemEvent(5, item(), created())));
    expect(reduce(stale, event(itemEvent(4, item(), created())))).toBe(stale);
    const fresh = reduce(stale, { type: 'snapshot', snapshot: snapshot({ seq: 5, items: [item()] }) });
    expect(fresh).toMatchObject({ seq: 5, stale: false });
    expect(keys(fresh)).toEqual(['t1']);
  });

  it('that come before any snapshot change nothing', () => {
    expect(reduce(INITIAL, event(itemEvent(1, item(), created())))).toBe(INITIAL);
  });

  it('can ask for a new snapshot themselves', () => {
    expect(reduce(ready([], 3), event({ seq: 4, type: 'reload' }))).toMatchObject({ seq: 4, stale: true });
  });

  it('change an account, or add one', () => {
    const offline = account({ state: 'offline', detail: 'refused', since: 2_000 });
    const second = account({ handle: 'alice-api@acme' });
    const state = [
      event({ seq: 1, type: 'account', account: offline }),
      event({ seq: 2, type: 'account', account: second }),
    ].reduce(reduce, ready());
    expect(state.accounts).toEqual([offline, second]);
  });

  it('tell who of the peers is away', () => {
    const gone = away({ since: 2_000 });
    const other = away({ account: 'alice-api@acme' });
    const start = ready([], 0, [other]);
    const left = reduce(start, event({ seq: 1, type: 'peer', peer: gone, offline: true }));
    expect(left.offline).toEqual([other, gone]);
    expect(absenceOf(left, item())).toBe(gone);
    expect(absenceOf(left, { account: 'alice@acme', peer: 'mia@acme' })).toBeUndefined();
    const back = reduce(left, event({ seq: 2, type: 'peer', peer: gone, offline: false }));
    expect(back.offline).toEqual([other]);
  });

  it('that tell of an older version than a list did are too late', () => {
    const state = reduce(
      ready([item({ version: 5, last_version: 5 })]),
      event(itemEvent(1, item({ version: 4 }), said(4))),
    );
    expect(rowOf(state, 'alice@acme t1')?.item.handoff.version).toBe(5);
    expect(state.seq).toBe(1);
  });
});

describe('what waits to be sent', () => {
  const keyed = { type: 'outbox', account: 'alice@acme' } as const;
  const outbox = (state: DeskState): readonly string[] => state.outbox.map(({ id, state: at }) => `${id} ${at}`);
  const start = run({ type: 'snapshot', snapshot: snapshot({ outbox: [unsent(), unsent({ id: 'o2' })] }) });

  it('comes with the snapshot, and is added, changed at its place, and taken away', () => {
    expect(outbox(start)).toEqual(['o1 needs_human', 'o2 needs_human']);
    const back = unsent({ state: 'returned' });
    const state = [
      event({ ...keyed, seq: 1, id: 'o3', item: unsent({ id: 'o3' }) }),
      event({ ...keyed, seq: 2, id: 'o1', item: back }),
      event({ ...keyed, seq: 3, id: 'o2' }),
    ].reduce(reduce, start);
    expect(outbox(state)).toEqual(['o1 returned', 'o3 needs_human']);
  });

  it('is told from that of another account, and taken away once', () => {
    const other = reduce(start, event({ ...keyed, seq: 1, account: 'alice-web@acme', id: 'o1' }));
    expect(outbox(other)).toEqual(outbox(start));
    const gone = [1, 2].map((seq) => event({ ...keyed, seq, id: 'o1' })).reduce(reduce, start);
    expect(outbox(gone)).toEqual(['o2 needs_human']);
  });

  it('is found by what is selected, as long as it waits', () => {
    expect(waitingOf(start, { account: 'alice@acme', outboxId: 'o2' })?.id).toBe('o2');
    expect(waitingOf(start, { account: 'alice-web@acme', outboxId: 'o2' })).toBeUndefined();
    expect(waitingOf(start, { account: 'alice@acme', taskId: 'o2' })).toBeUndefined();
    expect(waitingOf(start, undefined)).toBeUndefined();
  });
});

describe('a snapshot after a change of the rules', () => {
  const newest = item({ task_id: 'd2', state: 'completed', updated_at: 20 });
  const oldest = item({ task_id: 'd1', state: 'completed', updated_at: 10 });
  const page: DeskAction = { type: 'listed', account: 'alice@acme', items: [oldest], next: 'c1' };
  const again = (...items: readonly InboxItem[]): DeskAction => ({
    type: 'snapshot',
    snapshot: snapshot({ seq: 1, items: [...items] }),
  });

  it('moves what was held, and keeps the thread that is open with its log', () => {
    const opened = [
      { type: 'thread_opened', account: 'alice@acme', taskId: 't1' } as const,
      { type: 'thread_requested' } as const,
      { type: 'thread_loaded', thread: thread(heldItem(), [created()]) } as const,
    ].reduce<DeskState>(reduce, ready([heldItem()]));
    const reloaded = reduce(opened, event({ seq: 1, type: 'reload' }));
    const state = reduce(reloaded, again(item({ sender: 'ext-bot@vendor' })));
    expect(rowOf(state, 'alice@acme t1')?.item.group).toBe('needs_you');
    expect(state.thread).toMatchObject({ phase: 'ready', events: [created()], stale: true });
  });

  it('keeps the pages of what is done that it does not hold itself', () => {
    const state = reduce(reduce(ready([newest]), page), again(newest));
    expect(keys(state)).toEqual(['d2', 'd1']);
    expect(state.older).toEqual({ 'alice@acme': 'c1' });
  });

  it('begins them anew where it does not go on from what was known', () => {
    const later = item({ task_id: 'd9', state: 'completed', updated_at: 90 });
    const state = reduce(reduce(ready([newest]), page), again(later));
    expect(keys(state)).toEqual(['d9']);
    expect(state.older).toEqual({});
  });

  it('keeps an open thread of an old page, for it is read again at once', () => {
    const opened = reduce(reduce(ready([newest]), page), {
      type: 'thread_opened',
      account: 'alice@acme',
      taskId: 'd1',
    });
    const later = item({ task_id: 'd9', state: 'completed', updated_at: 90 });
    expect(keys(reduce(opened, again(later)))).toEqual(['d9', 'd1']);
  });
});

describe('a thread', () => {
  it('is closed when something else takes its place', () => {
    const opened = reduce(ready([item()]), { type: 'thread_opened', account: 'alice@acme', taskId: 't1' });
    const closed = reduce(opened, { type: 'thread_closed' });
    expect(closed.thread).toBeUndefined();
    expect(reduce(closed, event(itemEvent(1, item({ version: 2 }), said(2)))).thread).toBeUndefined();
  });
});

describe('the order of rows', () => {
  const two = [item({ task_id: 'a', updated_at: 1_000 }), item({ task_id: 'b', updated_at: 2_000 })];

  it('follows who wrote last', () => {
    const wrote = item({ task_id: 'a', version: 2, last_version: 2, updated_at: 3_000 });
    expect(keys(reduce(ready(two), event(itemEvent(1, wrote, said(2, { at: 3_000 })))))).toEqual(['a', 'b']);
  });

  it('does not follow receipts: reading moves nothing', () => {
    const read = item({ task_id: 'a', version: 2, last_version: 1, updated_at: 1_000 });
    const state = reduce(ready(two), event(itemEvent(1, read, receipt(2, 'surfaced', 1))));
    expect(keys(state)).toEqual(['b', 'a']);
    expect(rowOf(state, 'alice@acme a')?.at).toBe(1_000);
  });

  it('is the same whichever way equal times came in', () => {
    const one = item({ task_id: 'x', updated_at: 1_000 });
    const other = item({ task_id: 'y', updated_at: 1_000 });
    expect(keys(ready([one, other]))).toEqual(keys(ready([other, one])));
  });
});

describe('what is done', () => {
  it('counts up when a handoff ends', () => {
    const before = run({ type: 'snapshot', snapshot: snapshot({ items: [item()], done_total: 214 }) });
    const done = item({ version: 2, last_version: 2, state: 'declined' });
    expect(reduce(before, event(itemEvent(1, done, step(2, 'decline', 'declined')))).doneTotal).toBe(215);
  });

  it('does not count up for what is said of it afterwards', () => {
    const before = run({
      type: 'snapshot',
      snapshot: snapshot({ items: [item({ state: 'declined', version: 2 })], done_total: 1 }),
    });
    const later = item({ state: 'declined', version: 3 });
    expect(reduce(before, event(itemEvent(1, later, receipt(3, 'acked', 2)))).doneTotal).toBe(1);
  });

  it('grows by the pages that are asked for, and remembers where they go on', () => {
    const state = reduce(ready([item()]), {
      type: 'listed',
      account: 'alice@acme',
      items: [item({ task_id: 'old', state: 'completed', updated_at: 10 })],
      next: 'cursor',
    });
    expect(keys(state)).toEqual(['t1', 'old']);
    expect(state.older).toEqual({ 'alice@acme': 'cursor' });
  });

  it('never takes the place of what is newer', () => {
    const state = reduce(ready([item({ version: 4 })]), {
      type: 'listed',
      account: 'alice@acme',
      items: [item({ version: 2 })],
      next: '',
    });
    expect(rowOf(state, 'alice@acme t1')?.item.handoff.version).toBe(4);
  });
});

describe('an arrival', () => {
  it('is what the other side wrote', () => {
    const row = item();
    expect(reduce(ready(), event(itemEvent(1, row, created()))).arrival).toEqual({ seq: 1, item: row });
  });

  it('is nothing of our own, and no receipt', () => {
    const own = itemEvent(1, item(), said(2, { actor: 'recipient' }));
    const seen = itemEvent(1, item(), receipt(2, 'surfaced', 1, { actor: 'sender' }));
    expect(reduce(ready(), event(own)).arrival).toBeUndefined();
    expect(reduce(ready(), event(seen)).arrival).toBeUndefined();
  });
});

describe('a failure', () => {
  const error = { reason: 'RELAY_UNREACHABLE', message: 'AgentRelay does not answer.' } as const;

  it('is all there is to show when there is nothing else', () => {
    expect(run({ type: 'failed', error, at: 5 })).toMatchObject({
      phase: 'failed',
      error,
      connection: { state: 'lost', since: 5 },
    });
  });

  it('leaves what is shown, and says since when it may be old', () => {
    const state = [
      { type: 'failed', error, at: 5 } as const,
      { type: 'failed', error, at: 9 } as const,
    ].reduce<DeskState>(reduce, ready([item()]));
    expect(state).toMatchObject({ phase: 'ready', connection: { state: 'lost', since: 5 } });
    expect(keys(state)).toEqual(['t1']);
  });

  it('to be known to the desk ends everything', () => {
    expect(reduce(ready([item()]), { type: 'connection', connection: { state: 'signed_out' } }).phase).toBe(
      'signed_out',
    );
  });
});

describe('two accounts of one person', () => {
  it('each have a row for a handoff between them', () => {
    const state = ready([item(), item({ role: 'sender' }, { account: 'alice-web@acme' })]);
    expect(state.rows.map(({ key }) => key).toSorted()).toEqual(['alice-web@acme t1', 'alice@acme t1']);
  });
});

describe('whatever happens on the way', () => {
  /** A desk: rows, and the events that led to them, numbered from 1. */
  interface Desk {
    readonly rows: ReadonlyMap<string, InboxItem>;
    readonly events: readonly DeskEvent[];
  }
  const grow = ({ rows, events }: Desk, id: string): Desk => {
    const version = (rows.get(id)?.handoff.version ?? 0) + 1;
    const seq = events.length + 1;
    const row = item({ task_id: id, version, last_version: version, updated_at: seq, created_at: 0 });
    return {
      rows: new Map([...rows, [id, row]]),
      events: [...events, itemEvent(seq, row, said(version, { at: seq }))],
    };
  };
  const desks = fc
    .array(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1, maxLength: 30 })
    .map((ids) => ids.reduce(grow, { rows: new Map(), events: [] }));
  const contents = (state: DeskState): unknown => [state.seq, state.rows];

  it('the window ends up with what a fresh snapshot shows', () => {
    fc.assert(
      fc.property(desks, fc.infiniteStream(fc.nat({ max: 9 })), (desk, choices) => {
        const full = snapshot({ seq: desk.events.length, items: [...desk.rows.values()] });
        let state = reduce(INITIAL, { type: 'snapshot', snapshot: snapshot() });
        for (const one of desk.events) {
          const choice = choices.next().value ?? 9;
          if (choice === 0) continue; // lost
          state = reduce(state, event(one));
          if (choice === 1) state = reduce(state, event(one)); // twice
          if (choice === 2) state = reduce(state, event(desk.events[0] ?? one)); // an old one again
        }
        // the reducer may not have noticed that the last ones are lost; the next event tells it
        state = reduce(state, event({ seq: desk.events.length + 1, type: 'account', account: account() }));
        if (state.stale) state = reduce(state, { type: 'snapshot', snapshot: { ...full, seq: full.seq + 1 } });
        expect(contents(state)).toEqual(
          contents(reduce(INITIAL, { type: 'snapshot', snapshot: { ...full, seq: full.seq + 1 } })),
        );
      }),
    );
  });

  it('events in any order are either in place or ask for a snapshot', () => {
    fc.assert(
      fc.property(
        desks.chain((desk) => fc.tuple(fc.constant(desk), fc.shuffledSubarray([...desk.events]))),
        ([desk, order]) => {
          const start = reduce(INITIAL, { type: 'snapshot', snapshot: snapshot() });
          const state = order.map(event).reduce(reduce, start);
          const seen = desk.events.slice(0, state.seq).map(event).reduce(reduce, start);
          expect(state.rows).toEqual(seen.rows);
          if (order.some(({ seq }) => seq > state.seq)) expect(state.stale).toBe(true);
        },
      ),
    );
  });
});
