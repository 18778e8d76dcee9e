import { z } from 'zod';
import { authorSchema } from './handoff.ts';

/** What workers and relays say to each other (docs/reference/relay-http.md, Workers). Times are in seconds or, with `_ms`, milliseconds. */

/** The longest that a lease can be had for, seconds. */
export const MAX_LEASE_S = 3600;

/** The name that a worker gives itself: nobody else has it, and it has one lease at a time. */
const worker = z.string().min(1).max(256);
const leaseSeconds = z.number().min(1).max(MAX_LEASE_S).default(30);

/** `POST /v1/leases` */
export const leaseRequestSchema = z.object({
  worker,
  lease_s: leaseSeconds,
  /** How long to wait for work when there is none. */
  wait_s: z.number().min(0).max(50).default(25),
  /** After so many failed attempts the relay gives up. */
  attempts: z.int().min(1).max(100).default(5),
  /** Refused unless the key is this agent's: keys are easily mixed up. */
  agent: z.string().max(129).exactOptional(),
  author: authorSchema.exactOptional(),
});

/** Its answer, where there is work; else there is none (204). */
export const leasedSchema = z.object({
  /** In the form of A2A 0.3, with the whole thread. */
  task: z.looseObject({ id: z.string() }),
  /** The how-manieth lease of this handoff: no two have the same number. */
  lease: z.int(),
  /** The how-manieth attempt since the sender last had to be asked, of `attempts`. */
  attempt: z.int(),
  attempts: z.int(),
  /** What is left of it. */
  lease_ms: z.number(),
});

/** `POST /v1/leases/{task}/renew` */
export const renewRequestSchema = z.object({ worker, lease_s: leaseSeconds });
export const renewedSchema = z.object({ task_id: z.string(), lease_ms: z.number() });

/** `POST /v1/leases/{task}/release`. `failed` counts as an attempt, `stopped` does not. */
export const releaseRequestSchema = z.object({
  worker,
  outcome: z.enum(['failed', 'stopped']).default('failed'),
  /** Why, for the sender, should this have been the last attempt. */
  reason: z.string().min(1).max(2000).exactOptional(),
});
/** Without `retry_in_ms` the handoff is failed now. */
export const releasedSchema = z.object({ task_id: z.string(), retry_in_ms: z.number().exactOptional() });
export type Released = z.infer<typeof releasedSchema>;
