import type { FastifyInstance } from 'fastify';
import { deadLetters, redeliver } from '../operations/redeliver.ts';
import type { HttpDeps } from './deps.ts';
import { identified } from './identify.ts';
import { v1Call } from './v1-call.ts';

/** What was not delivered: to be seen, and to be delivered again (docs/reference/relay-http.md, Dead letters). */
export function pushRoutes(app: FastifyInstance, deps: HttpDeps): void {
  const { context } = deps;
  app.get('/v1/dead-letters', { onRequest: identified }, (request) => deadLetters(context, v1Call(deps, request)));
  app.post('/v1/tasks/:id/redeliver', { onRequest: identified }, (request) => {
    const { id } = request.params as { readonly id: string };
    return redeliver(context, v1Call(deps, request), id);
  });
}
