import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { formatHandle } from '../contract/handle.ts';
import {
  formatInviteLink,
  inviteBodySchema,
  type Invited,
  type Invites,
  type InviteView,
  type Redeemed,
} from '../contract/invite.ts';
import { RelayError } from '../contract/reasons.ts';
import type { Invite } from '../store/key-ports.ts';
import { confirmed } from './admin-only.ts';
import { paramsOf } from './binding.ts';
import { refuseWhenStopping } from './connection.ts';
import type { HttpDeps } from './deps.ts';
import { readJsonBody, showOnce } from './plumbing.ts';
import type { Limiters } from './rate-limits.ts';
import { count, read } from './read.ts';
import { registeredView, registrationBody, registrationOf, refuseRegistrations } from './registration.ts';

const listQuery = z.object({
  cursor: z.string().max(64).default(''),
  limit: count.pipe(z.number().min(1).max(1000)).default(200),
});
/** What the invite says, its bearer does not. */
const notYours = z.undefined({ error: 'is for the invite to say. Leave it out.' }).optional();
const { handle: _handle, role: _role, ...described } = registrationBody.shape;
const redeemBody = z.object({
  ...described,
  code: z.string().max(128),
  api_key: z.string().max(64).exactOptional(),
  handle: notYours,
  role: notYours,
  scopes: notYours,
});

/** `/v1/invites`: who is let in, and by whom (docs/reference/relay-http.md, Invites). */
export function inviteRoutes(
  app: FastifyInstance,
  deps: HttpDeps,
  authorize: (request: FastifyRequest) => Promise<void>,
  limiters: Pick<Limiters, 'wrongKey' | 'noWrongKeys'>,
): void {
  const { context, invites } = deps;

  app.post('/v1/invites', { onRequest: authorize }, async (request, reply): Promise<Invited> => {
    const { handle, role, expires_in_s: seconds } = read(inviteBodySchema, readJsonBody(request));
    confirmed(deps, request);
    if (deps.registration === 'closed') throw refuseRegistrations('closed');
    const inviter = request.principal?.agent;
    const { id, code, expiresAt } = await invites.create({
      handle,
      lifeMs: seconds * 1000,
      ...(role === undefined ? {} : { role }),
      ...(inviter === undefined ? {} : { inviter }),
    });
    const link = formatInviteLink({ relayUrl: deps.publicUrl(), relayId: context.relay.id, code });
    showOnce(reply);
    return { id, link, expires_at: new Date(expiresAt).toISOString() };
  });

  app.get('/v1/invites', { onRequest: authorize }, async (request): Promise<Invites> => {
    const { cursor, limit } = read(listQuery, request.query);
    const found = await invites.list(cursor, limit + 1);
    const shown = found.slice(0, limit);
    return {
      invites: shown.map((invite) => inviteView(invite, context.relay.name, context.clock())),
      next_cursor: found.length > limit ? (shown.at(-1)?.id ?? '') : '',
    };
  });

  app.delete('/v1/invites/:id', { onRequest: authorize }, async (request, reply) => {
    confirmed(deps, request);
    await invites.withdraw(paramsOf(request)['id'] ?? '');
    return reply.status(204).send();
  });

  // whoever guesses codes is stopped as whoever guesses keys
  const onRequest = async (request: FastifyRequest): Promise<void> => limiters.noWrongKeys(request);
  app.post('/v1/invites/redeem', { onRequest }, async (request, reply): Promise<Redeemed> => {
    refuseWhenStopping(deps);
    const {
      code,
      api_key: apiKey,
      handle: _h,
      role: _r,
      scopes: _s,
      ...described
    } = read(redeemBody, readJsonBody(request));
    if (deps.registration === 'closed') throw refuseRegistrations('closed');
    const registration = { ...registrationOf(described), ...(apiKey === undefined ? {} : { apiKey }) };
    try {
      const { inviter, ...registered } = await invites.redeem(code, registration);
      showOnce(reply);
      return {
        ...registeredView(deps, registered),
        relay_id: context.relay.id,
        ...(inviter && { inviter: formatHandle(inviter.name, context.relay.name) }),
      };
    } catch (error) {
      if (error instanceof RelayError && error.reason === 'INVITE_INVALID') await limiters.wrongKey(request);
      throw error;
    }
  });
}

function inviteView(invite: Invite, relay: string, now: number): InviteView {
  const { id, name, role, createdBy, createdAt, expiresAt, redeemedAt } = invite;
  return {
    id,
    handle: formatHandle(name, relay),
    ...(role !== undefined && { role }),
    state: stateOf(invite, now),
    ...(createdBy && { inviter: formatHandle(createdBy.name, relay) }),
    created_at: new Date(createdAt).toISOString(),
    expires_at: new Date(expiresAt).toISOString(),
    ...(redeemedAt !== undefined && { redeemed_at: new Date(redeemedAt).toISOString() }),
  };
}

function stateOf({ createdBy, expiresAt, redeemedAt, withdrawnAt }: Invite, now: number): InviteView['state'] {
  if (redeemedAt !== undefined) return 'used';
  if (withdrawnAt !== undefined || createdBy?.removedAt !== undefined) return 'withdrawn';
  return expiresAt <= now ? 'expired' : 'open';
}
