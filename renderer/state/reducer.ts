import { assertNever } from '../../relay/contract/assert-never.ts';
import type {
  Account,
  DeskError,
  DeskEvent,
  InboxItem,
  OfflinePeer,
  Snapshot,
  Thread,
} from '../../relay/contract/desk-api.ts';
import type { OutboxItem } from '../../relay/contract/outbox.ts';
import { TERMINAL_STATES, type ThreadEvent } from '../../relay/contract/handoff.ts';
import type { Connection } from '../desk-client.ts';
import { itemKey, makeRow, type ItemKey, type Row, type Selected } from './item.ts';
import { changeRows, replaceRows } from './rows.ts';
import type { Terminal } from './ui-store.ts';

/** The thread that is open, with its log. */
export interface OpenThread {
  readonly key: ItemKey;
  readonly account: string;
  readonly taskId: string;
  readonly phase: 'loading' | 'ready' | 'failed';
  /** By version. Without gaps once it is ready and not stale. */
  readonly events: readonly ThreadEvent[];
  /** Its log has a gap, or may have one: it has to be read again. */
  readonly stale: boolean;
  readonly error?: DeskError;
}

/** What the window knows of the desk: a copy, made of a snapshot and the events after it. */
export interface DeskState {
  readonly phase: 'loading' | 'ready' | 'failed' | 'signed_out';
  /** Why there is nothing to show, with phase `failed`. */
  readonly error?: DeskError;
  readonly connection: Connection;
  /** The last event that went in. */
  readonly seq: number;
  /** An event is missing: a new snapshot is needed. */
  readonly stale: boolean;
  readonly version: string;
  /** Not known before the first snapshot. */
  readonly terminal?: Terminal;
  readonly accounts: readonly Account[];
  /** Peers that are known to be away. */
  readonly offline: readonly OfflinePeer[];
  /** What could not be sent yet, or will not be; in the order in which it came. */
  readonly outbox: readonly OutboxItem[];
  /** Newest first. */
  readonly rows: readonly Row[];
  readonly doneTotal: number;
  /** Per account, where the list of what is done goes on; empty at its end. */
  readonly older: Readonly<Record<string, string>>;
  readonly thread?: OpenThread;
  /** What a peer wrote last while the window was open; `seq` tells two apart. */
  readonly arrival?: { readonly seq: number; readonly item: InboxItem };
}

export type DeskAction =
  | { readonly type: 'snapshot'; readonly snapshot: Snapshot }
  /** No snapshot could be had; `at` is milliseconds since the epoch. */
  | { readonly type: 'failed'; readonly error: DeskError; readonly at: number }
  | { readonly type: 'event'; readonly event: DeskEvent }
  | { readonly type: 'connection'; readonly connection: Connection }
  /** A page of what is done; `next` is where the next one begins, empty after the last. */
  | { readonly type: 'listed'; readonly account: string; readonly items: readonly InboxItem[]; readonly next: string }
  | { readonly type: 'thread_opened'; readonly account: string; readonly taskId: string }
  | { readonly type: 'thread_closed' }
  /** The log of the open thread is asked for; what arrives until it is there is kept. */
  | { readonly type: 'thread_requested' }
  | { readonly type: 'thread_loaded'; readonly thread: Thread }
  | { readonly type: 'thread_failed'; readonly key: ItemKey; readonly error: DeskError }
  | { readonly type: 'thread_retried' };

export const INITIAL: DeskState = {
  phase: 'loading',
  connection: { state: 'open' },
  seq: 0,
  stale: false,
  version: '',
  accounts: [],
  offline: [],
  outbox: [],
  rows: [],
  doneTotal: 0,
  older: {},
};

/** The one place where what the window knows changes. Pure: effects look at `stale` and act (renderer/state/sync.ts). */
export function reduce(state: DeskState, action: DeskAction): DeskState {
  switch (action.type) {
    case 'snapshot':
      return withSnapshot(state, action.snapshot);
    case 'failed':
      return withFailure(state, action.error, action.at);
    case 'event':
      return withEvent(state, action.event);
    case 'connection':
      return action.connection.state === 'signed_out'
        ? { ...state, connection: action.connection, phase: 'signed_out' }
        : { ...state, connection: action.connection };
    case 'listed':
      return {
        ...state,
        rows: changeRows(state.rows, action.items.map(makeRow)),
        older: { ...state.older, [action.account]: action.next },
      };
    case 'thread_opened':
      return state.thread?.key === keyOf(action) ? state : { ...state, thread: openThread(action) };
    case 'thread_closed':
      return withoutThread(state);
    case 'thread_requested':
      return state.thread === undefined ? state : { ...state, thread: { ...state.thread, stale: false } };
    case 'thread_loaded':
      return withThread(state, action.thread);
    case 'thread_failed':
      return state.thread?.key === action.key
        ? { ...state, thread: withThreadError(state.thread, action.error) }
        : state;
    case 'thread_retried':
      return state.thread === undefined
        ? state
        : { ...state, thread: { ...state.thread, phase: 'loading', stale: true } };
    default:
      return assertNever(action);
  }
}

/** What waits to be sent under a selection, if it still does. */
export function waitingOf(
  { outbox }: Pick<DeskState, 'outbox'>,
  selected: Selected | undefined,
): OutboxItem | undefined {
  if (selected === undefined || 'taskId' in selected) return undefined;
  return outbox.find(({ account, id }) => account === selected.account && id === selected.outboxId);
}

/** What is known of a peer's absence, where it is away. */
export function absenceOf(
  { offline }: Pick<DeskState, 'offline'>,
  { account, peer }: Pick<InboxItem, 'account' | 'peer'>,
): OfflinePeer | undefined {
  return offline.find((one) => one.account === account && one.peer === peer);
}

/** The row with a key, if the window knows it. */
export function rowOf(state: Pick<DeskState, 'rows'>, key: ItemKey | undefined): Row | undefined {
  return key === undefined ? undefined : state.rows.find((row) => row.key === key);
}

function keyOf({ account, taskId }: { readonly account: string; readonly taskId: string }): ItemKey {
  return itemKey({ account, task_id: taskId });
}

function openThread({ account, taskId }: { readonly account: string; readonly taskId: string }): OpenThread {
  return { key: keyOf({ account, taskId }), account, taskId, phase: 'loading', events: [], stale: true };
}

function withoutThread({ thread: _closed, ...state }: DeskState): DeskState {
  return state;
}

/** What is shown stays, marked as old; where there is nothing to show, the error is. */
function withFailure(state: DeskState, error: DeskError, at: number): DeskState {
  const since = state.connection.state === 'lost' ? state.connection.since : at;
  const connection = { state: 'lost' as const, since };
  return state.phase === 'ready' ? { ...state, connection } : { ...state, connection, phase: 'failed', error };
}

function withSnapshot(state: DeskState, snapshot: Snapshot): DeskState {
  const { error: _settled, ...before } = state;
  const { seq, version, command, start, accounts, offline, items, outbox, done_total: doneTotal } = snapshot;
  const { rows, goesOn } = replaceRows(state.rows, items.map(makeRow), state.thread?.key);
  return {
    ...before,
    phase: 'ready',
    seq,
    stale: false,
    version,
    terminal: { command, ...(start === undefined ? {} : { start }) },
    accounts,
    offline,
    outbox,
    rows,
    doneTotal,
    older: goesOn ? state.older : {},
    // events may have been missed: the log is read again
    ...(state.thread === undefined ? {} : { thread: { ...state.thread, stale: true } }),
  };
}

function withEvent(state: DeskState, event: DeskEvent): DeskState {
  if (state.phase !== 'ready' || state.stale || event.seq <= state.seq) return state;
  if (event.seq !== state.seq + 1) return { ...state, stale: true };
  const next = { ...state, seq: event.seq };
  switch (event.type) {
    case 'hidden':
      return next;
    case 'reload':
      return { ...next, stale: true };
    case 'account':
      return { ...next, accounts: withAccount(state.accounts, event.account) };
    case 'peer':
      return { ...next, offline: withPeer(state.offline, event) };
    case 'outbox':
      return { ...next, outbox: withOutbox(state.outbox, event) };
    case 'item':
      return withItem(next, event);
    default:
      return assertNever(event);
  }
}

function withAccount(accounts: readonly Account[], account: Account): readonly Account[] {
  return accounts.some(({ handle }) => handle === account.handle)
    ? accounts.map((one) => (one.handle === account.handle ? account : one))
    : [...accounts, account];
}

function withPeer(
  before: readonly OfflinePeer[],
  { peer, offline }: Extract<DeskEvent, { type: 'peer' }>,
): readonly OfflinePeer[] {
  const others = before.filter((one) => one.account !== peer.account || one.peer !== peer.peer);
  return offline ? [...others, peer] : others;
}

function withOutbox(
  before: readonly OutboxItem[],
  { account, id, item }: Extract<DeskEvent, { type: 'outbox' }>,
): readonly OutboxItem[] {
  const at = before.findIndex((one) => one.account === account && one.id === id);
  if (item === undefined) return before.filter((_one, index) => index !== at);
  return at === -1 ? [...before, item] : before.with(at, item);
}

function withItem(state: DeskState, { seq, item, event }: Extract<DeskEvent, { type: 'item' }>): DeskState {
  const row = makeRow(item);
  const arrived = event.kind !== 'receipt' && event.actor !== item.handoff.role;
  return {
    ...state,
    rows: changeRows(state.rows, [row]),
    doneTotal: state.doneTotal + (closes(event) ? 1 : 0),
    ...(state.thread?.key === row.key ? { thread: withLogEntry(state.thread, event) } : {}),
    ...(arrived ? { arrival: { seq, item } } : {}),
  };
}

/** Whether an event is the one that ended a handoff. */
function closes(event: ThreadEvent): boolean {
  return event.kind === 'status' && TERMINAL_STATES.has(event.state);
}

/** The log with one more event. Before it is loaded, events are kept as they come. */
function withLogEntry(thread: OpenThread, event: ThreadEvent): OpenThread {
  const last = thread.events.at(-1)?.version ?? 0;
  if (event.version <= last) return thread;
  const follows = thread.phase !== 'ready' || event.version === last + 1;
  return follows ? { ...thread, events: [...thread.events, event] } : { ...thread, stale: true };
}

/** What is shown stays; what was on its way has failed. It is tried again where that may help. */
function withThreadError(thread: OpenThread, error: DeskError): OpenThread {
  const stale = error.reason === 'RELAY_UNREACHABLE';
  return thread.phase === 'ready' ? { ...thread, stale } : { ...thread, phase: 'failed', error, stale };
}

/** The loaded log, and behind it what arrived while it was on its way. */
function withThread(state: DeskState, { item, events }: Thread): DeskState {
  const key = itemKey(item);
  const listed = { ...state, rows: changeRows(state.rows, [makeRow(item)]) };
  if (state.thread?.key !== key) return listed;
  const { error: _settled, ...thread } = state.thread;
  const ready = { ...thread, phase: 'ready' as const, events };
  return { ...listed, thread: thread.events.reduce(withLogEntry, ready) };
}
