import { randomUUID } from 'node:crypto';
import type { DeskApi } from '../../relay/contract/desk-api.ts';
import { startAccount } from './account.ts';
import { createHandoffNotes } from './audit/note-handoffs.ts';
import { createCommands } from './commands.ts';
import { createEventLog } from './event-log.ts';
import type { DeskOptions } from './options.ts';
import { DEFAULT_TIMING } from './timing.ts';

/** What is kept for clients that come back: one event may have a megabyte. */
const EVENTS_KEPT = { events: 1_000, characters: 4_000_000 };

export interface Desk extends DeskApi {
  /** Connects anew at once: after sleep, or when somebody wants to try now. */
  wake(): void;
  /** Ends streams, requests and subscriptions. Idempotent. */
  close(): Promise<void>;
}

/**
 * The local user's side. Resolves when the account has caught up with its relay, or the first attempt at it has failed;
 * from then on it comes back by itself, and `account` events say how it stands.
 */
export async function createDesk(options: DeskOptions): Promise<Desk> {
  const { logger, clock = Date.now, random = { number: Math.random, id: randomUUID } } = options;
  const log = createEventLog({
    capacity: EVENTS_KEPT,
    onListenerError: (error) => logger.error({ err: error }, 'a listener of desk events failed'),
  });
  const handoffs = createHandoffNotes(options.audit);
  const account = startAccount({
    ...options.account,
    deskId: options.deskId,
    timing: { ...DEFAULT_TIMING, ...options.timing },
    logger,
    clock,
    random: random.number,
    onState: (state) => log.append({ type: 'account', account: state }),
    onPeer: (peer, offline) => log.append({ type: 'peer', peer, offline }),
    onReload: () => {
      handoffs.listed(account.picture.items());
      log.append({ type: 'reload' });
    },
    onChange: ({ item, event }) => {
      handoffs.changed({ item, event });
      log.append({ type: 'item', item, event });
    },
  });
  const commands = createCommands({ ...options, account, head: log.head, newKey: random.id });
  await account.settled;

  return {
    call: (command, input, surface) => commands[command](input, surface),
    subscribe: log.subscribe,
    wake: account.wake,
    async close() {
      log.close();
      await account.close();
    },
  };
}
