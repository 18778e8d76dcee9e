import {
  COMMANDS,
  type CommandName,
  type CommandOutput,
  type Surface,
  type WriteResult,
} from '../../relay/contract/desk-api.ts';
import type { HandoffView, Party } from '../../relay/contract/handoff.ts';
import { invalidParams } from '../../relay/contract/reasons.ts';
import type { LiveAccount } from './account.ts';
import { createAuditCommands } from './audit/audit-commands.ts';
import { checked } from './checked.ts';
import type { DeskOptions } from './options.ts';
import { otherParty, toItem } from './grouping.ts';
import { fullHandle, relayName } from './handles.ts';
import { arrange, countUnread, countWaiting } from './inbox.ts';
import { CLOSED_KEPT } from './list-picture.ts';
import { reading, writing } from './reach.ts';
import { readThread } from './read-thread.ts';
import { handoffRequest, threadMessageRequest, updateRequest, type Writing } from './requests.ts';
import { receiptOf, toWriteResult } from './write-result.ts';

/** What the commands work on. */
export interface CommandContext extends Pick<
  DeskOptions,
  'version' | 'shell' | 'commandLine' | 'registerAgent' | 'openWindow' | 'status' | 'audit'
> {
  readonly account: LiveAccount;
  /** The number of the newest event. */
  readonly head: () => number;
  /** A new idempotency key. */
  readonly newKey: () => string;
}

/** Every command, from unchecked input to its answer. */
export type Commands = {
  readonly [C in CommandName]: (input: unknown, surface: Surface) => Promise<CommandOutput<C>>;
};

const DEFAULT_PAGE = 20;
const CONTACT_ACTS = { accept: 'contact_accepted', decline: 'contact_declined', remove: 'contact_removed' } as const;

export function createCommands(context: CommandContext): Commands {
  const { account } = context;

  /** The account that acts. INVALID_PARAMS when it is none of ours. */
  function acting(as: string | undefined): LiveAccount {
    if (as === undefined || fullHandle(as, relayName(account.handle)) === account.handle) return account;
    throw invalidParams('as', `${as} is no account of this desk. It has: ${account.handle}.`);
  }

  async function write(
    input: { readonly as?: string; readonly idempotency_key?: string },
    author: Surface,
    send: (account: LiveAccount, writing: Writing) => Promise<HandoffView>,
  ): Promise<WriteResult> {
    const by = acting(input.as);
    const key = input.idempotency_key ?? context.newKey();
    const view = await writing(by, () => send(by, { key, author }), key);
    by.picture.learn(view);
    const peer = view[otherParty(view.role)];
    // what nobody has fetched waits for the peer, if that is away: of one that is new the relay says it on the stream
    if (receiptOf(view) === 'queued') await by.meet(peer);
    return toWriteResult(view, by.peers.isOffline(peer));
  }

  return {
    getSnapshot: checked(COMMANDS.getSnapshot, async () => {
      const { items, doneTotal } = arrange(account.picture.items(), CLOSED_KEPT);
      const { version, shell, commandLine } = context;
      return {
        seq: context.head(),
        version,
        shell,
        ...commandLine,
        accounts: [account.describe()],
        offline: [...account.peers.offline()],
        items,
        done_total: doneTotal + account.picture.moreClosed(),
      };
    }),

    getStatus: checked(COMMANDS.getStatus, async () => {
      const { handle, relay, state } = account.describe();
      const unread = countUnread(account.picture.items());
      return {
        version: context.version,
        ...context.status(),
        accounts: [{ handle, relay, state, unread }],
        sessions: [],
        pairings: [],
      };
    }),

    openWindow: checked(COMMANDS.openWindow, async () => ({ url: await context.openWindow() })),

    listHandoffs: checked(COMMANDS.listHandoffs, async ({ as, role, status, limit = DEFAULT_PAGE, cursor }) => {
      const by = acting(as);
      const query = { limit, ...(role && { role }), ...(status && { states: status }), ...(cursor && { cursor }) };
      const { views, nextCursor } = await reading(by, () => by.client.listHandoffs(query));
      return {
        items: views.map((view) => toItem(view, by.handle)),
        next_cursor: nextCursor,
        waiting: countWaiting(by.picture.items()),
      };
    }),

    getThread: checked(COMMANDS.getThread, async ({ as, task_id: taskId }) => {
      const by = acting(as);
      const { view, events } = await reading(by, () => readThread(by.client, taskId));
      return { item: toItem(view, by.handle), events };
    }),

    sendHandoff: checked(COMMANDS.sendHandoff, (input, surface) =>
      write(input, surface, (by, how) => {
        const recipient = fullHandle(input.to, relayName(by.handle));
        return by.client.sendMessage(handoffRequest(input, recipient, how));
      }),
    ),

    updateHandoff: checked(COMMANDS.updateHandoff, (input, surface) =>
      write(input, surface, (by, how) => by.client.updateTask(updateRequest(input, how))),
    ),

    sendMessage: checked(COMMANDS.sendMessage, (input, surface) =>
      write(input, surface, async (by, how) => {
        const role = await roleIn(by, input.task_id);
        return by.client.sendMessage(threadMessageRequest(input, role, how));
      }),
    ),

    markSurfaced: checked(COMMANDS.markSurfaced, async ({ as, task_id, version }) => {
      const by = acting(as);
      await writing(by, () => by.client.postReceipts([{ task_id, version, state: 'surfaced' }]));
      return {};
    }),

    listDeadLetters: checked(COMMANDS.listDeadLetters, async ({ as }) => {
      const by = acting(as);
      return reading(by, () => by.client.deadLetters());
    }),

    redeliver: checked(COMMANDS.redeliver, async ({ as, task_id: taskId }) => {
      const by = acting(as);
      return writing(by, () => by.client.redeliver(taskId));
    }),

    listContacts: checked(COMMANDS.listContacts, async ({ as }) => {
      const by = acting(as);
      return { contacts: [...(await reading(by, () => by.client.contacts()))] };
    }),

    decideContact: checked(COMMANDS.decideContact, async ({ as, handle, decision }, surface) => {
      const by = acting(as);
      const peer = fullHandle(handle, relayName(by.handle));
      const now = await writing(by, () => by.client.decideContact(peer, decision));
      context.audit.note({ action: CONTACT_ACTS[decision], actor: surface, account: by.handle, peer });
      return now;
    }),

    setBlocked: checked(COMMANDS.setBlocked, async ({ as, handle, blocked }, surface) => {
      const by = acting(as);
      const peer = fullHandle(handle, relayName(by.handle));
      const now = await writing(by, () => by.client.setBlocked(peer, blocked));
      context.audit.note({ action: blocked ? 'blocked' : 'unblocked', actor: surface, account: by.handle, peer });
      return now;
    }),

    registerAgent: checked(COMMANDS.registerAgent, async (input, surface) => {
      const made = await context.registerAgent(input);
      context.audit.note({ action: 'agent_registered', actor: surface, account: account.handle, peer: made.handle });
      return made;
    }),

    ...createAuditCommands({
      audit: context.audit,
      accountOf: (as) => acting(as).handle,
      fullHandle: (handle) => fullHandle(handle, relayName(account.handle)),
    }),
  };
}

/** Which side of a handoff an account is on. */
async function roleIn(by: LiveAccount, taskId: string): Promise<Party> {
  const known = by.picture.get(taskId) ?? (await by.client.threadPage(taskId, 0, 1)).handoff;
  return known.role;
}
