import { isDeepStrictEqual } from 'node:util';
import { retryDelay } from '../../../relay/contract/back-off.ts';
import type { ContactView } from '../../../relay/contract/contact.ts';
import type { Kept, Surface, WriteResult } from '../../../relay/contract/desk-api.ts';
import type { HandoffView } from '../../../relay/contract/handoff.ts';
import type { JsonObject } from '../../../relay/contract/json.ts';
import type { OutboxItem } from '../../../relay/contract/outbox.ts';
import { RelayError, type Reason } from '../../../relay/contract/reasons.ts';
import type { LiveAccount } from '../accounts/account.ts';
import type { Audit } from '../audit/audit.ts';
import type { Logger } from '../options.ts';
import { sentBy } from '../requests.ts';
import type { OutboxKey, OutboxMark, OutboxRow, OutboxStore } from '../store/outbox-store.ts';
import type { Timing } from '../timing.ts';
import { ConnectionError, describeTrouble } from '../trouble.ts';
import type { About } from '../turns/budget.ts';
import { toKept, toOutboxItem } from './outbox-item.ts';

/** What could not be sent: kept until it can be, or until a person has decided (docs/explanation/outbox.md). */
export interface Outbox {
  /** Keeps a write, durably, before anybody is told that it waits. IDEMPOTENCY_CONFLICT for another one under its key. */
  keep(row: Omit<OutboxRow, 'created_at' | 'attempts' | 'next_at'>): Kept;
  /** What is kept under a key. IDEMPOTENCY_CONFLICT where that is another write. */
  kept(key: OutboxKey, request: JsonObject): Kept | undefined;
  list(account?: string): readonly OutboxItem[];
  /**
   * Sends at a person's word what waits for one, or came back. OUTBOX_ITEM_NOT_FOUND; else fails as the relay does, and
   * keeps it.
   */
  release(account: LiveAccount, id: string, by: Surface): Promise<WriteResult>;
  /** Drops it. OUTBOX_ITEM_NOT_FOUND. */
  discard(account: LiveAccount, id: string, by: Surface): void;
  /** What there is now between an account and a peer. */
  contact(account: LiveAccount, contact: ContactView): void;
  /** Everybody with whom there is anything was told of: who is not among them was not asked, or has forgotten it. */
  contactsListed(account: LiveAccount, known: ReadonlySet<string>): void;
  /** The relay of an account can be reached: what may be sent is. */
  connected(account: LiveAccount): void;
  /** Stops trying. Idempotent. */
  close(): Promise<void>;
}

export interface OutboxOptions {
  readonly store: OutboxStore;
  readonly audit: Pick<Audit, 'note'>;
  readonly logger: Logger;
  readonly timing: Timing;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** In [0, 1). */
  readonly random: () => number;
  /** A person has decided about what waited. */
  readonly onDecided: (about: About) => void;
  /** How a write turned out that has reached the relay. */
  readonly toResult: (account: LiveAccount, view: HandoffView) => Promise<WriteResult>;
  /** Something waits, waits for something else, or does not wait any more: then there is no item. */
  readonly onChange: (key: OutboxKey, item: OutboxItem | undefined) => void;
}

/** It may go better another time: the relay, or the way to it, is what stands in the way. */
const PASSING: ReadonlySet<Reason> = new Set([
  'UNAUTHENTICATED',
  'RATE_LIMITED',
  'REQUEST_TIMEOUT',
  'INTERNAL',
  'STORAGE_FAILED',
  'SHUTTING_DOWN',
  'RELAY_UNREACHABLE',
]);

export function createOutbox(options: OutboxOptions): Outbox {
  const { store, audit, logger, timing, clock, random, onChange } = options;
  const sending = new Map<string, Promise<void>>();
  const timers = new Map<string, NodeJS.Timeout>();
  let isClosed = false;

  function mark(key: OutboxKey, change: OutboxMark): OutboxRow | undefined {
    const row = store.mark(key, change);
    if (row !== undefined) onChange(key, toOutboxItem(row));
    return row;
  }

  function remove(key: OutboxKey): void {
    if (store.remove(key)) onChange(key, undefined);
  }

  function giveBack({ account, id, peer, thread }: OutboxRow, reason: string): void {
    mark({ account, id }, { state: 'returned', reason });
    audit.note({ action: 'outbox_returned', actor: 'desk', account, peer, ref: thread, detail: { reason } });
  }

  /** What is to be done with a row that the relay did not take. */
  function missed(row: OutboxRow, error: unknown): OutboxMark | 'give back' {
    const attempts = row.attempts + 1;
    const next_at = clock() + retryDelay(row.attempts, random(), timing);
    if (error instanceof ConnectionError) {
      const reason = `The relay cannot be reached (${describeTrouble(error.trouble)}). It is sent when it is back.`;
      return { state: 'waiting_relay', reason, attempts, next_at };
    }
    if (!(error instanceof RelayError)) throw error;
    if (error.reason === 'CONTACT_REQUESTED') return { state: 'waiting_contact', reason: asked(row.peer), attempts };
    if (error.reason === 'LOOP_STOPPED') return { state: 'needs_human', reason: error.message, attempts };
    return PASSING.has(error.reason)
      ? { state: 'waiting_relay', reason: error.message, attempts, next_at }
      : 'give back';
  }

  /** One row. @returns whether the next one may be tried */
  async function trySend(account: LiveAccount, row: OutboxRow): Promise<boolean> {
    try {
      await sendRequest(account, row.kind, row.request);
      remove(row);
      return true;
    } catch (error) {
      if (isClosed) return false;
      const change = missed(row, error);
      if (change === 'give back') giveBack(row, error instanceof RelayError ? error.message : '');
      else mark(row, change);
      if (error instanceof RelayError && error.reason === 'UNAUTHENTICATED') account.doubt();
      return change === 'give back' || change.state !== 'waiting_relay';
    }
  }

  async function sendDue(account: LiveAccount): Promise<void> {
    for (;;) {
      const [row] = isClosed ? [] : store.due(account.handle, clock());
      if (row === undefined || !(await trySend(account, row))) return;
    }
  }

  /** One at a time for an account; a call in between is one more round. */
  function flush(account: LiveAccount): void {
    clearTimeout(timers.get(account.handle));
    const running = (sending.get(account.handle) ?? Promise.resolve())
      .then(() => sendDue(account))
      .catch((error: unknown) => logger.error({ err: error }, 'what waits in the outbox could not be sent'))
      .then(() => {
        if (sending.get(account.handle) === running) sending.delete(account.handle);
        plan(account);
      });
    sending.set(account.handle, running);
  }

  function plan(account: LiveAccount): void {
    const at = isClosed ? undefined : store.nextDue(account.handle);
    clearTimeout(timers.get(account.handle));
    if (at === undefined) return;
    timers.set(account.handle, setTimeout(() => flush(account), Math.max(at - clock(), timing.firstRetryMs)).unref());
  }

  function heard(account: LiveAccount, { handle: peer, outgoing }: Pick<ContactView, 'handle' | 'outgoing'>): void {
    const waiting = store.list(account.handle).filter((row) => row.state === 'waiting_contact' && row.peer === peer);
    if (waiting.length === 0) return;
    switch (outgoing) {
      case 'requested':
        return;
      case 'declined':
        for (const row of waiting) giveBack(row, `${peer} does not take messages from you.`);
        return;
      // where nobody was asked any more, sending asks again
      case 'none':
      case 'accepted':
        for (const row of waiting) mark(row, { state: 'waiting_relay', next_at: clock() });
        flush(account);
    }
  }

  function find(account: LiveAccount, id: string): OutboxRow {
    const row = store.get({ account: account.handle, id });
    if (row !== undefined) return row;
    throw new RelayError('OUTBOX_ITEM_NOT_FOUND', 'Nothing with this id waits to be sent. It was sent or dropped.');
  }

  function decided({ account, peer, kind, thread }: OutboxRow): void {
    options.onDecided({ account, peer, ...(kind !== 'handoff' && { thread }) });
  }

  function noteRelease(row: OutboxRow, by: Surface): void {
    const { account, peer, thread: ref } = row;
    const action = row.findings.length > 0 ? 'egress_released' : 'loop_resumed';
    if (row.state === 'needs_human') audit.note({ action, actor: by, account, peer, ref, detail: { id: row.id } });
  }

  return {
    keep(row) {
      const kept = store.put({ ...row, created_at: clock(), attempts: 0, next_at: clock() });
      onChange(kept, toOutboxItem(kept));
      return toKept(kept);
    },
    kept(key, request) {
      const row = store.get(key);
      if (row === undefined) return undefined;
      // whoever writes it: the relay does not tell them apart either
      if (isDeepStrictEqual(sentBy(row.request, 'cli'), sentBy(request, 'cli'))) return toKept(row);
      throw new RelayError('IDEMPOTENCY_CONFLICT', 'Something else waits under this key. Use a new key.');
    },
    list: (account) => store.list(account).map(toOutboxItem),
    async release(account, id, by) {
      const row = find(account, id);
      noteRelease(row, by);
      decided(row);
      try {
        const view = await sendRequest(account, row.kind, row.request).catch((error: unknown) => {
          // the chain of agents ends with the person who sends it on
          if (!(error instanceof RelayError) || error.reason !== 'LOOP_STOPPED') throw error;
          return sendRequest(account, row.kind, sentBy(row.request, by));
        });
        remove(row);
        return await options.toResult(account, view);
      } catch (error) {
        const change = missed(row, error);
        if (change === 'give back') throw error;
        const now = mark(row, change);
        plan(account);
        if (now === undefined) throw error;
        return toKept(now);
      }
    },
    discard(account, id, by) {
      const row = find(account, id);
      remove(row);
      decided(row);
      const { peer, thread: ref, state } = row;
      audit.note({ action: 'egress_discarded', actor: by, account: account.handle, peer, ref, detail: { id, state } });
    },
    contact: heard,
    contactsListed(account, known) {
      const waiting = store.list(account.handle).filter(({ state }) => state === 'waiting_contact');
      for (const peer of new Set(waiting.map((row) => row.peer))) {
        if (!known.has(peer)) heard(account, { handle: peer, outgoing: 'none' });
      }
    },
    connected: flush,
    async close() {
      isClosed = true;
      for (const timer of timers.values()) clearTimeout(timer);
      await Promise.all(sending.values());
    },
  };
}

/** Sends a request that was made here: the handoff as it is then. */
export async function sendRequest(
  { client, picture }: LiveAccount,
  kind: OutboxRow['kind'],
  request: JsonObject,
): Promise<HandoffView> {
  const view = await (kind === 'update' ? client.updateTask(request) : client.sendMessage(request));
  picture.learn(view);
  return view;
}

/** Why it waits for a contact. */
export function asked(peer: string): string {
  return `${peer} does not know you yet, and was asked. It is sent as soon as they accept.`;
}
