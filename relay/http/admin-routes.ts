import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { formatHandle, NAME_PATTERN } from '../contract/handle.ts';
import { RelayError } from '../contract/reasons.ts';
import type { AuthorizeAdmin } from '../identity/admin-token.ts';
import type { Agent } from '../store/ports.ts';
import { paramsOf } from './binding.ts';
import { refuseWhenStopping } from './connection.ts';
import type { HttpDeps } from './deps.ts';
import type { Gate } from './identify.ts';
import { readJsonBody } from './plumbing.ts';
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

  app.post('/admin/agents', { onRequest: authorize }, async (request) => {
    refuseWhenStopping(deps);
    const { restore, ...registration } = read(addBody, readJsonBody(request));
    const registered = restore
      ? await members.restore(registration.handle)
      : await registry.register(registrationOf(registration));
    return registeredView(deps, registered);
  });

  app.get('/admin/agents', { onRequest: authorize }, async (request) => {
    const { after, limit } = read(listQuery, request.query);
    const agents = await members.list(after, limit);
    const last = agents.length === limit ? agents.at(-1) : undefined;
    return { agents: agents.map((agent) => agentView(agent, context.relay.name)), next: last?.name ?? '' };
  });

  app.delete('/admin/agents/:handle', { onRequest: authorize }, async (request, reply) => {
    refuseWhenStopping(deps);
    await members.remove(paramsOf(request)['handle'] ?? '');
    return reply.status(204).send();
  });
}

/** Lets in who has the admin token; where there is none, nobody. */
export function adminOnly(
  gate: Gate,
  authorize: AuthorizeAdmin | undefined,
): (request: FastifyRequest) => Promise<void> {
  if (authorize === undefined) {
    return async () => {
      throw new RelayError('SCOPE_REQUIRED', 'This is for the machine that the relay runs on: it has no admin token.');
    };
  }
  return (request) => gate(request, authorize, () => 'admin');
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
