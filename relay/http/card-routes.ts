import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { parseHandle } from '../contract/handle.ts';
import { RelayError } from '../contract/reasons.ts';
import { buildCard, guideCard } from '../cards/agent-card.ts';
import { cardResponse } from '../cards/card-response.ts';
import type { AgentCard } from '../contract/a2a.ts';
import type { HttpDeps } from './deps.ts';

/** Agent Cards at all their addresses (A2A 1.0.1 sections 8.2 and 14.3), public, for GET and HEAD. */
export function cardRoutes(app: FastifyInstance, deps: HttpDeps): void {
  for (const url of ['/.well-known/agent-card.json', '/.well-known/agent.json', '/a2a']) {
    app.get(url, (request, reply) => {
      const { id } = request.query as { readonly id?: unknown };
      if (id === undefined) return sendGuide(deps, request, reply);
      return sendAgent(deps, request, reply, typeof id === 'string' ? id : '');
    });
  }
  for (const base of ['/a/:handle', '/a2a/:handle']) {
    for (const suffix of ['', '/agent-card.json', '/.well-known/agent-card.json', '/.well-known/agent.json']) {
      app.get(`${base}${suffix}`, (request, reply) => {
        const { handle } = request.params as { readonly handle: string };
        return sendAgent(deps, request, reply, handle);
      });
    }
  }
}

async function sendAgent(
  deps: HttpDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  handle: string,
): Promise<FastifyReply> {
  const agent = parseHandle(handle) && (await deps.context.resolve(handle));
  if (agent === undefined) {
    throw new RelayError('ROUTE_NOT_FOUND', 'No agent of this relay has that handle.');
  }
  const updatedAt = Math.max(agent.updatedAt, deps.startedAt);
  return sendCard(request, reply, buildCard({ agent, relay: relayOf(deps) }), updatedAt);
}

async function sendGuide(deps: HttpDeps, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  return sendCard(request, reply, guideCard(relayOf(deps)), deps.startedAt);
}

function sendCard(request: FastifyRequest, reply: FastifyReply, card: AgentCard, updatedAt: number): FastifyReply {
  const { status, headers, body } = cardResponse(card, {
    updatedAt,
    ifNoneMatch: request.headers['if-none-match'],
    ifModifiedSince: request.headers['if-modified-since'],
  });
  return reply.status(status).headers(headers).send(body);
}

function relayOf({ context, publicUrl, version }: HttpDeps) {
  return { name: context.relay.name, publicUrl: publicUrl(), version };
}
