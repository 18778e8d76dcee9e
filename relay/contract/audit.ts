import { z } from 'zod';
import type { Json } from './json.ts';

/** The audit log of a desk: what was done and decided, by whom and when (docs/reference/audit.md). */

/** Every act that is written down. */
export const auditActionSchema = z.enum([
  'handoff_sent',
  'handoff_received',
  'handoff_transition',
  'trust_decision',
  'trust_changed',
  'contact_requested',
  'contact_accepted',
  'contact_declined',
  'contact_removed',
  'blocked',
  'unblocked',
  'block_failed',
  'key_rotated',
  'key_revoked',
  'invite_made',
  'invite_withdrawn',
  'account_joined',
  'account_removed',
  'agent_registered',
  'egress_held',
  'egress_released',
  'egress_discarded',
  'outbox_returned',
  'loop_stopped',
  'loop_resumed',
  'config_changed',
  'wake',
  'app_started',
  'app_stopped',
  'audit_exported',
  /** The log cannot prove what was before: its key, or the file that says where it ends, was gone. Or rows were not stored. */
  'audit_gap',
]);
export type AuditAction = z.infer<typeof auditActionSchema>;

/**
 * Who acted: the person in the window, a program of theirs by the door that it came through, the desk by its own rules,
 * or the other side. `a2a` is another program that has the account's key; `relay` is the relay by its own rules.
 */
export const auditActorSchema = z.enum(['human', 'cli', 'claude-code', 'codex', 'a2a', 'desk', 'relay', 'peer']);
export type AuditActor = z.infer<typeof auditActorSchema>;

/** What else there is to say of an act: small, and never the text of a handoff or a key. */
export type AuditDetail = Readonly<Record<string, string | number | boolean | readonly string[]>>;

/** An act, as it is noted. */
export interface AuditEntry {
  readonly action: AuditAction;
  readonly actor: AuditActor;
  /** The handle of the account that it is about; left out, all of the app. */
  readonly account?: string;
  /** The handle of the other side. */
  readonly peer?: string;
  /** The id of what it is about: a handoff, an invite, a key. */
  readonly ref?: string;
  readonly detail?: AuditDetail;
}

/**
 * A row of the log. It is shown as it stands in the file, whether or not it holds up: `action` and `actor` are of the
 * lists above wherever nobody has put a hand to it.
 */
export const auditRowSchema = z.object({
  /** Counts from 1, without gaps. */
  seq: z.int(),
  /** Milliseconds since the epoch. */
  at: z.number(),
  action: z.string(),
  actor: z.string(),
  account: z.string().exactOptional(),
  peer: z.string().exactOptional(),
  ref: z.string().exactOptional(),
  detail: z.custom<Json>((value) => value !== undefined),
  /** The `hash` of the row before it. */
  prev_hash: z.string(),
  /** HMAC-SHA-256 of the row, in hex. */
  hash: z.string(),
});
export type AuditRow = z.infer<typeof auditRowSchema>;

/** One thing that is wrong with the log. */
export const auditProblemSchema = z.object({
  /** The row that shows it. */
  seq: z.int(),
  kind: z.enum(['edited', 'removed', 'reordered', 'inserted', 'truncated', 'key_missing']),
  /** A sentence. */
  message: z.string(),
});
export type AuditProblem = z.infer<typeof auditProblemSchema>;

/** Whether the log is as it was written. */
export const auditCheckSchema = z.object({
  ok: z.boolean(),
  /** How many rows there are. */
  rows: z.int(),
  /** The first hundred. */
  problems: z.array(auditProblemSchema),
  /** Acts that could not be stored yet, because the disk is full, say; they are tried again with every act. */
  waiting: z.int(),
  /** Acts that will not be stored any more: too many waited. */
  lost: z.int(),
});
export type AuditCheck = z.infer<typeof auditCheckSchema>;

/** How rows are written for other programs: a JSON object a line, or cells apart by tabs with a line of names first. */
export const auditFormatSchema = z.enum(['jsonl', 'tsv']);
export type AuditFormat = z.infer<typeof auditFormatSchema>;
