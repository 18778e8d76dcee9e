import { z } from 'zod';
import { handleSchema } from './handle.ts';
import type { Json, JsonObject } from './json.ts';
import {
  authorSchema,
  handoffStateSchema,
  handoffViewSchema,
  intentSchema,
  proposedActionSchema,
  receiptStateSchema,
  transitionSchema,
  type ThreadEvent,
} from './handoff.ts';

/** What a desk reads of a relay: the log of a thread and the frames of the inbox stream. Unknown members are kept out. */

const jsonObject = z.custom<JsonObject>((v) => typeof v === 'object' && v !== null && !Array.isArray(v));
const partCommon = {
  mediaType: z.string().exactOptional(),
  filename: z.string().exactOptional(),
  metadata: jsonObject.exactOptional(),
};
const partSchema = z.union([
  z.object({ text: z.string(), ...partCommon }),
  z.object({ raw: z.string(), ...partCommon }),
  z.object({ url: z.string(), ...partCommon }),
  z.object({ data: z.custom<Json>((v) => v !== undefined), ...partCommon }),
]);
const messageSchema = z.object({
  messageId: z.string(),
  contextId: z.string().exactOptional(),
  taskId: z.string().exactOptional(),
  role: z.enum(['ROLE_USER', 'ROLE_AGENT']),
  parts: z.array(partSchema),
  metadata: jsonObject.exactOptional(),
  extensions: z.array(z.string()).exactOptional(),
  referenceTaskIds: z.array(z.string()).exactOptional(),
});
const artifactSchema = z.object({
  artifactId: z.string(),
  name: z.string().exactOptional(),
  description: z.string().exactOptional(),
  parts: z.array(partSchema),
  metadata: jsonObject.exactOptional(),
  extensions: z.array(z.string()).exactOptional(),
});
const common = {
  version: z.int().positive(),
  actor: z.enum(['sender', 'recipient', 'relay']),
  author: authorSchema,
  at: z.number(),
};

export const threadEventSchema: z.ZodType<ThreadEvent> = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('created'),
    ...common,
    message: messageSchema,
    summary: z.string(),
    intent: intentSchema.exactOptional(),
    proposedAction: proposedActionSchema.exactOptional(),
    bornLive: z.literal(true).exactOptional(),
  }),
  z.object({
    kind: z.literal('message'),
    ...common,
    message: messageSchema,
    state: handoffStateSchema.exactOptional(),
  }),
  z.object({
    kind: z.literal('status'),
    ...common,
    state: handoffStateSchema,
    transition: z.union([transitionSchema, z.literal('give_up')]),
    message: messageSchema.exactOptional(),
    reason: z.string().exactOptional(),
    sessionId: z.string().exactOptional(),
  }),
  z.object({
    kind: z.literal('artifact'),
    ...common,
    artifact: artifactSchema,
    append: z.boolean(),
    lastChunk: z.boolean(),
  }),
  z.object({
    kind: z.literal('receipt'),
    ...common,
    state: receiptStateSchema,
    upTo: z.int(),
    label: z.string().exactOptional(),
  }),
]);

/** `GET /v1/tasks/{id}/events?after=VERSION`: at most `limit` events; `more` when there are others behind them. */
export const threadPageSchema = z.object({
  handoff: handoffViewSchema,
  events: z.array(threadEventSchema),
  more: z.boolean(),
});
export type ThreadPage = z.infer<typeof threadPageSchema>;

/** Inbox stream, event `handoff`: its `id` is `<store epoch>-<feed_seq>`. */
export const inboxHandoffSchema = z.object({
  task_id: z.string(),
  version: z.int(),
  handoff: handoffViewSchema,
  event: threadEventSchema,
});
export type InboxHandoff = z.infer<typeof inboxHandoffSchema>;

/** Inbox stream, event `resync`: what the reader holds is too old or from another store; it must list again. */
export const inboxResyncSchema = z.object({ cursor: z.string() });
export type InboxResync = z.infer<typeof inboxResyncSchema>;

/** Inbox stream, event `presence`. */
export const inboxPresenceSchema = z.object({ handle: handleSchema, online: z.boolean() });
export type InboxPresence = z.infer<typeof inboxPresenceSchema>;

/** Inbox stream, event `account`: why the stream ends now and must not be opened again by itself. */
export const inboxAccountSchema = z.object({ reason: z.literal('ACCOUNT_IN_USE'), message: z.string() });
export type InboxAccount = z.infer<typeof inboxAccountSchema>;
