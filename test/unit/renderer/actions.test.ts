import { describe, expect, it } from 'vitest';
import type { WriteResult } from '../../../relay/contract/desk-api.ts';
import { unreachable } from '../../../renderer/desk-client.ts';
import { createActions, type WindowActions } from '../../../renderer/state/actions.ts';
import { draftId } from '../../../renderer/state/compose.ts';
import { createComposeStore, type ComposeStore } from '../../../renderer/state/compose-store.ts';
import { createDeskStore, dispatch, type DeskStore } from '../../../renderer/state/desk-store.ts';
import type { Selected } from '../../../renderer/state/item.ts';
import type { Storage } from '../../../renderer/state/storage.ts';
import { createUiStore, type UiStore } from '../../../renderer/state/ui-store.ts';
import { account, created, item, snapshot, thread } from './samples.ts';
import { ScriptedDesk, settle } from './scripted-desk.ts';

const SENT: WriteResult = { status: 'sent', task_id: 'a', version: 2, state: 'accepted', receipt: 'queued' };
const NOTHING_KEPT: Storage = { read: () => undefined, write: () => undefined };

interface Bench {
  readonly actions: WindowActions;
  readonly desk: DeskStore;
  readonly ui: UiStore;
  readonly compose: ComposeStore;
  readonly client: ScriptedDesk;
  /** Selects a handoff and reads its thread. */
  readonly open: (id: string) => void;
}

const ITEMS = [
  item({ task_id: 'a', updated_at: 3_000 }),
  item({ task_id: 'b', updated_at: 2_000 }),
  item({ task_id: 'w', role: 'sender', updated_at: 9_000 }, { group: 'waiting' }),
  item({ task_id: 'd', state: 'declined', updated_at: 8_000 }),
];

const handoff = (taskId: string): Selected => ({ account: 'alice@acme', taskId });

function bench(client = new ScriptedDesk({}), stacked = false): Bench {
  const desk = createDeskStore();
  const ui = createUiStore(NOTHING_KEPT);
  const compose = createComposeStore(NOTHING_KEPT);
  dispatch(desk, { type: 'snapshot', snapshot: snapshot({ items: ITEMS, done_total: 3 }) });
  const actions = createActions({
    client,
    desk,
    ui,
    compose,
    retry: () => undefined,
    newKey: () => 'k1',
    isStacked: () => stacked,
  });
  const open = (id: string): void => {
    const row = ITEMS.find(({ task_id: one }) => one === id);
    if (row === undefined) throw new Error(`There is no ${id}.`);
    actions.select(handoff(id), true);
    dispatch(desk, { type: 'thread_requested' });
    dispatch(desk, { type: 'thread_loaded', thread: thread(row, [created()]) });
  };
  return { actions, desk, ui, compose, client, open };
}
const opened = ({ desk }: Bench): string | undefined => desk.getState().thread?.taskId;
const mode = ({ compose }: Bench, id: string): string | undefined => compose.getState().docks[`alice@acme ${id}`]?.mode;

describe('moving through the list', () => {
  it('goes from the first to the last, as they are grouped', () => {
    const window = bench();
    const seen = [1, 1, 1, 1, 1].map((by) => {
      window.actions.move(by as 1);
      return opened(window);
    });
    expect(seen).toEqual(['a', 'b', 'w', 'd', 'd']);
    window.actions.move(-1);
    expect(opened(window)).toBe('w');
  });

  it('backwards from nowhere begins at the end', () => {
    const window = bench();
    window.actions.move(-1);
    expect(opened(window)).toBe('d');
  });

  it('stays within what the filter shows', () => {
    const window = bench();
    window.actions.showFilter('waiting');
    window.actions.move(1);
    window.actions.move(1);
    expect(opened(window)).toBe('w');
  });

  it('in an empty list goes nowhere', () => {
    const window = bench();
    dispatch(window.desk, { type: 'snapshot', snapshot: snapshot() });
    window.actions.move(1);
    expect(opened(window)).toBeUndefined();
  });

  it('selects without bringing the thread in front of the list', () => {
    const window = bench();
    window.actions.move(1);
    expect(window.ui.getState()).toMatchObject({ pane: 'list', selected: { account: 'alice@acme', taskId: 'a' } });
    window.actions.open();
    expect(window.ui.getState()).toMatchObject({ pane: 'thread', focus: 'thread' });
  });

  it('has nothing to open when nothing is selected', () => {
    const window = bench();
    window.actions.open();
    expect(window.ui.getState()).toMatchObject({ pane: 'list', focus: undefined });
  });
});

describe('a handoff that is clicked', () => {
  it('takes the keyboard with it where its thread takes the place of the list', () => {
    const stacked = bench(new ScriptedDesk({}), true);
    stacked.actions.select(handoff('a'), true);
    expect(stacked.ui.getState()).toMatchObject({ pane: 'thread', focus: 'thread' });
  });

  it('leaves the keyboard in the list where both are there', () => {
    const window = bench();
    window.actions.select(handoff('a'), true);
    expect(window.ui.getState()).toMatchObject({ pane: 'thread', focus: undefined });
  });
});

describe('cancelling', () => {
  it('asks for a reason, and goes without one', async () => {
    const window = bench(new ScriptedDesk({ updateHandoff: () => SENT }));
    window.open('w');
    window.actions.begin('cancel');
    expect(window.ui.getState().focus).toBe('dock');
    expect(mode(window, 'w')).toBe('cancel');
    window.actions.send();
    await settle();
    expect(window.client.calls).toMatchObject([{ input: { task_id: 'w', transition: 'cancel' } }]);
    expect(window.client.calls[0]?.input).not.toHaveProperty('reason');
  });

  it('sends the reason that was given', async () => {
    const window = bench(new ScriptedDesk({ updateHandoff: () => SENT }));
    window.open('w');
    window.actions.begin('cancel');
    window.actions.type('cancel', 'it is fixed');
    window.actions.send();
    await settle();
    expect(window.client.calls).toMatchObject([{ input: { transition: 'cancel', reason: 'it is fixed' } }]);
  });
});

describe('a form', () => {
  it('is shown, and asks for the keyboard', () => {
    const window = bench();
    window.open('a');
    window.actions.begin('decline');
    expect(mode(window, 'a')).toBe('decline');
    expect(window.ui.getState().focus).toBe('dock');
    window.actions.focusTaken();
    expect(window.ui.getState().focus).toBeUndefined();
  });

  it('is not shown for what cannot be done', () => {
    const window = bench();
    window.open('a');
    window.actions.begin('complete');
    expect(mode(window, 'a')).toBeUndefined();
    window.open('d');
    window.actions.begin('reply');
    expect(mode(window, 'd')).toBeUndefined();
  });

  it('is left with one step back, the thread with the next', () => {
    const window = bench();
    window.open('a');
    window.actions.begin('decline');
    window.actions.back();
    expect(mode(window, 'a')).toBe('reply');
    expect(window.ui.getState().pane).toBe('thread');
    window.actions.back();
    expect(window.ui.getState()).toMatchObject({ pane: 'list', focus: 'list' });
  });

  it('is not sent without words', () => {
    const window = bench();
    window.open('a');
    window.actions.begin('decline');
    window.actions.focusTaken();
    window.actions.type('decline', '   ');
    window.actions.send();
    expect(window.client.calls).toEqual([]);
    expect(window.ui.getState().focus).toBe('dock');
  });

  it('is sent with them, and then the thread has the keyboard', async () => {
    const window = bench(new ScriptedDesk({ updateHandoff: () => SENT }));
    window.open('a');
    window.actions.begin('decline');
    window.actions.type('decline', 'after the release');
    window.actions.send();
    await settle();
    expect(window.client.calls).toMatchObject([
      { command: 'updateHandoff', input: { transition: 'decline', reason: 'after the release' } },
    ]);
    expect(window.ui.getState().focus).toBe('thread');
    expect(window.compose.getState().drafts).toEqual({});
  });
});

describe('a reply', () => {
  it('is what is sent when no form is shown, and keeps the keyboard', async () => {
    const window = bench(new ScriptedDesk({ sendMessage: () => SENT }));
    window.open('a');
    window.actions.type('reply', 'Looking at it.');
    window.actions.send();
    await settle();
    expect(window.client.calls).toMatchObject([
      { command: 'sendMessage', input: { as: 'alice@acme', task_id: 'a', body: 'Looking at it.' } },
    ]);
    expect(window.ui.getState().focus).toBeUndefined();
  });

  it('is kept with its thread while another one is open', () => {
    const window = bench();
    window.open('a');
    window.actions.type('reply', 'one');
    window.open('b');
    window.actions.type('reply', 'two');
    const { drafts } = window.compose.getState();
    expect([drafts[draftId('alice@acme a', 'reply')]?.text, drafts[draftId('alice@acme b', 'reply')]?.text]).toEqual([
      'one',
      'two',
    ]);
  });
});

describe('deciding', () => {
  it('needs nothing but the key', async () => {
    const window = bench(new ScriptedDesk({ updateHandoff: () => SENT }));
    window.open('a');
    window.actions.take('accept');
    await settle();
    expect(window.client.calls).toMatchObject([
      { command: 'updateHandoff', input: { task_id: 'a', transition: 'accept' } },
    ]);
  });

  it('is not possible where it makes no sense', () => {
    const window = bench();
    window.open('w');
    window.actions.take('accept');
    window.open('d');
    window.actions.take('accept');
    expect(window.client.calls).toEqual([]);
  });

  it('is not possible before the thread can be read', () => {
    const window = bench();
    window.actions.select(handoff('a'), true);
    window.actions.take('accept');
    expect(window.client.calls).toEqual([]);
  });

  it('is not possible about what the list hides', () => {
    const window = bench(new ScriptedDesk({ updateHandoff: () => SENT }), true);
    window.open('a');
    window.actions.back();
    window.actions.take('accept');
    expect(window.client.calls).toEqual([]);
    window.actions.open();
    window.actions.take('accept');
    expect(window.client.count('updateHandoff')).toBe(1);
  });
});

describe('saying that something was shown', () => {
  it('is one call, of the account that shows it', async () => {
    const { actions, client } = bench(new ScriptedDesk({ markSurfaced: () => ({}) }));
    expect(await actions.surfaced(item({ task_id: 'a' }), 3)).toBeUndefined();
    expect(client.calls).toEqual([{ command: 'markSurfaced', input: { as: 'alice@acme', task_id: 'a', version: 3 } }]);
  });

  it('may fail, and says why', async () => {
    const { actions } = bench(
      new ScriptedDesk({
        markSurfaced: () => {
          throw unreachable();
        },
      }),
    );
    expect(await actions.surfaced(item({ task_id: 'a' }), 3)).toMatchObject({ reason: 'RELAY_UNREACHABLE' });
  });
});

describe('what is older', () => {
  const old = (id: string): ReturnType<typeof item> => item({ task_id: id, state: 'completed', updated_at: 1 });

  it('comes page by page, until there is no more', async () => {
    const window = bench(
      new ScriptedDesk({
        listHandoffs: ({ cursor }) =>
          cursor === undefined
            ? { items: [old('o1')], next_cursor: 'c1', waiting: 0 }
            : { items: [old('o2')], next_cursor: '', waiting: 0 },
      }),
    );
    for (let page = 0; page < 3; page += 1) expect(await window.actions.loadOlder()).toBeUndefined();
    expect(window.client.calls.map(({ input }) => input)).toMatchObject([
      { as: 'alice@acme', limit: 100 },
      { cursor: 'c1' },
    ]);
    expect(window.desk.getState().rows.map(({ item: { task_id: id } }) => id)).toEqual([
      'w',
      'd',
      'a',
      'b',
      'o2',
      'o1',
    ]);
  });

  it('is asked for of every account', async () => {
    const window = bench(new ScriptedDesk({ listHandoffs: () => ({ items: [], next_cursor: '', waiting: 0 }) }));
    dispatch(window.desk, {
      type: 'snapshot',
      snapshot: snapshot({ accounts: [account(), account({ handle: 'alice-web@acme' })] }),
    });
    await window.actions.loadOlder();
    expect(window.client.calls.map(({ input }) => input)).toMatchObject([
      { as: 'alice@acme' },
      { as: 'alice-web@acme' },
    ]);
  });

  it('may not come, and then it is said why', async () => {
    const window = bench(
      new ScriptedDesk({
        listHandoffs: () => {
          throw unreachable();
        },
      }),
    );
    expect(await window.actions.loadOlder()).toMatchObject({ reason: 'RELAY_UNREACHABLE' });
  });
});

describe('the window itself', () => {
  it('changes its theme, its filter, its sheet of keys and its place in a list', () => {
    const { actions, ui } = bench();
    actions.setTheme('dark');
    actions.showHelp(true);
    actions.keepScroll('done', 420);
    actions.showFilter('done');
    expect(ui.getState()).toMatchObject({
      theme: 'dark',
      helpOpen: true,
      filter: 'done',
      scroll: { inbox: 0, waiting: 0, done: 420 },
    });
  });

  it('reads a thread again that could not be read', () => {
    const window = bench();
    window.open('a');
    window.actions.retryThread();
    expect(window.desk.getState().thread).toMatchObject({ phase: 'loading', stale: true });
  });
});
