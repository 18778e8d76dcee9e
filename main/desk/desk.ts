import { randomBytes, randomUUID } from 'node:crypto';
import type { DeskApi, InboxItem } from '../../relay/contract/desk-api.ts';
import { isPerson } from '../../relay/contract/handoff.ts';
import { startAccount, type LiveAccount } from './accounts/account.ts';
import { accountKeys } from './accounts/account-keys.ts';
import { createAccounts, type Accounts } from './accounts/accounts.ts';
import { createContactNews } from './accounts/contact-news.ts';
import { joinRelay } from './accounts/join.ts';
import { storedCredentials } from './accounts/stored-credentials.ts';
import { noteRequests } from './audit/note-requests.ts';
import { createHandoffNotes } from './audit/note-handoffs.ts';
import { createDecisionNotes } from './audit/note-decisions.ts';
import { createCommands, refuseAgents } from './commands.ts';
import { createEventLog } from './event-log.ts';
import { toItem } from './grouping.ts';
import type { Credentials, DeskOptions } from './options.ts';
import { createOutbox } from './outbox/outbox.ts';
import { createAccountStore, createInvitedStore } from './store/account-store.ts';
import { createOutboxStore } from './store/outbox-store.ts';
import { DEFAULT_TIMING } from './timing.ts';
import { createEnforcer } from './trust/enforce.ts';
import { eventForAgents } from './trust/for-agents.ts';
import { openTrustRules } from './trust/rules.ts';
import { createTurns } from './turns/turns.ts';
import { createWriter, resultOf } from './write.ts';

/** What is kept for clients that come back: one event may have a megabyte. */
const EVENTS_KEPT = { events: 1_000, characters: 4_000_000 };

export interface Desk extends DeskApi {
  /** Connects anew at once: after sleep, or when somebody wants to try now. */
  wake(): void;
  /** Ends streams, requests and subscriptions. Idempotent. */
  close(): Promise<void>;
}

/**
 * The local user's side. Resolves when every account has caught up with its relay, or the first attempt at it has failed;
 * from then on they come back by themselves, and `account` events say how they stand.
 */
export async function createDesk(options: DeskOptions): Promise<Desk> {
  const { logger, clock = Date.now, audit, db, secrets } = options;
  const random = options.random ?? { number: Math.random, id: randomUUID, bytes: randomBytes };
  const timing = { ...DEFAULT_TIMING, ...options.timing };
  const log = createEventLog({
    capacity: EVENTS_KEPT,
    onListenerError: (error) => logger.error({ err: error }, 'a listener of desk events failed'),
  });
  const { handle: ownHandle } = options.account;
  const rules = openTrustRules({ file: options.trust, audit, account: ownHandle, backups: options.backups, clock });
  const enforcer = createEnforcer({ logger });
  const handoffs = createHandoffNotes(audit);
  const decisions = createDecisionNotes(audit);
  const invited = createInvitedStore(db);
  const turns = createTurns({ db, clock });
  const outbox = createOutbox({
    store: createOutboxStore(db),
    audit,
    logger,
    timing,
    clock,
    random: random.number,
    onDecided: turns.humanActed,
    toResult: resultOf,
    onChange: ({ account, id }, item) => log.append({ type: 'outbox', account, id, ...(item && { item }) }),
  });

  /** What the rules say of everything that is open, done. */
  function applyRules(account: LiveAccount): void {
    for (const item of account.picture.items()) {
      decisions.decided(item);
      enforcer.enforce(account, item);
    }
  }

  /** What is over needs no count any more. One that cannot be dropped is dropped when it is old. */
  function forgetTurns({ account, task_id: thread }: InboxItem): void {
    try {
      turns.threadClosed(account, thread);
    } catch (error) {
      logger.warn({ err: error }, 'the count of turns of a thread that is over stays');
    }
  }

  /** Somebody who was invited by this desk has come: a teammate, as the invite said. */
  async function welcome(account: LiveAccount, peer: string): Promise<void> {
    if (!invited.isAwaited(account.handle, peer, clock())) return;
    // what they send at once waits for the rules to know them
    const expected = rules.expect(peer);
    await rules.edit({ kind: 'teammate', handle: peer, grants: {} }, 'desk').finally(expected);
    invited.remove(account.handle, peer);
    audit.note({ action: 'contact_accepted', actor: 'desk', account: account.handle, peer, detail: { by: 'invite' } });
  }

  const contacts = createContactNews({
    logger,
    onNews(account, contact) {
      noteRequests(audit, account.handle, contact);
      outbox.contact(account, contact);
      if (contact.incoming !== 'accepted') return;
      welcome(account, contact.handle).catch((error: unknown) => {
        logger.error({ err: error, peer: contact.handle }, 'who was invited could not be added to trust.yaml');
      });
    },
    onListed: (account, known) => outbox.contactsListed(account, known),
  });

  function start(credentials: Credentials): LiveAccount {
    const { handle } = credentials;
    const account = startAccount({
      ...credentials,
      deskId: options.deskId,
      timing,
      logger,
      clock,
      random: random.number,
      randomBytes: random.bytes,
      rows() {
        const decide = rules.now();
        return (view) => toItem(view, handle, decide);
      },
      onState: (state) => log.append({ type: 'account', account: state }),
      onPeer: (peer, offline) => log.append({ type: 'peer', peer, offline }),
      onReload() {
        contacts.missed(account);
        handoffs.listed(account.picture.items());
        applyRules(account);
        log.append({ type: 'reload' });
      },
      onCaughtUp() {
        enforcer.reconnected(account);
        applyRules(account);
        contacts.connected(account);
        outbox.connected(account);
      },
      onChange({ item, event }) {
        handoffs.changed({ item, event });
        decisions.decided(item);
        enforcer.enforce(account, item);
        if (event.kind === 'status' && item.group === 'done') forgetTurns(item);
        log.append({ type: 'item', item, event });
      },
      onContact: (contact) => contacts.heard(account, contact),
      onKeyTaken: (apiKey) => accountKeys(secrets, credentials.relayId, handle).set(apiKey),
    });
    return account;
  }

  const store = createAccountStore(db);
  // read before anything is started: what cannot be read leaves nothing running
  const others = await storedCredentials(store, secrets, logger);
  const accounts: Accounts = createAccounts(start(options.account));
  for (const credentials of others) accounts.add(start(credentials));
  const stopListening = rules.onChange(() => {
    accounts.all().forEach(applyRules);
    log.append({ type: 'reload' });
  });
  const { homeDirs, account: own } = options;
  const commands = createCommands({
    ...options,
    accounts,
    rules,
    outbox,
    invited,
    randomBytes: random.bytes,
    write: createWriter({ outbox, turns, audit, homeDirs, logger, newKey: random.id }),
    joinRelay: (link, alias) =>
      joinRelay(link, alias, {
        store,
        secrets,
        ownRelayId: own.relayId,
        timeoutMs: timing.requestMs,
        randomBytes: random.bytes,
      }),
    async open(credentials) {
      const account = start(credentials);
      accounts.add(account);
      await account.settled;
      log.append({ type: 'reload' });
    },
    head: log.head,
  });
  await Promise.all(accounts.all().map(({ settled }) => settled));

  return {
    async call(command, input, surface) {
      refuseAgents(command, surface);
      return commands[command](input, surface);
    },
    subscribe(afterSeq, listener, surface) {
      if (isPerson(surface)) return log.subscribe(afterSeq, listener);
      return log.subscribe(afterSeq, (event) => listener(eventForAgents(event, rules.now())));
    },
    wake: () => accounts.all().forEach(({ wake }) => wake()),
    async close() {
      stopListening();
      rules.close();
      log.close();
      await outbox.close();
      await Promise.all(accounts.all().map((account) => account.close()));
    },
  };
}
