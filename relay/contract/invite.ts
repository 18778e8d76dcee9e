import { z } from 'zod';
import { handleSchema } from './handle.ts';
import { invalidParams } from './reasons.ts';
import { registeredSchema, registrationFields } from './registration.ts';
import { hasNoCredentials, isLoopbackHost } from './url.ts';

/** How somebody is let in to a relay (docs/reference/relay-http.md, Invites). Times are ISO 8601 in UTC. */

/** `POST /v1/invites` */
export const inviteBodySchema = z.object({
  /** Of the agent that will be, and of no other one. */
  handle: handleSchema,
  role: registrationFields.role,
  expires_in_s: z.int().min(60).max(2_592_000).default(86_400),
});

/** What comes of it: the one time that the link is shown. */
export const invitedSchema = z.object({ id: z.string(), link: z.string(), expires_at: z.string() });
export type Invited = z.infer<typeof invitedSchema>;

/** An invite, as whoever runs the relay sees it. */
export const inviteViewSchema = z.object({
  id: z.string(),
  handle: z.string(),
  role: z.string().exactOptional(),
  state: z.enum(['open', 'used', 'expired', 'withdrawn']),
  /** Whose key it was made with; nobody's where that was the admin token. */
  inviter: z.string().exactOptional(),
  created_at: z.string(),
  expires_at: z.string(),
  redeemed_at: z.string().exactOptional(),
});
export type InviteView = z.infer<typeof inviteViewSchema>;

/** `GET /v1/invites`: newest first. */
export const invitesSchema = z.object({ invites: z.array(inviteViewSchema), next_cursor: z.string() });
export type Invites = z.infer<typeof invitesSchema>;

/** `POST /v1/invites/redeem`: a registration by the agent that was made. */
export const redeemedSchema = registeredSchema.extend({
  relay_id: z.string(),
  /** Who is a contact from the start. */
  inviter: z.string().exactOptional(),
});
export type Redeemed = z.infer<typeof redeemedSchema>;

const CODE = /^ai_[A-Za-z0-9_-]{43}$/;
/** The fingerprint of a key: SHA-256 in base64url. */
const RELAY_ID = /^[A-Za-z0-9_-]{43}$/;
/** Longest link that is read, characters. */
const MAX_LINK = 4_096;

/** Whether a text could be the code of an invite. */
export function isInviteCode(text: string): boolean {
  return CODE.test(text);
}

/** `agentrelay://join?relay=URL&id=RELAY_ID#CODE` */
export interface InviteLink {
  /** Where the relay is reached: http or https, without a slash at the end. */
  readonly relayUrl: string;
  /** Who has to be there, whatever is at that address. */
  readonly relayId: string;
  /** Good once. It stands in the fragment, which no browser sends anywhere. */
  readonly code: string;
  /** Keys would travel in the clear: plain HTTP, and not within this machine. */
  readonly isPlain: boolean;
}

/** Writes a link down. */
export function formatInviteLink({ relayUrl, relayId, code }: Omit<InviteLink, 'isPlain'>): string {
  return `agentrelay://join?${new URLSearchParams({ relay: relayUrl, id: relayId })}#${code}`;
}

/** Reads a link; what it has beyond that is a later version's. INVALID_PARAMS, which never repeats the code. */
export function parseInviteLink(text: string): InviteLink {
  const link = text.length > MAX_LINK ? null : URL.parse(text.trim());
  if (link?.protocol !== 'agentrelay:' || link.host !== 'join' || !['', '/'].includes(link.pathname)) {
    throw invalidParams('link', 'is no invite. One begins with agentrelay://join?');
  }
  const code = link.hash.slice(1);
  if (!isInviteCode(code)) {
    throw invalidParams('link', 'has no code behind #. Copy all of it, and quote it in a terminal.');
  }
  const relayId = only(link, 'id');
  if (relayId === undefined || !RELAY_ID.test(relayId)) {
    throw invalidParams('link', 'does not say which relay it is of (id). Ask for another one.');
  }
  const relay = URL.parse(only(link, 'relay') ?? '');
  if (relay === null || !/^https?:$/.test(relay.protocol) || !hasNoCredentials(relay) || hasMore(relay)) {
    throw invalidParams(
      'link',
      'does not say where its relay is: an address with http or https, without a name, password or query.',
    );
  }
  return {
    relayUrl: relay.href.replace(/\/+$/, ''),
    relayId,
    code,
    isPlain: relay.protocol === 'http:' && !isLoopbackHost(relay.hostname),
  };
}

/** A member of the query that is there once. */
function only({ searchParams }: URL, name: string): string | undefined {
  const [value, ...others] = searchParams.getAll(name);
  return others.length === 0 ? value : undefined;
}

function hasMore({ href }: URL): boolean {
  return /[?#]/.test(href);
}
