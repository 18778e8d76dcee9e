import type { Surface } from '../../../relay/contract/desk-api.ts';
import type { HandoffView } from '../../../relay/contract/handoff.ts';
import type { JsonObject } from '../../../relay/contract/json.ts';
import { RelayError } from '../../../relay/contract/reasons.ts';
import type { LiveAccount } from '../accounts/account.ts';
import type { Logger } from '../options.ts';
import { sentBy } from '../requests.ts';
import type { OutboxKey, OutboxRow, OutboxStore } from '../store/outbox-store.ts';

/** Carries what is due to the relays: in order, one row of an account at a time, and again when its time has come. */
export interface Postman {
  /** Begins with what is due of an account; what comes while it is at work is taken along. */
  send(account: LiveAccount): void;
  /**
   * Delivers one row at a person's word, whose own it is where the relay has stopped a circle of agents. Fails as the relay
   * does, and with a ConnectionError.
   */
  deliver(account: LiveAccount, row: OutboxRow, by: Surface): Promise<HandoffView>;
  /** Resolves once a row that is on its way has arrived or come back; at once for any other. */
  delivered(key: OutboxKey): Promise<void>;
  /** Ends. Idempotent. */
  close(): Promise<void>;
}

export interface PostmanOptions {
  readonly store: Pick<OutboxStore, 'due' | 'nextDue'>;
  readonly logger: Logger;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** At least so long between two rounds, milliseconds. */
  readonly firstRetryMs: number;
  readonly onSent: (row: OutboxRow) => void;
  /** A row could not be sent. @returns how it stands then */
  readonly onFailed: (row: OutboxRow, error: unknown) => OutboxRow | undefined;
}

export function createPostman({ store, logger, clock, firstRetryMs, onSent, onFailed }: PostmanOptions): Postman {
  const rounds = new Map<string, Promise<void>>();
  const timers = new Map<string, NodeJS.Timeout>();
  const onTheWay = new Map<string, Promise<unknown>>();
  let isClosed = false;

  /** Notes that a row is on its way until it is settled. */
  function underway<T>({ account, id }: OutboxKey, send: () => Promise<T>): Promise<T> {
    const key = `${account} ${id}`;
    const sending = send();
    const settled = sending.catch(() => undefined);
    onTheWay.set(key, settled);
    return sending.finally(() => {
      if (onTheWay.get(key) === settled) onTheWay.delete(key);
    });
  }

  /** @returns whether the next row may be tried */
  async function trySend(account: LiveAccount, row: OutboxRow): Promise<boolean> {
    try {
      await underway(row, () => sendRequest(account, row.kind, row.request).then(() => onSent(row)));
      return true;
    } catch (error) {
      if (isClosed) return false;
      if (error instanceof RelayError && error.reason === 'UNAUTHENTICATED') account.doubt();
      return onFailed(row, error)?.state !== 'waiting_relay';
    }
  }

  async function round(account: LiveAccount): Promise<void> {
    for (;;) {
      const [row] = isClosed ? [] : store.due(account.handle, clock());
      if (row === undefined || !(await trySend(account, row))) return;
    }
  }

  function send(account: LiveAccount): void {
    clearTimeout(timers.get(account.handle));
    const running = (rounds.get(account.handle) ?? Promise.resolve())
      .then(() => round(account))
      .catch((error: unknown) => logger.error({ err: error }, 'what waits in the outbox could not be sent'))
      .then(() => {
        if (rounds.get(account.handle) !== running) return;
        rounds.delete(account.handle);
        plan(account);
      });
    rounds.set(account.handle, running);
  }

  function plan(account: LiveAccount): void {
    const at = isClosed ? undefined : store.nextDue(account.handle);
    if (at === undefined) return;
    const wait = Math.max(at - clock(), firstRetryMs);
    timers.set(account.handle, setTimeout(() => send(account), wait).unref());
  }

  return {
    send,
    deliver: (account, row, by) =>
      underway(row, () =>
        sendRequest(account, row.kind, row.request).catch((error: unknown) => {
          // the chain of agents ends with the person who sends it on
          if (!(error instanceof RelayError) || error.reason !== 'LOOP_STOPPED') throw error;
          return sendRequest(account, row.kind, sentBy(row.request, by));
        }),
      ),
    delivered: async ({ account, id }) => void (await onTheWay.get(`${account} ${id}`)),
    async close() {
      isClosed = true;
      for (const timer of timers.values()) clearTimeout(timer);
      await Promise.all(rounds.values());
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
