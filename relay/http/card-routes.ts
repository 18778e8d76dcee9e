import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { cardForm, cardInForm, ownerOf, type CardOwner } from '../cards/card-form.ts';
import { cardResponse } from '../cards/card-response.ts';
import { JWKS_PATH } from '../cards/card-book.ts';
import type { AgentCard } from '../contract/a2a.ts';
import { formatHandle, parseHandle } from '../contract/handle.ts';
import { mayFind, noSuchAgent } from '../operations/extended-card.ts';
import { isGuide, GUIDE } from '../operations/guide.ts';
import type { Agent } from '../store/ports.ts';
import { asText, paramsOf, queryOf } from './binding.ts';
import type { HttpDeps } from './deps.ts';
import { identified, principalOf } from './identify.ts';

const LEGACY = '/.well-known/agent.json';

/** Agent Cards at all their addresses (A2A 1.0.1 sections 8.2 and 14.3), public, for GET and HEAD. */
export function cardRoutes(app: FastifyInstance, deps: HttpDeps): void {
  for (const url of ['/.well-known/agent-card.json', LEGACY, '/a2a', '/']) {
    app.get(url, (request, reply) => {
      const { id } = queryOf(request);
      if (id === undefined) return sendGuide(deps, request, reply);
      return sendAgent(deps, request, reply, asText(id) ?? '');
    });
  }
  for (const base of ['/a/:handle', '/a2a/:handle']) {
    for (const suffix of ['', '/agent-card.json', '/.well-known/agent-card.json', LEGACY]) {
      app.get(`${base}${suffix}`, (request, reply) =>
        sendAgent(deps, request, reply, paramsOf(request)['handle'] ?? ''),
      );
    }
  }
  app.get(JWKS_PATH, (_request, reply) =>
    reply
      .headers({ 'cache-control': 'public, max-age=86400', 'content-type': 'application/jwk-set+json' })
      .send(JSON.stringify(deps.cardKeys)),
  );
}

async function sendAgent(
  deps: HttpDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  handle: string,
): Promise<FastifyReply> {
  const { context, startedAt } = deps;
  if (isGuide(context.relay, handle)) return sendGuide(deps, request, reply);
  const agent = parseHandle(handle) && (await context.resolve(handle));
  if (agent === undefined || !(await isShown(deps, request, agent))) throw noSuchAgent();
  const owner = ownerOf(agent, context.relay.name);
  const updatedAt = Math.max(agent.updatedAt, startedAt);
  return sendCard(deps, request, reply, {
    card: context.cards.ofAgent(agent),
    owner,
    updatedAt,
    isPrivate: !agent.listed,
  });
}

/** A card is public, unless its agent is unlisted: then it is for its contacts, who say who they are. */
async function isShown({ context }: HttpDeps, request: FastifyRequest, agent: Agent): Promise<boolean> {
  if (agent.listed) return true;
  if (request.headers.authorization === undefined) return false;
  await identified(request);
  return mayFind(context, agent, principalOf(request).agent);
}

async function sendGuide(deps: HttpDeps, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { context, startedAt } = deps;
  const card = context.cards.ofGuide();
  const owner = {
    id: formatHandle(GUIDE, context.relay.name),
    repos: [],
    skills: card.skills.map(({ name }) => name),
  };
  return sendCard(deps, request, reply, { card, owner, updatedAt: startedAt, isPrivate: false });
}

interface Sent {
  readonly card: AgentCard;
  readonly owner: CardOwner;
  /** Milliseconds since the epoch. */
  readonly updatedAt: number;
  readonly isPrivate: boolean;
}

function sendCard(
  { context, strictCards }: HttpDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  { card, owner, updatedAt, isPrivate }: Sent,
): FastifyReply {
  const query = queryOf(request);
  const form = cardForm({
    isLegacyPath: request.routeOptions.url?.endsWith(LEGACY) ?? false,
    header: asText(request.headers['a2a-version']),
    query: asText(query['A2A-Version']),
    format: query['format'],
    strict: strictCards,
  });
  const { status, headers, body } = cardResponse(cardInForm(card, owner, form), {
    updatedAt,
    isPrivate,
    now: context.clock(),
    ifNoneMatch: request.headers['if-none-match'],
    ifModifiedSince: request.headers['if-modified-since'],
  });
  return reply.status(status).headers(headers).send(body);
}
