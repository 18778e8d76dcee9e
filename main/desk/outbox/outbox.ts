import { isDeepStrictEqual } from 'node:util';
import type { ContactView } from '../../../relay/contract/contact.ts';
import type { Kept, Surface, WriteResult } from '../../../relay/contract/desk-api.ts';
import type { HandoffView } from '../../../relay/contract/handoff.ts';
import type { JsonObject } from '../../../relay/contract/json.ts';
import type { OutboxItem } from '../../../relay/contract/outbox.ts';
import { RelayError } from '../../../relay/contract/reasons.ts';
import type { LiveAccount } from '../accounts/account.ts';
import type { Audit } from '../audit/audit.ts';
import type { Logger } from '../options.ts';
import { sentBy } from '../requests.ts';
import type { OutboxKey, OutboxMark, OutboxRow, OutboxStore } from '../store/outbox-store.ts';
import type { Timing } from '../timing.ts';
import type { About } from '../turns/budget.ts';
import { afterFailure } from './after-failure.ts';
import { toKept, toOutboxItem } from './outbox-item.ts';
import { createPostman } from './postman.ts';

/** What could not be sent: kept until it can be, or until a person has decided (docs/explanation/outbox.md). */
export interface Outbox {
  /**
   * Keeps a write, durably, before anybody is told that it waits. IDEMPOTENCY_CONFLICT for another one under its key,
   * OUTBOX_FULL where too many wait.
   */
  keep(account: LiveAccount, row: Omit<OutboxRow, 'account' | 'created_at' | 'attempts' | 'next_at'>): Kept;
  /** What is kept under a key. IDEMPOTENCY_CONFLICT where that is another write. */
  kept(key: OutboxKey, request: JsonObject): Kept | undefined;
  /** Whether something that was written before on a thread is still to be sent. */
  holdsUp(account: string, thread: string): boolean;
  list(account?: string): readonly OutboxItem[];
  /**
   * Sends at a person's word what waits for one, or came back. OUTBOX_ITEM_NOT_FOUND; else fails as the relay does, and
   * keeps it.
   */
  release(account: LiveAccount, id: string, by: Surface): Promise<WriteResult>;
  /** Drops it. OUTBOX_ITEM_NOT_FOUND, also where it was on its way and has arrived. */
  discard(account: LiveAccount, id: string, by: Surface): Promise<void>;
  /** What there is now between an account and a peer. */
  contact(account: LiveAccount, contact: Pick<ContactView, 'handle' | 'outgoing'>): void;
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

/** As many as a person can look through; an agent that writes and writes fills no disk. */
export const MOST_KEPT = 500;

export function createOutbox(options: OutboxOptions): Outbox {
  const { store, audit, logger, timing, clock, random, onChange } = options;
  /** What was last heard of who may be reached, by account and peer: it may be heard before the answer that asks for it. */
  const reachable = new Set<string>();

  function mark(key: OutboxKey, change: OutboxMark): OutboxRow | undefined {
    const row = store.mark(key, change);
    if (row === undefined) return undefined;
    onChange(key, toOutboxItem(row));
    if (row.state === 'returned') {
      const { account, peer, thread: ref, reason } = row;
      audit.note({ action: 'outbox_returned', actor: 'desk', account, peer, ref, detail: { reason: reason ?? '' } });
    }
    return row;
  }

  function remove(key: OutboxKey): void {
    if (store.remove(key)) onChange(key, undefined);
  }

  function failed(row: OutboxRow, error: unknown): OutboxMark {
    return afterFailure(row, error, { now: clock(), random: random(), timing });
  }

  const postman = createPostman({
    store,
    logger,
    clock,
    firstRetryMs: timing.firstRetryMs,
    onSent: remove,
    onFailed: (row, error) => mark(row, failed(row, error)),
  });

  function find(account: LiveAccount, id: string): OutboxRow {
    const row = store.get({ account: account.handle, id });
    if (row !== undefined) return row;
    throw new RelayError('OUTBOX_ITEM_NOT_FOUND', 'Nothing with this id waits to be sent. It was sent or dropped.');
  }

  function wait(account: LiveAccount, peer: string): readonly OutboxRow[] {
    return store.list(account.handle).filter((row) => row.state === 'waiting_contact' && row.peer === peer);
  }

  function heard(account: LiveAccount, { handle: peer, outgoing }: Pick<ContactView, 'handle' | 'outgoing'>): void {
    const key = `${account.handle} ${peer}`;
    if (outgoing === 'accepted') reachable.add(key);
    else reachable.delete(key);
    switch (outgoing) {
      case 'requested':
        return;
      case 'declined':
        for (const row of wait(account, peer)) {
          mark(row, { state: 'returned', reason: `${peer} does not take messages from you.` });
        }
        return;
      // where nobody was asked any more, sending asks again
      case 'none':
      case 'accepted':
        for (const row of wait(account, peer)) mark(row, { state: 'waiting_relay', next_at: clock() });
        postman.send(account);
    }
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
    keep(account, row) {
      if (store.count(account.handle) >= MOST_KEPT) {
        throw new RelayError(
          'OUTBOX_FULL',
          `${MOST_KEPT} writes wait already. Send or drop some first: agentrelay outbox.`,
        );
      }
      const kept = store.put({ ...row, account: account.handle, created_at: clock(), attempts: 0, next_at: clock() });
      onChange(kept, toOutboxItem(kept));
      // they accepted while the answer was on its way that they had to be asked
      if (kept.state === 'waiting_contact' && reachable.delete(`${account.handle} ${kept.peer}`)) {
        mark(kept, { state: 'waiting_relay', next_at: clock() });
        postman.send(account);
      }
      return toKept(kept);
    },
    kept(key, request) {
      const row = store.get(key);
      if (row === undefined) return undefined;
      // whoever writes it: the relay does not tell them apart either
      if (isDeepStrictEqual(sentBy(row.request, 'cli'), sentBy(request, 'cli'))) return toKept(row);
      throw new RelayError('IDEMPOTENCY_CONFLICT', 'Something else waits under this key. Use a new key.');
    },
    holdsUp: store.holdsUp,
    list: (account) => store.list(account).map(toOutboxItem),
    async release(account, id, by) {
      await postman.delivered({ account: account.handle, id });
      const row = find(account, id);
      noteRelease(row, by);
      decided(row);
      try {
        const view = await postman.deliver(account, row, by);
        remove(row);
        postman.send(account);
        return await options.toResult(account, view);
      } catch (error) {
        const change = failed(row, error);
        if (change.state === 'returned') throw error;
        const now = mark(row, change);
        postman.send(account);
        if (now === undefined) throw error;
        return toKept(now);
      }
    },
    async discard(account, id, by) {
      // what is on its way has arrived or not before anybody says that it was dropped
      await postman.delivered({ account: account.handle, id });
      const row = find(account, id);
      remove(row);
      decided(row);
      const { peer, thread: ref, state } = row;
      audit.note({ action: 'egress_discarded', actor: by, account: account.handle, peer, ref, detail: { id, state } });
      postman.send(account);
    },
    contact: heard,
    contactsListed(account, known) {
      const waiting = store.list(account.handle).filter(({ state }) => state === 'waiting_contact');
      for (const peer of new Set(waiting.map((row) => row.peer))) {
        if (!known.has(peer)) heard(account, { handle: peer, outgoing: 'none' });
      }
    },
    connected: postman.send,
    close: postman.close,
  };
}
