import type { DeskError, InboxItem } from '../../relay/contract/desk-api.ts';
import { TERMINAL_STATES } from '../../relay/contract/handoff.ts';
import { deskError, type DeskClient } from '../desk-client.ts';
import { draftId, EMPTY_DOCK, isWritten, needsWords, stepsFor, type Step, type WrittenStep } from './compose.ts';
import { composeDispatch, takeStep, type ComposeStore } from './compose-store.ts';
import { dispatch, type DeskStore } from './desk-store.ts';
import type { ItemKey, Row } from './item.ts';
import { rowOf } from './reducer.ts';
import { rowsOf, sectionsOf, stepFrom, type Filter } from './sections.ts';
import type { FocusTarget, Theme, UiStore } from './ui-store.ts';

/** What people can do in the window. Each acts on what is open or selected, so keys and buttons call the same. */
export interface WindowActions {
  /** Selects a handoff. `show` also brings its thread to the front, where there is room for one pane only. */
  select(item: Pick<InboxItem, 'account' | 'task_id'>, show: boolean): void;
  /** Selects the next or the previous row of the list. */
  move(by: 1 | -1): void;
  /** Brings the selected thread to the front and the keyboard to it. */
  open(): void;
  /** One step back: out of a form, out of a field, out of the thread. */
  back(): void;
  showFilter(filter: Filter): void;
  setTheme(theme: Theme): void;
  showHelp(open: boolean): void;
  /** The keyboard is where it was asked to be. */
  focusTaken(): void;
  keepScroll(filter: Filter, offset: number): void;
  /** Shows the field of a step and puts the keyboard there. */
  begin(mode: WrittenStep): void;
  type(step: WrittenStep, text: string): void;
  /** Takes a step of the open handoff, with the text of its draft. */
  take(step: Step): void;
  /** Takes the step whose field is shown. */
  send(): void;
  /** Reads an open thread again that could not be read. */
  retryThread(): void;
  /** Asks the desk again now. */
  retry(): void;
  /** Says that everything up to `version` was shown. Answers why it could not be said, if so. */
  surfaced(item: Pick<InboxItem, 'account' | 'task_id'>, version: number): Promise<DeskError | undefined>;
  /** Fetches the next hundred of what is done, of each account. Answers why it could not, if so. */
  loadOlder(): Promise<DeskError | undefined>;
}

/** What the actions work with. */
export interface ActionPorts {
  readonly client: DeskClient;
  readonly desk: DeskStore;
  readonly ui: UiStore;
  readonly compose: ComposeStore;
  readonly retry: () => void;
  /** Makes an idempotency key. */
  readonly newKey: () => string;
  /** Whether there is room for one pane only, the list or the thread. */
  readonly isStacked: () => boolean;
}

const PAGE = 100;

/** The actions of one window. */
export function createActions({ client, desk, ui, compose, retry, newKey, isStacked }: ActionPorts): WindowActions {
  /** The handoff whose thread can be seen: nobody decides about one that they do not see. */
  const openRow = (): Row | undefined => {
    const state = desk.getState();
    const isShown = state.thread?.phase === 'ready' && !(isStacked() && ui.getState().pane === 'list');
    return isShown ? rowOf(state, state.thread?.key) : undefined;
  };
  const focus = (target: FocusTarget): void => ui.setState({ focus: target });
  const setMode = (key: ItemKey, mode: WrittenStep): void => composeDispatch(compose, { type: 'mode', key, mode });

  const textOf = (key: ItemKey, step: Step): string => compose.getState().drafts[draftId(key, step)]?.text ?? '';

  const actions: WindowActions = {
    select({ account, task_id: taskId }, show) {
      ui.setState(show ? { selected: { account, taskId }, pane: 'thread' } : { selected: { account, taskId } });
      dispatch(desk, { type: 'thread_opened', account, taskId });
      // the list, and the keyboard in it, is gone
      if (show && isStacked()) focus('thread');
    },
    move(by) {
      const { rows, doneTotal, thread } = desk.getState();
      const row = stepFrom(rowsOf(sectionsOf(rows, ui.getState().filter, doneTotal)), thread?.key, by);
      if (row !== undefined) actions.select(row.item, false);
    },
    open() {
      if (desk.getState().thread === undefined) return;
      ui.setState({ pane: 'thread' });
      focus('thread');
    },
    back() {
      const row = openRow();
      const mode = row && compose.getState().docks[row.key]?.mode;
      if (row !== undefined && mode !== undefined && mode !== 'reply') {
        setMode(row.key, 'reply');
        focus('thread');
        return;
      }
      ui.setState({ pane: 'list' });
      focus('list');
    },
    showFilter: (filter) => ui.setState({ filter, pane: 'list' }),
    setTheme: (theme) => ui.setState({ theme }),
    focusTaken: () => ui.setState({ focus: undefined }),
    showHelp: (helpOpen) => ui.setState({ helpOpen }),
    keepScroll: (filter, offset) => ui.setState(({ scroll }) => ({ scroll: { ...scroll, [filter]: offset } })),
    begin(mode) {
      const row = openRow();
      if (row === undefined || TERMINAL_STATES.has(row.item.handoff.state)) return;
      const { role, state } = row.item.handoff;
      if (!stepsFor(role, state).includes(mode)) return;
      setMode(row.key, mode);
      focus('dock');
    },
    type(step, text) {
      const row = openRow();
      if (row !== undefined) composeDispatch(compose, { type: 'typed', key: row.key, step, text });
    },
    take(step) {
      const row = openRow();
      if (row === undefined || !stepsFor(row.item.handoff.role, row.item.handoff.state).includes(step)) return;
      if (needsWords(step) && textOf(row.key, step).trim() === '') return focus('dock');
      void takeStep(client, compose, row.item, step, newKey).then((taken) => {
        // the form that had the keyboard is gone
        if (taken && isWritten(step) && step !== 'reply') focus('thread');
      });
    },
    send() {
      const row = openRow();
      if (row !== undefined) actions.take((compose.getState().docks[row.key] ?? EMPTY_DOCK).mode);
    },
    retryThread: () => dispatch(desk, { type: 'thread_retried' }),
    retry,
    surfaced: ({ account, task_id: id }, version) =>
      client.call('markSurfaced', { as: account, task_id: id, version }).then(() => undefined, deskError),
    loadOlder() {
      const { accounts, older } = desk.getState();
      const pages = accounts.map(async ({ handle }) => {
        const cursor = older[handle];
        if (cursor === '') return;
        const status = [...TERMINAL_STATES];
        const from = cursor === undefined ? {} : { cursor };
        const { items, next_cursor: next } = await client.call('listHandoffs', {
          as: handle,
          status,
          limit: PAGE,
          ...from,
        });
        dispatch(desk, { type: 'listed', account: handle, items, next });
      });
      return Promise.all(pages).then(() => undefined, deskError);
    },
  };
  return actions;
}
