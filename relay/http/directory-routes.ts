import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { applyOwnCard } from '../cards/apply-own-card.ts';
import { ignoredMembers, ownCardSchema } from '../cards/own-card.ts';
import { formatHandle } from '../contract/handle.ts';
import { invalidParams } from '../contract/reasons.ts';
import { isJsonObject } from '../contract/json.ts';
import { searchDirectory } from '../operations/directory.ts';
import { refuseWhenStopping } from './connection.ts';
import type { HttpDeps } from './deps.ts';
import { callerOf, identified } from './identify.ts';
import { readJsonBody } from './plumbing.ts';
import { read } from './read.ts';

/** A filter; an empty one is as good as none. */
const filter = (max: number) =>
  z
    .string()
    .max(max)
    .transform((text) => text.trim() || undefined)
    .optional();
const directoryQuery = z.object({
  q: filter(128),
  skill: filter(128),
  repo: filter(512),
  limit: z
    .string()
    .regex(/^\d{1,3}$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.number().min(1).max(100))
    .default(50),
  cursor: filter(128),
});

/** Who there is, and what one says of oneself (docs/reference/relay-http.md, Directory). */
export function directoryRoutes(app: FastifyInstance, deps: HttpDeps): void {
  const { context } = deps;

  app.get('/v1/directory', { onRequest: identified }, async (request) => {
    refuseWhenStopping(deps);
    const { q, skill, repo, cursor, limit } = read(directoryQuery, request.query);
    const { agents, nextCursor } = await searchDirectory(
      context,
      { principal: callerOf(deps, request) },
      {
        limit,
        ...(q === undefined ? {} : { text: q }),
        ...(skill === undefined ? {} : { skill }),
        ...(repo === undefined ? {} : { repo }),
        ...(cursor === undefined ? {} : { cursor }),
      },
    );
    return { agents, next_cursor: nextCursor };
  });

  app.put('/v1/agents/me/card', { onRequest: identified }, async (request) => {
    refuseWhenStopping(deps);
    const body = readJsonBody(request);
    if (!isJsonObject(body)) throw invalidParams('body', 'must be an object');
    const card = read(ownCardSchema(body), body);
    const agent = await deps.changeAgent(callerOf(deps, request).agent.id, (before) => applyOwnCard(before, card));
    return {
      handle: formatHandle(agent.name, context.relay.name),
      card_url: context.cards.addressOf(agent),
      card: context.cards.ofAgent(agent),
      // the agent is reached through the relay: what its own card says of addresses, keys and the like is not shown
      ignored: ignoredMembers(body),
    };
  });
}
