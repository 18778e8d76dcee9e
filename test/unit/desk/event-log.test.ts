import { describe, expect, it } from 'vitest';
import { createEventLog } from '../../../main/desk/event-log.ts';
import type { DeskEvent } from '../../../relay/contract/desk-api.ts';

const RELOAD = { type: 'reload' } as const;

function start(events = 1_000, characters = 1_000_000) {
  const errors: unknown[] = [];
  const log = createEventLog({ capacity: { events, characters }, onListenerError: (error) => errors.push(error) });
  const append = (count: number) => {
    for (let i = 0; i < count; i += 1) {
      log.append({ type: 'account', account: { handle: 'frank@acme', relay: 'r', state: 'connected', since: i } });
    }
  };
  return { log, append, errors };
}

function reader(): { events: DeskEvent[]; seqs: () => number[]; listen: (event: DeskEvent) => void } {
  const events: DeskEvent[] = [];
  return { events, seqs: () => events.map(({ seq }) => seq), listen: (event) => void events.push(event) };
}

/** Replays come after the call that asked for them. */
const afterReplay = (): Promise<void> => Promise.resolve();

describe('the event log', () => {
  it('numbers from 1 without gaps', async () => {
    const { log, append } = start();
    const { listen, seqs } = reader();
    expect(log.head()).toBe(0);
    log.subscribe(0, listen);
    append(3);
    await afterReplay();
    expect(seqs()).toEqual([1, 2, 3]);
    expect(log.head()).toBe(3);
  });

  it('replays what came after a number, then goes on live, each event once', async () => {
    const { log, append } = start();
    const { listen, seqs } = reader();
    append(5);
    log.subscribe(2, listen);
    expect(seqs()).toEqual([]);
    await afterReplay();
    expect(seqs()).toEqual([3, 4, 5]);
    append(2);
    expect(seqs()).toEqual([3, 4, 5, 6, 7]);
  });

  it('keeps the order when events come between the call and its replay', async () => {
    const { log, append } = start();
    const { listen, seqs } = reader();
    append(2);
    log.subscribe(0, listen);
    append(2);
    await afterReplay();
    expect(seqs()).toEqual([1, 2, 3, 4]);
  });

  it('replays nothing to one who knows everything', async () => {
    const { log, append } = start();
    const { listen, seqs } = reader();
    append(2);
    log.subscribe(2, listen);
    await afterReplay();
    expect(seqs()).toEqual([]);
    append(1);
    expect(seqs()).toEqual([3]);
  });

  it('sends a reload in place of events that are no longer kept', async () => {
    const { log, append } = start(10);
    append(30);
    const { listen, events } = reader();
    log.subscribe(19, listen);
    await afterReplay();
    expect(events).toEqual([{ ...RELOAD, seq: 30 }]);
    append(1);
    expect(events.map(({ seq, type }) => [seq, type])).toEqual([
      [30, 'reload'],
      [31, 'account'],
    ]);
  });

  it('replays exactly as much as is kept', async () => {
    const { log, append } = start(10);
    append(30);
    const { listen, seqs } = reader();
    log.subscribe(20, listen);
    await afterReplay();
    expect(seqs()).toEqual([21, 22, 23, 24, 25, 26, 27, 28, 29, 30]);
  });

  it('keeps so many characters, not only so many events', async () => {
    const { log } = start(1_000, 10_000);
    const append = (characters: number) =>
      log.append({ type: 'peer', peer: { account: 'frank@acme', peer: 'x'.repeat(characters) }, offline: true });
    for (let i = 0; i < 10; i += 1) append(3_000);
    const { listen, seqs } = reader();
    log.subscribe(7, listen);
    await afterReplay();
    expect(seqs()).toEqual([8, 9, 10]);
    const late = reader();
    log.subscribe(6, late.listen);
    await afterReplay();
    expect(late.events).toEqual([{ ...RELOAD, seq: 10 }]);
    // small ones again have room
    for (let i = 0; i < 50; i += 1) append(10);
    const again = reader();
    log.subscribe(40, again.listen);
    await afterReplay();
    expect(again.seqs()).toHaveLength(20);
  });

  it('keeps the newest event, however large: who is there reads it, and who comes back to it too', async () => {
    const { log } = start(1_000, 10);
    const there = reader();
    log.subscribe(0, there.listen);
    await afterReplay();
    for (const peer of ['mia@acme', 'priya@acme']) {
      log.append({ type: 'peer', peer: { account: 'frank@acme', peer }, offline: true });
    }
    expect(there.events.map(({ type }) => type)).toEqual(['peer', 'peer']);
    const back = reader();
    log.subscribe(1, back.listen);
    await afterReplay();
    expect(back.events).toMatchObject([{ seq: 2, type: 'peer', peer: { peer: 'priya@acme' } }]);
  });

  it('sends a reload to one who counted the events of an earlier run', async () => {
    const { log, append } = start();
    const early = reader();
    log.subscribe(57, early.listen);
    await afterReplay();
    expect(early.events).toEqual([{ ...RELOAD, seq: 0 }]);
    append(3);
    const late = reader();
    log.subscribe(57, late.listen);
    await afterReplay();
    expect(late.events).toEqual([{ ...RELOAD, seq: 3 }]);
    expect(early.seqs()).toEqual([0, 1, 2, 3]);
  });

  it('calls nobody who unsubscribed, not even with a replay that was due', async () => {
    const { log, append } = start();
    const { listen, seqs } = reader();
    append(2);
    const unsubscribe = log.subscribe(0, listen);
    unsubscribe();
    append(1);
    await afterReplay();
    expect(seqs()).toEqual([]);
  });

  it('lets a listener unsubscribe itself in the middle of its replay', async () => {
    const { log, append } = start();
    const { listen, seqs } = reader();
    append(5);
    const unsubscribe = log.subscribe(0, (event) => {
      listen(event);
      if (event.seq === 2) unsubscribe();
    });
    await afterReplay();
    append(1);
    expect(seqs()).toEqual([1, 2]);
  });

  it('lets a listener unsubscribe another one, and subscribe a new one, without an event lost or doubled', async () => {
    const { log, append } = start();
    const [first, second, third] = [reader(), reader(), reader()];
    log.subscribe(0, (event) => {
      first.listen(event);
      if (event.seq !== 2) return;
      unsubscribeSecond();
      log.subscribe(1, third.listen);
    });
    const unsubscribeSecond = log.subscribe(0, second.listen);
    append(3);
    await afterReplay();
    expect(first.seqs()).toEqual([1, 2, 3]);
    expect(second.seqs()).toEqual([1]);
    expect(third.seqs()).toEqual([2, 3]);
  });

  it('calls a listener that makes an event with it after the one in hand', () => {
    const { log, append } = start();
    const order: string[] = [];
    log.subscribe(0, ({ seq }) => {
      order.push(`begin ${seq}`);
      if (seq === 1) append(1);
      order.push(`end ${seq}`);
    });
    append(1);
    expect(order).toEqual(['begin 1', 'end 1', 'begin 2', 'end 2']);
  });

  it('goes on for everybody when one listener throws', () => {
    const { log, append, errors } = start();
    const thrower = reader();
    const other = reader();
    log.subscribe(0, (event) => {
      thrower.listen(event);
      throw new Error(`no ${event.seq}`);
    });
    log.subscribe(0, other.listen);
    append(2);
    expect(other.seqs()).toEqual([1, 2]);
    expect(thrower.seqs()).toEqual([1, 2]);
    expect(errors).toEqual([new Error('no 1'), new Error('no 2')]);
  });

  it('calls nobody after it was closed', async () => {
    const { log, append } = start();
    const { listen, seqs } = reader();
    append(1);
    log.subscribe(0, listen);
    log.close();
    append(1);
    await afterReplay();
    expect(seqs()).toEqual([]);
  });
});
