import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { formatHandle, NAME_PATTERN } from '../contract/handle.ts';
import type { Agent } from '../store/ports.ts';
import { paramsOf } from './binding.ts';
import { confirmed } from './admin-only.ts';
import type { HttpDeps } from './deps.ts';
import { readJsonBody, showOnce } from './plumbing.ts';
import { count, read } from './read.ts';
import { registeredView, registrationBody, registrationOf } from './registration.ts';

const addBody = registrationBody.extend({ restore: z.literal(true).exactOptional() });
const listQuery = z.object({
  after: z.union([z.literal(''), z.string().regex(NAME_PATTERN)]).default(''),
  limit: count.pipe(z.number().min(1).max(1000)).default(200),
});

/** `/admin/agents`: who is on the relay, as whoever runs it decides (docs/how-to/run-a-team-relay.md). No page of any origin. */
export function adminRoutes(
  app: FastifyInstance,
  deps: HttpDeps,
  authorize: (request: FastifyRequest) => Promise<void>,
): void {
  const { members, registry, context } = deps;

  app.post('/admin/agents', { onRequest: authorize }, async (request, reply) => {
    const { restore, ...registration } = read(addBody, readJsonBody(request));
    confirmed(deps, request);
    const registered = restore
      ? await members.restore(registration.handle)
      : await registry.register(registrationOf(registration));
    showOnce(reply);
    return registeredView(deps, registered);
  });

  app.get('/admin/agents', { onRequest: authorize }, async (request) => {
    const { after, limit } = read(listQuery, request.query);
    const agents = await members.list(after, limit);
    const last = agents.length === limit ? agents.at(-1) : undefined;
    return { agents: agents.map((agent) => agentView(agent, context.relay.name)), next: last?.name ?? '' };
  });

  app.delete('/admin/agents/:handle', { onRequest: authorize }, async (request, reply) => {
    confirmed(deps, request);
    await members.remove(paramsOf(request)['handle'] ?? '');
    return reply.status(204).send();
  });

  app.post('/admin/agents/:handle/keys', { onRequest: authorize }, async (request, reply) => {
    confirmed(deps, request);
    showOnce(reply);
    return registeredView(deps, await members.replaceKeys(paramsOf(request)['handle'] ?? ''));
  });
}

function agentView(agent: Agent, relay: string) {
  return {
    handle: formatHandle(agent.name, relay),
    kind: agent.kind,
    name: agent.displayName,
    listed: agent.listed,
    created_at: new Date(agent.createdAt).toISOString(),
    ...(agent.removedAt !== undefined && { removed_at: new Date(agent.removedAt).toISOString() }),
  };
}
