import { z } from 'zod';
import { contactModeSchema } from './contact.ts';
import { handleSchema } from './handle.ts';

/** What is said of an agent when it is registered: over HTTP, and to the desk. Only the handle is needed. */
export const registrationFields = {
  handle: handleSchema,
  name: z.string().min(1).max(128).exactOptional(),
  description: z.string().min(1).max(1024).exactOptional(),
  role: z.string().min(1).max(64).exactOptional(),
  skills: z.array(z.string().min(1).max(64)).max(64).exactOptional(),
  repos: z.array(z.string().min(1).max(256)).max(64).exactOptional(),
  kind: z.enum(['desk', 'a2a']).exactOptional(),
  listed: z.boolean().exactOptional(),
  contacts: contactModeSchema.exactOptional(),
};

/** What is said of an agent of which nothing was said. */
export function standardDescription(displayName: string): string {
  return `${displayName} takes handoffs here.`;
}

/** What comes of it. The key is in it and nowhere else: the relay keeps its hash. */
export const registeredSchema = z.object({
  handle: z.string(),
  endpoint: z.string(),
  card_url: z.string(),
  api_key: z.string(),
});
export type RegisteredView = z.infer<typeof registeredSchema>;
