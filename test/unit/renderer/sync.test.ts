import { describe, expect, it } from 'vitest';
import type { Thread } from '../../../relay/contract/desk-api.ts';
import { SignedOutError, unreachable } from '../../../renderer/desk-client.ts';
import { createDeskStore, dispatch, type DeskStore } from '../../../renderer/state/desk-store.ts';
import { RETRY_MS } from '../../../renderer/state/keeper.ts';
import { startSync } from '../../../renderer/state/sync.ts';
import { created, item, itemEvent, said, snapshot, thread } from './samples.ts';
import { ManualTime, refused, ScriptedDesk, settle } from './scripted-desk.ts';

const OPEN = { type: 'thread_opened', account: 'alice@acme', taskId: 't1' } as const;
const at = (version: number): ReturnType<typeof item> => item({ version, last_version: version });

function start(desk: ScriptedDesk): { store: DeskStore; time: ManualTime; sync: ReturnType<typeof startSync> } {
  const store = createDeskStore();
  const time = new ManualTime();
  return { store, time, sync: startSync(desk, store, time) };
}

describe('the snapshot', () => {
  it('comes first, then the events behind it', async () => {
    const desk = new ScriptedDesk({ getSnapshot: () => snapshot({ seq: 41, items: [item()] }) });
    const { store } = start(desk);
    await settle();
    expect(desk.subscriptions).toEqual([41]);
    desk.emit(itemEvent(42, at(2), said(2)));
    expect(store.getState()).toMatchObject({ phase: 'ready', seq: 42 });
    expect(store.getState().rows[0]?.item.handoff.version).toBe(2);
  });

  it('is taken anew when an event is missing, and nothing is heard twice', async () => {
    let seq = 1;
    const desk = new ScriptedDesk({ getSnapshot: () => snapshot({ seq }) });
    const { store } = start(desk);
    await settle();
    seq = 9;
    desk.emit(itemEvent(9, item(), created()));
    await settle();
    expect(desk.subscriptions).toEqual([1, 9]);
    expect(desk.listening).toBe(1);
    expect(store.getState()).toMatchObject({ seq: 9, stale: false });
  });

  it('is taken anew when the desk says so', async () => {
    const desk = new ScriptedDesk({ getSnapshot: () => snapshot({ seq: 3 }) });
    start(desk);
    await settle();
    desk.emit({ seq: 4, type: 'reload' });
    await settle();
    expect(desk.count('getSnapshot')).toBe(2);
  });

  it('is taken anew even when the desk says so before anybody could unsubscribe', async () => {
    let first = true;
    class Eager extends ScriptedDesk {
      override subscribe(...args: Parameters<ScriptedDesk['subscribe']>): () => void {
        const stop = super.subscribe(...args);
        if (first) {
          first = false;
          args[1]({ seq: 1, type: 'reload' });
        }
        return stop;
      }
    }
    const desk = new Eager({ getSnapshot: () => snapshot({ seq: desk.count('getSnapshot') - 1 }) });
    const { store } = start(desk);
    await settle();
    expect(store.getState()).toMatchObject({ phase: 'ready', stale: false, seq: 1 });
    expect(desk.listening).toBe(1);
  });

  it('that cannot be had is tried again, and the window says why it is empty', async () => {
    let up = false;
    const desk = new ScriptedDesk({
      getSnapshot: () => {
        if (!up) throw unreachable();
        return snapshot();
      },
    });
    const { store, time } = start(desk);
    await settle();
    expect(store.getState()).toMatchObject({ phase: 'failed', error: { reason: 'RELAY_UNREACHABLE' } });
    up = true;
    time.pass(RETRY_MS);
    await settle();
    expect(store.getState().phase).toBe('ready');
  });

  it('can be asked for at once', async () => {
    let up = false;
    const desk = new ScriptedDesk({
      getSnapshot: () => {
        if (!up) throw unreachable();
        return snapshot();
      },
    });
    const { store, time, sync } = start(desk);
    await settle();
    up = true;
    sync.refresh();
    await settle();
    expect(store.getState().phase).toBe('ready');
    expect(time.waiting).toBe(0);
  });

  it('that cannot be had again leaves what is shown', async () => {
    let up = true;
    const desk = new ScriptedDesk({
      getSnapshot: () => {
        if (!up) throw unreachable();
        return snapshot({ items: [item()] });
      },
    });
    const { store } = start(desk);
    await settle();
    up = false;
    desk.emit({ seq: 1, type: 'reload' });
    await settle();
    expect(store.getState()).toMatchObject({ phase: 'ready', connection: { state: 'lost' } });
    expect(store.getState().rows).toHaveLength(1);
  });

  it('that is refused for good ends the trying', async () => {
    const desk = new ScriptedDesk({
      getSnapshot: () => {
        throw new SignedOutError();
      },
    });
    const { store, time } = start(desk);
    await settle();
    expect(store.getState().phase).toBe('signed_out');
    expect(time.waiting).toBe(0);
  });

  it('that was overtaken by another one is dropped', async () => {
    const waiting: ((seq: number) => void)[] = [];
    const desk = new ScriptedDesk({
      getSnapshot: () => new Promise((resolve) => waiting.push((seq) => resolve(snapshot({ seq })))),
    });
    const { store, sync } = start(desk);
    await settle();
    sync.refresh();
    await settle();
    waiting[1]?.(8);
    await settle();
    waiting[0]?.(5);
    await settle();
    expect(store.getState().seq).toBe(8);
    expect(desk.subscriptions).toEqual([8]);
  });
});

describe('the connection', () => {
  it('is passed on as the transport tells it', async () => {
    const desk = new ScriptedDesk({ getSnapshot: () => snapshot() });
    const { store } = start(desk);
    await settle();
    desk.connect({ state: 'lost', since: 5 });
    expect(store.getState().connection).toEqual({ state: 'lost', since: 5 });
    desk.connect({ state: 'open' });
    expect(store.getState().connection).toEqual({ state: 'open' });
  });
});

describe('the open thread', () => {
  it('is read when it is opened, and when it was open before the first snapshot', async () => {
    const desk = new ScriptedDesk({
      getSnapshot: () => snapshot({ items: [item()] }),
      getThread: () => thread(item(), [created()]),
    });
    const store = createDeskStore();
    dispatch(store, OPEN);
    startSync(desk, store, new ManualTime());
    await settle();
    expect(desk.calls.at(-1)).toEqual({ command: 'getThread', input: { as: 'alice@acme', task_id: 't1' } });
    expect(store.getState().thread).toMatchObject({ phase: 'ready', events: [created()] });
  });

  it('is read once, however much else happens meanwhile', async () => {
    const answers: ((one: Thread) => void)[] = [];
    const desk = new ScriptedDesk({
      getSnapshot: () => snapshot({ items: [item()] }),
      getThread: () => new Promise((resolve) => answers.push(resolve)),
    });
    const { store } = start(desk);
    await settle();
    dispatch(store, OPEN);
    desk.emit(itemEvent(1, at(2), said(2)));
    await settle();
    expect(desk.count('getThread')).toBe(1);
    answers[0]?.(thread(item(), [created()]));
    await settle();
    expect(store.getState().thread?.events.map(({ version }) => version)).toEqual([1, 2]);
    expect(desk.count('getThread')).toBe(1);
  });

  it('is read again when a version is missing', async () => {
    let log = [created()];
    const desk = new ScriptedDesk({
      getSnapshot: () => snapshot({ items: [item()] }),
      getThread: () => thread(at(log.length), log),
    });
    const { store } = start(desk);
    await settle();
    dispatch(store, OPEN);
    await settle();
    log = [created(), said(2), said(3)];
    desk.emit(itemEvent(1, at(3), said(3)));
    await settle();
    expect(store.getState().thread).toMatchObject({ stale: false, events: log });
    expect(desk.count('getThread')).toBe(2);
  });

  it('does not wait for one that is slow, and does not mistake it for its own', async () => {
    const answers = new Map<string, (one: Thread) => void>();
    const desk = new ScriptedDesk({
      getSnapshot: () => snapshot({ items: [item(), item({ task_id: 't2' })] }),
      getThread: ({ task_id: id }) => new Promise((resolve) => answers.set(id, resolve)),
    });
    const { store } = start(desk);
    await settle();
    dispatch(store, OPEN);
    dispatch(store, { ...OPEN, taskId: 't2' });
    await settle();
    answers.get('t2')?.(thread(item({ task_id: 't2' }), [created()]));
    answers.get('t1')?.(thread(item(), [created(), said(2)]));
    await settle();
    expect(store.getState().thread).toMatchObject({ key: 'alice@acme t2', phase: 'ready', events: [created()] });
  });

  it('is tried again after a while, when nobody answered', async () => {
    let up = false;
    const desk = new ScriptedDesk({
      getSnapshot: () => snapshot({ items: [item()] }),
      getThread: () => {
        if (!up) throw unreachable();
        return thread(item(), [created()]);
      },
    });
    const { store, time } = start(desk);
    await settle();
    dispatch(store, OPEN);
    await settle();
    expect(store.getState().thread).toMatchObject({ phase: 'failed' });
    expect(desk.count('getThread')).toBe(1);
    up = true;
    time.pass(RETRY_MS);
    await settle();
    expect(store.getState().thread).toMatchObject({ phase: 'ready' });
  });

  it('is not tried again by itself, when the answer is no', async () => {
    const desk = new ScriptedDesk({
      getSnapshot: () => snapshot({ items: [item()] }),
      getThread: () => {
        throw refused('There is no such task.', 'TASK_NOT_FOUND');
      },
    });
    const { store, time } = start(desk);
    await settle();
    dispatch(store, OPEN);
    await settle();
    time.pass(RETRY_MS);
    await settle();
    expect(desk.count('getThread')).toBe(1);
    expect(store.getState().thread).toMatchObject({ phase: 'failed', error: { reason: 'TASK_NOT_FOUND' } });
    dispatch(store, { type: 'thread_retried' });
    await settle();
    expect(desk.count('getThread')).toBe(2);
  });
});

describe('stopping', () => {
  it('leaves nobody listening, nothing waiting and nothing changing', async () => {
    const desk = new ScriptedDesk({
      getSnapshot: () => snapshot({ items: [item()] }),
      getThread: () => {
        throw unreachable();
      },
    });
    const { store, time, sync } = start(desk);
    await settle();
    dispatch(store, OPEN);
    await settle();
    sync.stop();
    const before = store.getState();
    expect(desk.listening).toBe(0);
    expect(time.waiting).toBe(0);
    dispatch(store, { type: 'thread_retried' });
    await settle();
    expect(desk.count('getThread')).toBe(1);
    expect(store.getState().rows).toBe(before.rows);
  });
});
