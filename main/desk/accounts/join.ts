import { hash } from 'node:crypto';
import { formatHandle, parseHandle, relayNameSchema } from '../../../relay/contract/handle.ts';
import { parseInviteLink, redeemedSchema } from '../../../relay/contract/invite.ts';
import { invalidParams, RelayError } from '../../../relay/contract/reasons.ts';
import { createKey } from '../../../relay/identity/keys.ts';
import type { SecretStore } from '../../secrets.ts';
import type { Credentials } from '../options.ts';
import { createRelayRequest } from '../relay-request.ts';
import type { AccountStore, KnownRelay } from '../store/account-store.ts';
import { ConnectionError, describeTrouble } from '../trouble.ts';
import { accountKeys } from './account-keys.ts';
import { createRelayProof } from './relay-proof.ts';

export interface JoinOptions {
  readonly store: AccountStore;
  readonly secrets: SecretStore;
  /** The own relay, which has an account already. */
  readonly ownRelayId: string;
  readonly timeoutMs: number;
  readonly randomBytes: (size: number) => Uint8Array;
}

export interface Joined {
  readonly credentials: Credentials;
  /** Who invited, as they are called here. */
  readonly inviter?: string;
}

/**
 * Becomes a member of the relay of an invite. The relay has to show that it is the one in the link before it is told
 * anything, and the key is stored before the relay hears of it: what was cut short is done again with the same link.
 *
 * Fails with INVALID_PARAMS for a link that is none or not safe, RELAY_UNREACHABLE, RELAY_NOT_PROVEN, ALIAS_NEEDED where its
 * name is taken here by another relay, and as redeeming does (INVITE_INVALID, INVITE_GONE).
 * @param alias what the relay is to be called here; left out, as it calls itself
 */
export async function joinRelay(link: string, alias: string | undefined, options: JoinOptions): Promise<Joined> {
  const { store, secrets, ownRelayId, timeoutMs, randomBytes } = options;
  const { relayUrl: url, relayId: id, code, isPlain } = parseInviteLink(link);
  if (isPlain) {
    throw invalidParams(
      'link',
      'leads to a relay by plain HTTP: keys would travel readable. Ask for an https address.',
    );
  }
  if (id === ownRelayId) throw invalidParams('link', 'is of the relay of this desk, which has its account already.');
  const name = await nameOf(url, id, options);
  const relay = placeOf({ id, name, url }, alias, store);

  const pending = `${id}/invite ${hash('sha256', code, 'hex').slice(0, 32)}`;
  const apiKey = (await secrets.get(pending)) ?? createKey(randomBytes);
  await secrets.set(pending, apiKey);
  const request = createRelayRequest({ relay: () => url, timeoutMs });
  const body = { code, api_key: apiKey, kind: 'desk' };
  const redeemed = await reaching(url, () => request('/v1/invites/redeem', redeemedSchema, { body }));
  const member = parseHandle(redeemed.handle)?.name;
  if (member === undefined) throw notProven(url);
  await accountKeys(secrets, id, member).set(apiKey);
  store.put({ name: member, relay });
  await secrets.remove(pending);

  const inviter = redeemed.inviter === undefined ? undefined : parseHandle(redeemed.inviter)?.name;
  return {
    credentials: credentialsOf(relay, member, apiKey),
    ...(inviter !== undefined && { inviter: formatHandle(inviter, relay.alias) }),
  };
}

/** What an account on another relay is. */
export function credentialsOf(relay: KnownRelay, name: string, apiKey: string, nextKey?: string): Credentials {
  return {
    handle: formatHandle(name, relay.alias),
    alias: relay.alias,
    relayName: relay.name,
    relay: relay.url,
    relayId: relay.id,
    isOwn: false,
    apiKey,
    ...(nextKey !== undefined && { nextKey }),
  };
}

/** What the relay calls itself, once it has shown who it is. */
async function nameOf(url: string, relayId: string, { timeoutMs, randomBytes }: JoinOptions): Promise<string> {
  const proof = createRelayProof({ relay: url, relayId, timeoutMs, randomBytes });
  const name = await reaching(url, () => proof.ensure());
  if (!relayNameSchema.safeParse(name).success) throw notProven(url);
  return name;
}

/** The relay under the name that it has here, or gets. */
function placeOf(
  { id, name, url }: Omit<KnownRelay, 'alias'>,
  wanted: string | undefined,
  store: AccountStore,
): KnownRelay {
  const known = store.relay(id);
  const alias = known?.alias ?? wanted ?? name;
  if (known !== undefined && wanted !== undefined && wanted !== known.alias) {
    throw invalidParams('alias', `has to be ${known.alias}, as this relay is called here already; or leave it out.`);
  }
  const other = store.relayCalled(alias);
  if (other !== undefined && other.id !== id) {
    const message = `Another relay is called ${alias} here. Say what this one shall be called: --alias NAME.`;
    throw new RelayError('ALIAS_NEEDED', message, { metadata: { alias } });
  }
  return { id, alias, name, url };
}

async function reaching<T>(url: string, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof ConnectionError)) throw error;
    if (error.trouble.kind === 'not_proven') throw notProven(url);
    const message = `The relay at ${url} cannot be reached (${describeTrouble(error.trouble)}). Use the link again later.`;
    throw new RelayError('RELAY_UNREACHABLE', message);
  }
}

function notProven(url: string): RelayError {
  const message = `What answers at ${url} is not the relay that the invite is of. Ask whoever sent it for another one.`;
  return new RelayError('RELAY_NOT_PROVEN', message);
}
