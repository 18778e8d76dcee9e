import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { handleSchema } from '../contract/handle.ts';
import { decideContact, listContacts, setBlocked } from '../operations/contacts.ts';
import { paramsOf } from './binding.ts';
import type { HttpDeps } from './deps.ts';
import { identified } from './identify.ts';
import { readJsonBody } from './plumbing.ts';
import { count, read } from './read.ts';
import { v1Call } from './v1-call.ts';

const listQuery = z.object({
  cursor: z.string().max(128).default(''),
  limit: count.pipe(z.number().min(1).max(1000)).default(200),
});
const contactBody = z.object({ handle: handleSchema, decision: z.enum(['accept', 'decline']).default('accept') });
const blockBody = z.object({ handle: handleSchema });

/** `/v1/contacts` and `/v1/blocks`: who may reach the calling agent, by its own word (docs/extension.md, Contacts). */
export function contactRoutes(app: FastifyInstance, deps: HttpDeps): void {
  const { context } = deps;

  app.get('/v1/contacts', { onRequest: identified }, async (request) => {
    const { contacts, nextCursor } = await listContacts(context, v1Call(deps, request), read(listQuery, request.query));
    return { contacts, next_cursor: nextCursor };
  });

  app.post('/v1/contacts', { onRequest: identified }, async (request) => {
    const { handle, decision } = read(contactBody, readJsonBody(request));
    return decideContact(context, v1Call(deps, request), handle, decision);
  });

  app.delete('/v1/contacts/:handle', { onRequest: identified }, async (request) =>
    decideContact(context, v1Call(deps, request), paramsOf(request)['handle'] ?? '', 'remove'),
  );

  app.post('/v1/blocks', { onRequest: identified }, async (request) => {
    const { handle } = read(blockBody, readJsonBody(request));
    return setBlocked(context, v1Call(deps, request), handle, true);
  });

  app.delete('/v1/blocks/:handle', { onRequest: identified }, async (request) =>
    setBlocked(context, v1Call(deps, request), paramsOf(request)['handle'] ?? '', false),
  );
}
