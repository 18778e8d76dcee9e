import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { z } from 'zod';
import { isCommandName, type DeskApi } from '../../relay/contract/desk-api.ts';
import { answer } from '../answer.ts';
import { streamEvents } from './event-stream.ts';
import { refuse } from './refusals.ts';

const seqSchema = z
  .string()
  .regex(/^\d{1,15}$/)
  .transform(Number);

export interface DeskRoutesOptions {
  readonly desk: DeskApi;
  readonly logger: Logger;
  readonly heartbeatMs: number;
  /** Whether a request comes from a browser that was let in. */
  readonly isLetIn: (request: FastifyRequest) => boolean;
}

/**
 * The desk over HTTP, as the human: `POST /desk/{command}` answers with an envelope, `GET /desk/events?after=` streams
 * events. Who was not let in is refused before anything of the request is read.
 */
export function deskRoutes(app: FastifyInstance, { desk, logger, heartbeatMs, isLetIn }: DeskRoutesOptions): void {
  app.addHook('onRequest', async (request, reply) => {
    if (isLetIn(request)) return;
    const what = 'This browser was not let in. Start AgentRelay again to get an address.';
    return refuse(reply, 401, 'UNAUTHENTICATED', what);
  });

  app.post<{ Params: { command: string } }>('/desk/:command', async (request, reply) => {
    const { command } = request.params;
    if (!isCommandName(command)) return refuse(reply, 404, 'METHOD_NOT_FOUND', `There is no command "${command}".`);
    return reply.send(await answer(desk, command, request.body, 'human', logger));
  });

  app.get<{ Querystring: { after?: string } }>('/desk/events', (request, reply) => {
    // a browser that reconnects sends the id of the last event it has, and the old address
    const after = seqSchema.safeParse(request.headers['last-event-id'] ?? request.query.after).data;
    if (after === undefined) {
      return refuse(reply, 400, 'INVALID_PARAMS', 'after: the number of the last event that is known');
    }
    streamEvents(desk, after, reply, heartbeatMs);
  });
}
