import { z } from 'zod';
import { typedArtifactSchema } from './artifact.ts';
import { auditActionSchema, auditCheckSchema, auditFormatSchema, auditRowSchema } from './audit.ts';
import { contactViewSchema } from './contact.ts';
import { deadLettersSchema, redeliveredSchema } from './dead-letter.ts';
import { threadEventSchema } from './event-schema.ts';
import { handleSchema, relayNameSchema } from './handle.ts';
import {
  handoffStateSchema,
  handoffViewSchema,
  intentSchema,
  messageKindSchema,
  proposedActionSchema,
  transitionSchema,
} from './handoff.ts';
import { egressFindingSchema, outboxItemSchema } from './outbox.ts';
import { REASONS } from './reasons.ts';
import { registeredSchema, registrationFields } from './registration.ts';
import { decisionSchema, trustChangeSchema, trustViewSchema } from './trust.ts';

/**
 * The one API of a desk: the renderer (over IPC or same-origin HTTP), the command line and the coding agents' shim
 * (over the local socket) call these commands and read this one event stream.
 */

/** An account: a handle that the desk owns on a relay. */
export const accountSchema = z.object({
  handle: z.string(),
  /** The relay's base URL. */
  relay: z.string(),
  state: z.enum(['connecting', 'connected', 'offline', 'key_revoked']),
  /** Why it is not connected, in words; with `since` (milliseconds since the epoch). */
  detail: z.string().exactOptional(),
  since: z.number(),
});
export type Account = z.infer<typeof accountSchema>;

/** Which heap an item lies on. What is `held` waits for a person, by our own rules: no agent of ours sees it. */
export const groupSchema = z.enum(['needs_you', 'held', 'working', 'waiting', 'done']);
export type Group = z.infer<typeof groupSchema>;

/** One row of the inbox: a handoff, seen by one account. */
export const inboxItemSchema = z.object({
  task_id: z.string(),
  account: z.string(),
  peer: z.string(),
  group: groupSchema,
  /** The other side wrote something that this side has not acknowledged. */
  unread: z.boolean(),
  /** What our rules say of the peer. */
  trust: decisionSchema,
  handoff: handoffViewSchema,
});
export type InboxItem = z.infer<typeof inboxItemSchema>;

/** A peer of an account with nothing connected: what is written to it waits until it has. */
export const offlinePeerSchema = z.object({
  account: z.string(),
  peer: z.string(),
  /** When it left, milliseconds since the epoch; not there when it was gone before the desk came. */
  since: z.number().exactOptional(),
});
export type OfflinePeer = z.infer<typeof offlinePeerSchema>;

export const snapshotSchema = z.object({
  /** The last event that this snapshot contains. */
  seq: z.int(),
  version: z.string(),
  shell: z.enum(['browser', 'electron']),
  /** How the command line is called here, from any folder, up to its own arguments: `/srv/agentrelay/bin/agentrelay`. */
  command: z.string(),
  /** What starts the app from any folder, or shows the window of one that runs; not there for an installed one. */
  start: z.string().exactOptional(),
  accounts: z.array(accountSchema),
  /** Peers that are known to be away. */
  offline: z.array(offlinePeerSchema),
  /** Everything that is open, and the newest of what is done; newest first. */
  items: z.array(inboxItemSchema),
  /** How many are done in all. */
  done_total: z.int(),
  /** What could not be sent yet, or will not be; in the order in which it came. */
  outbox: z.array(outboxItemSchema),
});
export type Snapshot = z.infer<typeof snapshotSchema>;

export const threadSchema = z.object({ item: inboxItemSchema, events: z.array(threadEventSchema) });
export type Thread = z.infer<typeof threadSchema>;

/** A write that the relay has. `queued` says why in `reason`. */
export const writtenSchema = z.object({
  status: z.enum(['sent', 'queued']),
  reason: z.string().exactOptional(),
  task_id: z.string(),
  version: z.int(),
  state: handoffStateSchema,
  /** How far the other side has got with it. */
  receipt: z.enum(['queued', 'offered', 'surfaced', 'acked', 'held']),
});
export type Written = z.infer<typeof writtenSchema>;

/** A write that this desk keeps in its outbox, and why: it will be sent, or a human has to look. */
export const keptSchema = z.object({
  status: z.enum(['queued', 'needs_human']),
  reason: z.string(),
  outbox_id: z.string(),
  /** What looks like a secret in it. */
  findings: z.array(egressFindingSchema).readonly(),
});
export type Kept = z.infer<typeof keptSchema>;

/** What every write can answer. */
export const writeResultSchema = z.union([writtenSchema, keptSchema]);
export type WriteResult = z.infer<typeof writeResultSchema>;

export const statusSchema = z.object({
  version: z.string(),
  relay: z.object({ url: z.string(), name: z.string(), id: z.string() }),
  window: z.object({ url: z.string() }),
  mcp: z.object({ socket: z.string() }),
  accounts: z.array(z.object({ handle: z.string(), relay: z.string(), state: z.string(), unread: z.int() })),
  sessions: z.array(z.never()),
  pairings: z.array(z.never()),
});
export type Status = z.infer<typeof statusSchema>;

const taskId = z.string().min(1).max(256);
const body = z
  .string()
  .min(1)
  .max(256 * 1024);
const artifacts = z.array(typedArtifactSchema).max(64);
const idempotencyKey = z.string().min(1).max(256);
const sessionId = z.string().min(1).max(256);
/** The handle of the account that acts; left out, the default account. */
const as = handleSchema.exactOptional();
/** Which rows of the audit log are wanted. Times are milliseconds since the epoch, both included. */
const auditFilter = {
  as,
  since: z.int().exactOptional(),
  until: z.int().exactOptional(),
  /** The other side. */
  from: handleSchema.exactOptional(),
  action: z.array(auditActionSchema).exactOptional(),
  cursor: z.string().max(512).exactOptional(),
};

/** Every command: what goes in, what comes out. */
export const COMMANDS = {
  getSnapshot: { input: z.strictObject({}), output: snapshotSchema },
  getStatus: { input: z.strictObject({}), output: statusSchema },
  /** Shows the window, or answers with an address that opens it once. */
  openWindow: { input: z.strictObject({}), output: z.object({ url: z.string() }) },
  listHandoffs: {
    input: z.strictObject({
      as,
      role: z.enum(['sender', 'recipient']).exactOptional(),
      status: z.array(handoffStateSchema).exactOptional(),
      limit: z.int().min(1).max(100).exactOptional(),
      cursor: z.string().max(512).exactOptional(),
    }),
    output: z.object({
      items: z.array(inboxItemSchema),
      /** Empty on the last page. */
      next_cursor: z.string(),
      /** How many handoffs wait for this account. */
      waiting: z.int(),
    }),
  },
  getThread: { input: z.strictObject({ as, task_id: taskId }), output: threadSchema },
  sendHandoff: {
    input: z.strictObject({
      as,
      to: handleSchema,
      body,
      /** The handoff that it goes on from. */
      follows: taskId.exactOptional(),
      intent: intentSchema.exactOptional(),
      proposed_action: proposedActionSchema.exactOptional(),
      artifacts: artifacts.exactOptional(),
      idempotency_key: idempotencyKey.exactOptional(),
    }),
    output: writeResultSchema,
  },
  /** A step of the handoff, with the message and artifacts that go with it. */
  updateHandoff: {
    input: z.strictObject({
      as,
      task_id: taskId,
      transition: transitionSchema,
      body: body.exactOptional(),
      reason: z.string().min(1).max(4096).exactOptional(),
      artifacts: artifacts.exactOptional(),
      session_id: sessionId.exactOptional(),
      idempotency_key: idempotencyKey.exactOptional(),
    }),
    output: writeResultSchema,
  },
  sendMessage: {
    input: z.strictObject({
      as,
      task_id: taskId,
      body,
      kind: messageKindSchema.exactOptional(),
      artifacts: artifacts.exactOptional(),
      idempotency_key: idempotencyKey.exactOptional(),
    }),
    output: writeResultSchema,
  },
  /** Says that everything up to `version` was shown to the human. Reading alone never says it. */
  markSurfaced: {
    input: z.strictObject({ as, task_id: taskId, version: z.int().positive() }),
    output: z.object({}),
  },
  /** What the account's webhooks did not take, and is no longer tried; newest first. */
  listDeadLetters: { input: z.strictObject({ as }), output: deadLettersSchema },
  /** Delivers again what webhooks missed, or hands a handoff over again that ended without success. */
  redeliver: { input: z.strictObject({ as, task_id: taskId }), output: redeliveredSchema },
  /** Who may reach the account, who asks to, and who is blocked; in the order of their handles. */
  listContacts: { input: z.strictObject({ as }), output: z.object({ contacts: z.array(contactViewSchema) }) },
  /** Lets somebody reach the account, or not, or takes back what was said. Needs no request before it. */
  decideContact: {
    input: z.strictObject({ as, handle: handleSchema, decision: z.enum(['accept', 'decline', 'remove']) }),
    output: contactViewSchema,
  },
  /** Shuts somebody out, or lets them be as before. They are told nothing. */
  setBlocked: {
    input: z.strictObject({ as, handle: handleSchema, blocked: z.boolean() }),
    output: contactViewSchema,
  },
  /** What could not be sent yet, or will not be; in the order in which it came. */
  listOutbox: { input: z.strictObject({ as }), output: z.object({ items: z.array(outboxItemSchema) }) },
  /** Sends what waits for a human, or tries again what came back. */
  releaseOutbox: { input: z.strictObject({ as, id: idempotencyKey }), output: writeResultSchema },
  /** Drops what has not been sent. */
  discardOutbox: { input: z.strictObject({ as, id: idempotencyKey }), output: z.object({}) },
  /** What `trust.yaml` says. */
  getTrust: { input: z.strictObject({}), output: trustViewSchema },
  /** Changes it. Comments, order and what it does not know stay. */
  changeTrust: { input: trustChangeSchema, output: trustViewSchema },
  /** Begins it anew; what was there is kept in `backup`. */
  resetTrust: { input: z.strictObject({}), output: trustViewSchema.extend({ backup: z.string().exactOptional() }) },
  /** What is decided for a peer, and by which line. */
  explainTrust: {
    input: z.strictObject({ as, handle: handleSchema }),
    output: decisionSchema.extend({ handle: z.string(), path: z.string() }),
  },
  /** A link with which somebody joins the account's relay as `handle`, once. */
  invite: {
    input: z.strictObject({
      as,
      handle: handleSchema,
      role: registrationFields.role,
      /** From now, seconds: 60 to 2,592,000; a day when left out. */
      expires_in_s: z.int().min(60).max(2_592_000).exactOptional(),
    }),
    output: z.object({ handle: z.string(), link: z.string(), expires_at: z.string() }),
  },
  /** Becomes a member of another relay by a link, and adds an account. */
  join: {
    input: z.strictObject({
      link: z.string().min(1).max(4096),
      /** What that relay is called here, where its own name is taken by another one. */
      alias: relayNameSchema.exactOptional(),
    }),
    output: z.object({ handle: z.string(), relay: z.string(), inviter: z.string().exactOptional() }),
  },
  /** A new key for the account, which this desk uses from now on; the old one ends after the overlap. */
  rotateKey: {
    input: z.strictObject({
      as,
      /** Seconds: 0 to 86,400; ten minutes when left out. */
      overlap_s: z.int().min(0).max(86_400).exactOptional(),
    }),
    output: z.object({ handle: z.string(), api_key: z.string(), old_key_ends_at: z.string() }),
  },
  /** Makes an agent on the own relay, which becomes a contact of the account there. Its key is in the answer and nowhere else. */
  registerAgent: {
    input: z.strictObject(registrationFields),
    output: registeredSchema,
  },
  /** What was done and decided, newest first. Without `as`, of all accounts and of the app itself. */
  listAudit: {
    input: z.strictObject({ ...auditFilter, limit: z.int().min(1).max(500).exactOptional() }),
    output: z.object({
      rows: z.array(auditRowSchema),
      /** Empty on the last page. */
      next_cursor: z.string(),
    }),
  },
  /** The same for other programs, oldest first; the first page is written down. */
  exportAudit: {
    input: z.strictObject({
      ...auditFilter,
      format: auditFormatSchema,
      /** Only so many, the newest. */
      limit: z.int().min(1).max(100_000).exactOptional(),
    }),
    output: z.object({
      /** Without the last line feed. */
      text: z.string(),
      /** Empty on the last page. */
      next_cursor: z.string(),
    }),
  },
  /** Whether the audit log is as it was written. */
  verifyAudit: { input: z.strictObject({}), output: auditCheckSchema },
} as const;

export type CommandName = keyof typeof COMMANDS;
export type CommandInput<C extends CommandName> = z.input<(typeof COMMANDS)[C]['input']>;
export type CommandOutput<C extends CommandName> = z.output<(typeof COMMANDS)[C]['output']>;

export const COMMAND_NAMES = Object.keys(COMMANDS) as readonly CommandName[];

/** Whether a string from outside names a command. */
export function isCommandName(name: string): name is CommandName {
  return Object.hasOwn(COMMANDS, name);
}

/** What the desk tells its clients, numbered without gaps. After a gap a client takes a new snapshot. */
export const deskEventSchema = z.discriminatedUnion('type', [
  z.object({ seq: z.int(), type: z.literal('item'), item: inboxItemSchema, event: threadEventSchema }),
  z.object({ seq: z.int(), type: z.literal('account'), account: accountSchema }),
  /** A peer left, or is no longer known to be away. */
  z.object({ seq: z.int(), type: z.literal('peer'), peer: offlinePeerSchema, offline: z.boolean() }),
  /** What waits in the outbox has changed. Without an item it is gone: sent, or dropped. */
  z.object({
    seq: z.int(),
    type: z.literal('outbox'),
    account: z.string(),
    id: z.string(),
    item: outboxItemSchema.exactOptional(),
  }),
  /** Something happened that this client is not to see: our rules hold it back from coding agents. */
  z.object({ seq: z.int(), type: z.literal('hidden') }),
  /** The desk listed everything anew, or its rules have changed; a snapshot shows it. */
  z.object({ seq: z.int(), type: z.literal('reload') }),
]);
export type DeskEvent = z.infer<typeof deskEventSchema>;
/** A desk event before it has its number. */
export type DeskEventBody = DeskEvent extends infer E ? (E extends { seq: number } ? Omit<E, 'seq'> : never) : never;

export const deskErrorSchema = z.object({
  reason: z.enum(REASONS),
  message: z.string(),
  violations: z.array(z.object({ field: z.string(), description: z.string() })).exactOptional(),
});
export type DeskError = z.infer<typeof deskErrorSchema>;

/** How a result crosses IPC, HTTP and the socket: nothing is ever thrown across. */
export type Envelope<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: DeskError };

/** What a shell and the socket call. The surface is set by the door that was used, never by the caller. */
export interface DeskApi {
  call<C extends CommandName>(command: C, input: CommandInput<C>, surface: Surface): Promise<CommandOutput<C>>;
  /** Events after `afterSeq`, then live ones. Returns the unsubscribe function. A gap starts with `reload`. */
  subscribe(afterSeq: number, listener: (event: DeskEvent) => void, surface: Surface): () => void;
}

/** Which door a call came through; it becomes the author of what is written. */
export type Surface = 'human' | 'cli' | 'claude-code' | 'codex';
