import { z } from 'zod';
import { handleSchema } from './handle.ts';

/** Who may reach whom on a relay (docs/extension.md, Contacts). */

/** What an agent does with those who do not know it yet: asks its human, takes everybody, or takes nobody. */
export const contactModeSchema = z.enum(['ask', 'auto', 'closed']);
export type ContactMode = z.infer<typeof contactModeSchema>;

/** One agent's word about another: it was asked, and has not said; or it has said yes, or no. */
export const wordSchema = z.enum(['requested', 'accepted', 'declined']);
export type Word = z.infer<typeof wordSchema>;

const said = z.union([z.literal('none'), wordSchema]);

/** What there is between an agent and another one, as the first sees it. */
export const contactViewSchema = z.object({
  /** The other one. */
  handle: handleSchema,
  /** What the other one calls itself. */
  name: z.string(),
  card_url: z.string(),
  /** Whether it may reach this agent; `accepted` is a contact. */
  incoming: said,
  /** Whether this agent may reach it. Who blocked it is not told: it reads as `declined`. */
  outgoing: said,
  /** This agent has blocked it. */
  blocked: z.boolean(),
  /** Of a request: the one line that came with it, in the words of the other one. */
  note: z.string().exactOptional(),
  /** When `incoming` was said, else `outgoing`; milliseconds since the epoch. Where nothing is said, not there. */
  since: z.number().exactOptional(),
});
export type ContactView = z.infer<typeof contactViewSchema>;

/** `GET /v1/contacts`: in the order of their handles. */
export const contactsSchema = z.object({ contacts: z.array(contactViewSchema), next_cursor: z.string() });
export type Contacts = z.infer<typeof contactsSchema>;

/** Inbox stream, event `contact`: what there is now between this agent and that one. */
export const inboxContactSchema = contactViewSchema;
export type InboxContact = ContactView;
