import type { DeskError, InboxItem } from '../../relay/contract/desk-api.ts';
import { TERMINAL_STATES } from '../../relay/contract/handoff.ts';
import type { OutboxItem } from '../../relay/contract/outbox.ts';
import { deskError, type DeskClient } from '../desk-client.ts';
import {
  draftId,
  EMPTY_DOCK,
  isWritten,
  needsWords,
  stepsFor,
  type Dock,
  type Question,
  type Step,
  type WrittenStep,
} from './compose.ts';
import { composeDispatch, takeStep, type ComposeStore } from './compose-store.ts';
import { canTrust, drop, release, trust } from './decisions.ts';
import { dispatch, type DeskStore } from './desk-store.ts';
import { outboxKey, selectedKey, selectionOf, type ItemKey, type Row, type Selected } from './item.ts';
import { rowOf, waitingOf } from './reducer.ts';
import { rowsOf, sectionsOf, stepFrom, type Filter } from './sections.ts';
import type { FocusTarget, Theme, UiStore } from './ui-store.ts';

/** What people can do in the window. Each acts on what is open or selected, so keys and buttons call the same. */
export interface WindowActions {
  /** Selects a row of the list. `show` also brings it to the front, where there is room for one pane only. */
  select(selected: Selected, show: boolean): void;
  /** Selects the next or the previous row of the list. */
  move(by: 1 | -1): void;
  /** Brings what is selected to the front and the keyboard to it. */
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
  /** Asks once more before something is done for which the open pane has a button. */
  ask(question: Question): void;
  /** Does what was asked about. */
  confirm(): void;
  /** Sends on what waits and is open, or tries it again. */
  release(): void;
  /** Cancels what was sent, or drops what waits to be sent: asks first. */
  cancel(): void;
  /** Does what the open pane is about: what it asks, else what waits is sent on, else the step whose field is shown is taken. */
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
  /** What waits to be sent and can be seen. */
  const openWaiting = (): OutboxItem | undefined => {
    const { pane, selected } = ui.getState();
    return isStacked() && pane === 'list' ? undefined : waitingOf(desk.getState(), selected);
  };
  const openKey = (): ItemKey | undefined => {
    const waiting = openWaiting();
    return waiting === undefined ? openRow()?.key : outboxKey(waiting);
  };
  const dockOf = (key: ItemKey | undefined): Dock =>
    (key === undefined ? undefined : compose.getState().docks[key]) ?? EMPTY_DOCK;
  const isSelected = (waiting: OutboxItem): boolean => selectedKey(ui.getState().selected) === outboxKey(waiting);
  /** Shows nothing in the place of what is gone. */
  const leave = (waiting: OutboxItem): void => {
    if (!isSelected(waiting)) return;
    ui.setState({ selected: undefined, pane: 'list' });
    focus('list');
  };
  const focus = (target: FocusTarget): void => ui.setState({ focus: target });
  const setMode = (key: ItemKey, mode: WrittenStep): void => composeDispatch(compose, { type: 'mode', key, mode });

  const textOf = (key: ItemKey, step: Step): string => compose.getState().drafts[draftId(key, step)]?.text ?? '';

  const actions: WindowActions = {
    select(selected, show) {
      ui.setState(show ? { selected, pane: 'thread' } : { selected });
      dispatch(desk, 'taskId' in selected ? { type: 'thread_opened', ...selected } : { type: 'thread_closed' });
      // the list, and the keyboard in it, is gone
      if (show && isStacked()) focus('thread');
    },
    move(by) {
      const { filter, selected } = ui.getState();
      const row = stepFrom(rowsOf(sectionsOf(desk.getState(), filter)), selectedKey(selected), by);
      if (row !== undefined) actions.select(selectionOf(row), false);
    },
    open() {
      if (ui.getState().selected === undefined) return;
      ui.setState({ pane: 'thread' });
      focus('thread');
    },
    back() {
      const key = openKey();
      const { asks, mode } = dockOf(key);
      if (key !== undefined && (asks !== undefined || mode !== 'reply')) {
        // takes back what is asked as well
        setMode(key, 'reply');
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
    ask(question) {
      const key = openKey();
      const row = openRow();
      const canAsk = question === 'drop' ? openWaiting() !== undefined : row !== undefined && canTrust(row.item);
      if (key === undefined || !canAsk) return;
      composeDispatch(compose, { type: 'asked', key, question });
      focus('dock');
    },
    confirm() {
      const row = openRow();
      const waiting = openWaiting();
      const { asks } = dockOf(openKey());
      if (asks === 'trust' && row !== undefined && canTrust(row.item)) {
        void trust(client, compose, row.item).then((done) => done && focus('thread'));
      } else if (asks === 'drop' && waiting !== undefined) {
        void drop(client, compose, waiting).then((done) => done && leave(waiting));
      }
    },
    release() {
      const waiting = openWaiting();
      if (waiting === undefined) return;
      void release(client, compose, waiting).then((taskId) => {
        if (taskId === undefined || !isSelected(waiting)) return;
        actions.select({ account: waiting.account, taskId }, false);
        focus('thread');
      });
    },
    cancel: () => (openWaiting() === undefined ? actions.begin('cancel') : actions.ask('drop')),
    send() {
      const { asks, mode } = dockOf(openKey());
      if (asks !== undefined) actions.confirm();
      else if (openWaiting() !== undefined) actions.release();
      else actions.take(mode);
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
