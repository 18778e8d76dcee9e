import { z } from 'zod';

/** `GET /v1/dead-letters`: events that a webhook did not take, and that are no longer tried. */
export const deadLettersSchema = z.object({
  items: z.array(
    z.object({
      task_id: z.string(),
      config_id: z.string(),
      /** Where it should have gone. */
      url: z.string(),
      /** Of the event in its thread. */
      version: z.int(),
      /** What the last attempt came to, in a word or two: `HTTP 503`. */
      error: z.string(),
      attempts: z.int(),
      /** Milliseconds since the epoch. */
      died_at: z.number(),
    }),
  ),
});
export type DeadLetters = z.infer<typeof deadLettersSchema>;

/** `POST /v1/tasks/{id}/redeliver` */
export const redeliveredSchema = z.object({
  /** The task itself where it is pushed again; a new one where it is handed over again. */
  task_id: z.string(),
  /** How many webhooks it is pushed to again. */
  webhooks: z.int(),
});
export type Redelivered = z.infer<typeof redeliveredSchema>;
