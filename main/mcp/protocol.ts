import { z } from 'zod';
import { deskErrorSchema, deskEventSchema } from '../../relay/contract/desk-api.ts';

/**
 * The local socket: JSON-RPC 2.0, one message a line. The first request is `hello`; after it every command of the desk
 * is a method, and `subscribe` brings its events as notifications (docs/reference/socket.md).
 */

/** Counts up when a client of the older kind would misread the newer one. */
export const PROTOCOL = 1;

/** Longest request, in bytes. */
export const MAX_LINE_BYTES = 4 * 1024 * 1024;

export const requestSchema = z.object({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string().max(256), z.int()]),
  method: z.string().max(64),
  params: z.unknown(),
});
export type Request = z.infer<typeof requestSchema>;
export type RequestId = Request['id'];

/** Which program speaks; it becomes the author of what is written. */
export const clientSchema = z.enum(['cli', 'claude-code', 'codex']);
export type Client = z.infer<typeof clientSchema>;

export const helloParamsSchema = z.object({ protocol: z.literal(PROTOCOL), token: z.string(), client: clientSchema });
export const helloResultSchema = z.object({ protocol: z.literal(PROTOCOL), version: z.string() });

export const subscribeParamsSchema = z.strictObject({ after: z.int().nonnegative() });

/** What a client reads: an answer, a refusal (`data` says why), or an event. */
export const incomingSchema = z.union([
  z.object({ id: z.int(), result: z.unknown().refine((value) => value !== undefined) }),
  z.object({ id: z.int().nullable(), error: z.object({ code: z.int(), message: z.string(), data: deskErrorSchema }) }),
  z.object({ method: z.literal('event'), params: deskEventSchema }),
]);
