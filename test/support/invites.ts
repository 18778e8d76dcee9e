import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import {
  invitedSchema,
  invitesSchema,
  parseInviteLink,
  redeemedSchema,
  type Invited,
  type Invites,
  type Redeemed,
} from '../../relay/contract/invite.ts';
import type { JsonObject } from '../../relay/contract/json.ts';
import { createAdminToken } from '../../relay/identity/admin-token.ts';
import { createKey } from '../../relay/identity/keys.ts';
import { A2aClient, type HttpAnswer } from './a2a-client.ts';
import { post, reasonIn } from './keys.ts';
import { relayForTest, type TestRelay } from './relay.ts';

export const adminToken = createAdminToken(randomBytes);
/** When the clock of `ownedRelay` stands, milliseconds since the epoch. */
export const START = Date.UTC(2026, 0, 1);

/** A relay that frank runs, whose clock stands still until the test moves it. */
export async function ownedRelay(options: Parameters<typeof relayForTest>[0] = {}) {
  let now = START;
  const relay = await relayForTest({ adminToken, clock: () => now, ...options });
  const frank = await ownerOf(relay);
  return {
    relay,
    frank,
    admin: new A2aClient({ url: relay.url, apiKey: adminToken }),
    pass: (ms: number) => void (now += ms),
  };
}

/** The agent of whoever runs a relay. */
export async function ownerOf({ relay, url }: TestRelay): Promise<A2aClient> {
  const { handle, apiKey } = await relay.own({ handle: 'frank', apiKey: createKey(randomBytes) });
  return new A2aClient({ url, handle, apiKey });
}

/** Invites somebody, as whoever holds the client's key. */
export async function invite(
  client: A2aClient,
  body: JsonObject = { handle: 'mia' },
): Promise<Invited & { readonly code: string }> {
  const answer = await post(client, '/v1/invites', body);
  expect([answer.status, answer.body]).toEqual([200, expect.any(String)]);
  const invited = invitedSchema.parse(JSON.parse(answer.body));
  return { ...invited, code: parseInviteLink(invited.link).code };
}
/** Redeems a code, with no key. */
export function redeem({ url }: TestRelay, code: string, more: JsonObject = {}): Promise<HttpAnswer> {
  return new A2aClient({ url, apiKey: '' }).http('POST', '/v1/invites/redeem', {
    headers: { authorization: undefined, 'content-type': 'application/json' },
    body: JSON.stringify({ code, ...more }),
  });
}

/** The answer to somebody who was let in. */
export function joined({ status, body }: HttpAnswer): Redeemed {
  expect([status, body]).toEqual([200, expect.any(String)]);
  return redeemedSchema.parse(JSON.parse(body));
}

/** `GET /v1/invites` */
export async function invites(client: A2aClient, query = ''): Promise<Invites> {
  return invitesSchema.parse(JSON.parse((await client.http('GET', `/v1/invites${query}`)).body));
}
/** Why an invite is over. */
export function cause({ status, body }: HttpAnswer): string {
  expect([status, reasonIn(body)]).toEqual([410, 'INVITE_GONE']);
  return /"cause":"([A-Z]+)"/.exec(body)?.[1] ?? '';
}
