import {
  COMMANDS,
  type CommandName,
  type CommandOutput,
  type Surface,
  type WriteResult,
} from '../../relay/contract/desk-api.ts';
import { isPerson, type HandoffView, type Party } from '../../relay/contract/handoff.ts';
import { RelayError } from '../../relay/contract/reasons.ts';
import { createAccountCommands, type AccountCommandsOptions } from './accounts/account-commands.ts';
import type { LiveAccount } from './accounts/account.ts';
import { createContactCommands } from './accounts/contact-commands.ts';
import { createAuditCommands } from './audit/audit-commands.ts';
import type { Audit } from './audit/audit.ts';
import { checked } from './checked.ts';
import type { DeskOptions } from './options.ts';
import { arrange, countUnread, countWaiting } from './inbox.ts';
import { CLOSED_KEPT } from './list-picture.ts';
import { createOutboxCommands } from './outbox/outbox-commands.ts';
import type { Outbox } from './outbox/outbox.ts';
import { reading, writing } from './reach.ts';
import { readThread } from './read-thread.ts';
import { handoffRequest, threadMessageRequest, updateRequest } from './requests.ts';
import { outboxForAgents, refuseHidden, rowsForAgents } from './trust/for-agents.ts';
import { createTrustCommands } from './trust/trust-commands.ts';
import type { Draft, Write } from './write.ts';
import { otherParty } from './grouping.ts';

/** What the commands work on. */
export interface CommandContext
  extends
    Pick<DeskOptions, 'version' | 'shell' | 'commandLine' | 'registerAgent' | 'openWindow' | 'status'>,
    Omit<AccountCommandsOptions, 'audit'> {
  readonly audit: Audit;
  readonly outbox: Outbox;
  readonly write: Write;
  /** The number of the newest event. */
  readonly head: () => number;
}

/** Every command, from unchecked input to its answer. */
export type Commands = {
  readonly [C in CommandName]: (input: unknown, surface: Surface) => Promise<CommandOutput<C>>;
};

const DEFAULT_PAGE = 20;
/**
 * Who may reach whom, what leaves, and the window, in which all of it can be done: a coding agent could be talked into that by
 * what it reads.
 */
const FOR_PEOPLE: ReadonlySet<CommandName> = new Set([
  'openWindow',
  'decideContact',
  'setBlocked',
  'registerAgent',
  'releaseOutbox',
  'discardOutbox',
  'changeTrust',
  'resetTrust',
  'invite',
  'join',
  'rotateKey',
]);

/** HUMAN_REQUIRED for a command that is not for the agents of a person. */
export function refuseAgents(command: CommandName, surface: Surface): void {
  if (isPerson(surface) || !FOR_PEOPLE.has(command)) return;
  const message = 'Only a person does that: in the window of AgentRelay, or with the agentrelay command.';
  throw new RelayError('HUMAN_REQUIRED', message);
}

export function createCommands(context: CommandContext): Commands {
  const { accounts, outbox, rules, audit, write } = context;

  /** HELD_BY_TRUST for an agent that asks for what our rules hold back: a person decides first. */
  async function refuseHeld(by: LiveAccount, taskId: string, surface: Surface): Promise<void> {
    if (!isPerson(surface)) refuseHidden(by.rows()(await viewOf(by, taskId)));
  }

  /** A write on a thread, by the account that knows it. */
  async function writeOn(
    input: { readonly as?: string; readonly task_id: string },
    draft: Omit<Draft, 'about'>,
    by: Surface,
  ): Promise<WriteResult> {
    const { as, task_id: thread } = input;
    const account = accounts.with(thread, as);
    await refuseHeld(account, thread, by);
    const about = async (): Promise<{ peer: string; thread: string }> => {
      const view = await viewOf(account, thread);
      return { peer: view[otherParty(view.role)], thread };
    };
    return write(account, { ...draft, about }, by);
  }

  return {
    getSnapshot: checked(COMMANDS.getSnapshot, async (_input, surface) => {
      const all = accounts.all();
      const { items, doneTotal } = arrange(
        all.flatMap(({ picture }) => picture.items()),
        CLOSED_KEPT,
      );
      const { version, shell, commandLine } = context;
      return {
        seq: context.head(),
        version,
        shell,
        ...commandLine,
        accounts: all.map((account) => account.describe()),
        offline: all.flatMap(({ peers }) => peers.offline()),
        items: isPerson(surface) ? items : rowsForAgents(items),
        done_total: all.reduce((sum, { picture }) => sum + picture.moreClosed(), doneTotal),
        outbox: isPerson(surface) ? [...outbox.list()] : outboxForAgents(outbox.list()),
      };
    }),

    getStatus: checked(COMMANDS.getStatus, async () => ({
      version: context.version,
      ...context.status(),
      accounts: accounts.all().map((account) => {
        const { handle, relay, state } = account.describe();
        return { handle, relay, state, unread: countUnread(account.picture.items()) };
      }),
      sessions: [],
      pairings: [],
    })),

    openWindow: checked(COMMANDS.openWindow, async () => ({ url: await context.openWindow() })),

    listHandoffs: checked(
      COMMANDS.listHandoffs,
      async ({ as, role, status, limit = DEFAULT_PAGE, cursor }, surface) => {
        const by = accounts.acting(as);
        const query = { limit, ...(role && { role }), ...(status && { states: status }), ...(cursor && { cursor }) };
        const { views, nextCursor } = await reading(by, () => by.client.listHandoffs(query));
        const items = views.map(by.rows());
        return {
          items: isPerson(surface) ? items : rowsForAgents(items),
          next_cursor: nextCursor,
          waiting: countWaiting(by.picture.items()),
        };
      },
    ),

    getThread: checked(COMMANDS.getThread, async ({ as, task_id: taskId }, surface) => {
      const by = accounts.with(taskId, as);
      const { view, events } = await reading(by, () => readThread(by.client, taskId));
      const item = by.rows()(view);
      if (!isPerson(surface)) refuseHidden(item);
      return { item, events };
    }),

    sendHandoff: checked(COMMANDS.sendHandoff, (input, surface) => {
      const peer = accounts.peer(input.to, input.as);
      const by = accounts.toward(peer, input.as);
      const draft: Draft = {
        kind: 'handoff',
        input,
        about: async () => ({ peer }),
        request: async (_account, how) => handoffRequest(input, by.names.wire(peer), how),
      };
      return write(by, draft, surface);
    }),

    updateHandoff: checked(COMMANDS.updateHandoff, (input, surface) => {
      const request: Draft['request'] = async (_account, how) => updateRequest(input, how);
      return writeOn(input, { kind: 'update', input, request }, surface);
    }),

    sendMessage: checked(COMMANDS.sendMessage, (input, surface) => {
      const request: Draft['request'] = async (account, how) =>
        threadMessageRequest(input, await roleIn(account, input.task_id), how);
      return writeOn(input, { kind: 'message', input, request }, surface);
    }),

    markSurfaced: checked(COMMANDS.markSurfaced, async ({ as, task_id, version }, surface) => {
      const by = accounts.with(task_id, as);
      await refuseHeld(by, task_id, surface);
      await writing(by, () => by.client.postReceipts([{ task_id, version, state: 'surfaced' }]));
      return {};
    }),

    listDeadLetters: checked(COMMANDS.listDeadLetters, async ({ as }) => {
      const by = accounts.acting(as);
      return reading(by, () => by.client.deadLetters());
    }),

    redeliver: checked(COMMANDS.redeliver, async ({ as, task_id: taskId }, surface) => {
      const by = accounts.with(taskId, as);
      await refuseHeld(by, taskId, surface);
      return writing(by, () => by.client.redeliver(taskId));
    }),

    registerAgent: checked(COMMANDS.registerAgent, async (input, actor) => {
      rules.requireUsable();
      const made = await context.registerAgent(input);
      const { own } = accounts;
      const peer = own.names.local(made.handle);
      audit.note({ action: 'agent_registered', actor, account: own.handle, peer });
      await rules.edit({ kind: 'teammate', handle: peer, grants: {} }, actor);
      return made;
    }),

    ...createContactCommands(context),
    ...createAccountCommands(context),
    ...createOutboxCommands({
      outbox,
      acting: accounts.acting,
      accountOf: (handle) => accounts.acting(handle),
    }),
    ...createTrustCommands({ rules, fullHandle: accounts.peer }),
    ...createAuditCommands({
      audit,
      accountOf: (as) => accounts.acting(as).handle,
      fullHandle: (handle) => accounts.peer(handle, undefined),
    }),
  };
}

/** Which side of a handoff an account is on. */
async function roleIn(by: LiveAccount, taskId: string): Promise<Party> {
  return (await viewOf(by, taskId)).role;
}

async function viewOf(by: LiveAccount, taskId: string): Promise<HandoffView> {
  const known = by.picture.get(taskId);
  return known ?? (await reading(by, () => by.client.threadPage(taskId, 0, 1))).handoff;
}
