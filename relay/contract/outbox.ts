import { z } from 'zod';
import { authorSchema } from './handoff.ts';

/** What a desk could not send yet (docs/explanation/outbox.md). */

/**
 * What looks like a secret. It never carries the secret itself: `masked` shows four characters of its beginning and two
 * of its end at most, which is enough for the person who knows it.
 */
export const egressFindingSchema = z.object({
  /** `body`, `artifacts[0].diff` */
  where: z.string(),
  /** What it was taken for: `private-key`, `env-line`, `github` (docs/explanation/egress.md). */
  rule: z.string(),
  /** In the text that stands there, UTF-16 units, for whoever marks it; `end` is the first one after it. */
  start: z.int(),
  end: z.int(),
  /** `ghp_…z9, 40 characters` */
  masked: z.string(),
});
export type EgressFinding = z.infer<typeof egressFindingSchema>;

/**
 * What it waits for: the other side to accept a contact, the relay to be reached, a human to look. What was `returned` will
 * not be sent: it goes back to whoever wrote it.
 */
export const outboxStateSchema = z.enum(['waiting_contact', 'waiting_relay', 'needs_human', 'returned']);
export type OutboxState = z.infer<typeof outboxStateSchema>;

/** A write that waits, as clients see it. */
export const outboxItemSchema = z.object({
  /** Names it, together with the account. */
  id: z.string(),
  account: z.string(),
  peer: z.string(),
  kind: z.enum(['handoff', 'message', 'update']),
  /** The handoff that it belongs to; not there for a new one. */
  task_id: z.string().exactOptional(),
  /** What was written, cut to 4,096 characters. */
  text: z.string(),
  author: authorSchema,
  state: outboxStateSchema,
  /** Why, in words. */
  reason: z.string(),
  findings: z.array(egressFindingSchema).readonly(),
  /** Milliseconds since the epoch. */
  created_at: z.number(),
});
export type OutboxItem = z.infer<typeof outboxItemSchema>;
