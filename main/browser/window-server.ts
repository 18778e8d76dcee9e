import { createReadStream } from 'node:fs';
import Fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { z } from 'zod';
import { isCommandName, type DeskApi, type DeskError } from '../../relay/contract/desk-api.ts';
import { answer, refusal } from '../answer.ts';
import type { RandomBytes } from '../tokens.ts';
import { CONTENT_SECURITY_POLICY } from '../window-files.ts';
import { createEntrance } from './entrance.ts';
import { HEARTBEAT_MS, streamEvents } from './event-stream.ts';
import { foreignRequest, readCookie } from './request-guard.ts';
import { listStaticFiles } from './static-files.ts';

/** Largest body of a request, in bytes: as much as the local socket takes. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;

/** Nothing of ours is to be framed, read by another origin, guessed at, or kept. */
const HEADERS = {
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
};

const entrySchema = z.strictObject({ token: z.string().max(256) });
const seqSchema = z
  .string()
  .regex(/^\d{1,15}$/)
  .transform(Number);

export interface WindowServerOptions {
  readonly desk: DeskApi;
  /** The folder of the built renderer. */
  readonly root: string;
  readonly logger: Logger;
  /** Milliseconds since any fixed moment. */
  readonly clock: () => number;
  readonly random: RandomBytes;
  readonly heartbeatMs?: number;
}

export interface WindowServer {
  /** `http://127.0.0.1:41873`: shows the window to a browser that was let in before. */
  readonly url: string;
  /** An address that opens the window in one browser, once, within ten minutes. */
  open(): string;
  close(): Promise<void>;
}

/**
 * Serves the window on loopback, at an origin of its own: its files to anyone, the desk to a browser that came with a
 * one-time token. `POST /session {token}` exchanges that for a cookie; `POST /desk/{command}` answers with an envelope,
 * `GET /desk/events?after=` streams events. Every refusal is an envelope too.
 */
export async function startWindowServer(options: WindowServerOptions): Promise<WindowServer> {
  const { desk, logger, heartbeatMs = HEARTBEAT_MS } = options;
  const files = await listStaticFiles(options.root);
  const entrance = createEntrance(options);
  const app = Fastify({
    bodyLimit: MAX_BODY_BYTES,
    forceCloseConnections: true,
    exposeHeadRoutes: false,
    // an address that cannot be decoded comes by no hook
    frameworkErrors: (_error, _request, reply) => notFound(reply.headers(HEADERS)),
  });
  let port = 0;
  // Cookies know no ports: two desktops on one machine would take each other's.
  const cookieName = (): string => `agentrelay-${port}`;

  app.addHook('onRequest', async (request, reply) => {
    reply.headers(HEADERS);
    const { host, origin } = request.headers;
    const fetchSite = request.headers['sec-fetch-site'];
    const foreign = foreignRequest(
      { method: request.method, host, origin, fetchSite: fetchSite === undefined ? undefined : String(fetchSite) },
      port,
    );
    if (foreign !== undefined) return refuse(reply, 403, 'HOST_NOT_ALLOWED', foreign);
  });

  app.get('/*', (request, reply) => {
    const asset = files.get(request.url.split('?', 1)[0] ?? '');
    if (asset === undefined) return notFound(reply);
    return reply.type(asset.type).header('cache-control', asset.cacheControl).send(createReadStream(asset.file));
  });

  app.post('/session', (request, reply) => {
    const entry = entrySchema.safeParse(request.body).data;
    const session = entry && entrance.redeem(entry.token);
    if (session === undefined) {
      return refuse(
        reply,
        401,
        'UNAUTHENTICATED',
        'This address was used already, or is too old. Start AgentRelay again to get a new one.',
      );
    }
    return reply
      .header('set-cookie', `${cookieName()}=${session}; Path=/; HttpOnly; SameSite=Strict`)
      .send({ ok: true, value: {} });
  });

  app.register(async (protectedApp: FastifyInstance) => {
    protectedApp.addHook('onRequest', async (request: FastifyRequest, reply: FastifyReply) => {
      const session = readCookie(request.headers.cookie, cookieName());
      if (session === undefined || !entrance.isSession(session)) {
        return refuse(
          reply,
          401,
          'UNAUTHENTICATED',
          'This browser was not let in. Start AgentRelay again to get an address.',
        );
      }
    });

    protectedApp.post<{ Params: { command: string } }>('/desk/:command', async (request, reply) => {
      const { command } = request.params;
      if (!isCommandName(command)) return refuse(reply, 404, 'METHOD_NOT_FOUND', `There is no command "${command}".`);
      return reply.send(await answer(desk, command, request.body, 'human', logger));
    });

    protectedApp.get<{ Querystring: { after?: string } }>('/desk/events', (request, reply) => {
      // a browser that reconnects sends the id of the last event it has, and the old address
      const after = seqSchema.safeParse(request.headers['last-event-id'] ?? request.query.after).data;
      if (after === undefined) {
        return refuse(reply, 400, 'INVALID_PARAMS', 'after: the number of the last event that is known');
      }
      streamEvents(desk, after, reply, heartbeatMs);
    });
  });

  app.setNotFoundHandler((_request, reply) => notFound(reply));
  app.setErrorHandler((error: FastifyError, _request, reply) => {
    switch (error.statusCode) {
      case 413:
        return refuse(reply, 413, 'PAYLOAD_TOO_LARGE', `A request has at most ${MAX_BODY_BYTES} bytes.`);
      case 415:
        return refuse(reply, 415, 'UNSUPPORTED_MEDIA_TYPE', 'The body of a request is application/json.');
      case 400:
        return refuse(reply, 400, 'PARSE_ERROR', 'The body of this request is not JSON.');
      default:
        logger.error({ err: error }, 'the window server failed');
        return refuse(reply, 500, 'INTERNAL', 'AgentRelay failed. Its log file says why.');
    }
  });
  // Fastify reads text as well: that is what a page of another site may send without asking first.
  app.removeContentTypeParser('text/plain');

  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  port = Number(new URL(url).port);
  return {
    url,
    open: () => `${url}/#${entrance.issue()}`,
    close: () => app.close(),
  };
}

function notFound(reply: FastifyReply): FastifyReply {
  return refuse(reply, 404, 'ROUTE_NOT_FOUND', 'There is nothing at this address.');
}

function refuse(reply: FastifyReply, status: number, reason: DeskError['reason'], message: string): FastifyReply {
  return reply.code(status).send(refusal(reason, message));
}
