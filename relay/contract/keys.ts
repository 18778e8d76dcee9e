import { z } from 'zod';

/** What a key of an agent may be used for (docs/reference/relay-http.md, Keys). */
export const scopeSchema = z.enum(['send', 'receive', 'contacts', 'admin']);
export type Scope = z.infer<typeof scopeSchema>;

/** A key, as its agent sees it. Times are ISO 8601 in UTC. The key itself is shown once, when it is made. */
export const keyViewSchema = z.object({
  id: z.string(),
  scopes: z.array(scopeSchema),
  created_at: z.string(),
  last_used_at: z.string().exactOptional(),
  /** When it ends, if that is known: it was rotated. */
  ends_at: z.string().exactOptional(),
  /** It is the one that asks. */
  is_this: z.boolean(),
});
export type KeyView = z.infer<typeof keyViewSchema>;

/** `GET /v1/keys`: those that can be used, oldest first. */
export const keysSchema = z.object({ keys: z.array(keyViewSchema) });

/** `POST /v1/keys` */
export const newKeyBodySchema = z.object({ scopes: z.array(scopeSchema).min(1).max(scopeSchema.options.length) });
/** What comes of it: the one time that the key is shown. */
export const newKeySchema = z.object({ id: z.string(), scopes: z.array(scopeSchema), api_key: z.string() });
export type NewKeyView = z.infer<typeof newKeySchema>;

/** `POST /v1/keys/rotate` */
export const rotateBodySchema = z.object({
  /** Made and stored by the caller, so that nothing is lost whenever one of the two stops. */
  api_key: z.string().max(64).exactOptional(),
  /** How long the old key goes on, seconds. */
  overlap_s: z.int().min(0).max(86_400).default(600),
});
export const rotatedSchema = z.object({ api_key: z.string(), old_key_ends_at: z.string() });
export type Rotated = z.infer<typeof rotatedSchema>;
