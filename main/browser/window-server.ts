import { createReadStream } from 'node:fs';
import Fastify, { type FastifyError, type FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { DeskApi } from '../../relay/contract/desk-api.ts';
import { hostHeaders } from '../../relay/http/host-guard.ts';
import { systemCode } from '../start-error.ts';
import type { RandomBytes } from '../tokens.ts';
import { CONTENT_SECURITY_POLICY } from '../window-files.ts';
import { deskRoutes } from './desk-routes.ts';
import { createEntrance } from './entrance.ts';
import { HEARTBEAT_MS } from './event-stream.ts';
import { MAX_BODY_BYTES, notFound, refuse, refuseError } from './refusals.ts';
import { foreignRequest, readCookie } from './request-guard.ts';
import { listStaticFiles } from '../static-files.ts';

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

export interface WindowServerOptions {
  readonly desk: DeskApi;
  /** The folder of the built renderer. */
  readonly root: string;
  readonly logger: Logger;
  /** Milliseconds since any fixed moment. */
  readonly clock: () => number;
  readonly random: RandomBytes;
  readonly heartbeatMs?: number;
  /** Where it was last; where that is taken, or 0, any free port. */
  readonly port?: number;
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
 * one-time token. `POST /session {token}` exchanges that for a cookie; the rest is in desk-routes.ts. Every refusal is an
 * envelope.
 */
export async function startWindowServer(options: WindowServerOptions): Promise<WindowServer> {
  const { desk, logger, heartbeatMs = HEARTBEAT_MS } = options;
  const files = await listStaticFiles(options.root);
  const entrance = createEntrance(options);
  const app = Fastify({
    bodyLimit: MAX_BODY_BYTES,
    forceCloseConnections: true,
    exposeHeadRoutes: false,
    // whoever sends a head or a body a byte a minute holds a socket no longer than this
    requestTimeout: 60_000,
    // an address that cannot be decoded comes by no hook
    frameworkErrors: (_error, _request, reply) => {
      void notFound(reply.headers(HEADERS));
    },
  });
  let port = 0;
  // Cookies know no ports: two desktops on one machine would take each other's.
  const cookieName = (): string => `agentrelay-${port}`;

  app.addHook('onRequest', async (request, reply) => {
    reply.headers(HEADERS);
    const { host, origin } = request.headers;
    const fetchSite = request.headers['sec-fetch-site'];
    const foreign = foreignRequest(
      {
        method: request.method,
        target: request.raw.url ?? '',
        host,
        hosts: hostHeaders(request.raw),
        origin,
        fetchSite: fetchSite === undefined ? undefined : String(fetchSite),
      },
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
      const what = 'This address was used already, or is too old. Start AgentRelay again to get a new one.';
      return refuse(reply, 401, 'UNAUTHENTICATED', what);
    }
    return reply
      .header('set-cookie', `${cookieName()}=${session}; Path=/desk; HttpOnly; SameSite=Strict`)
      .send({ ok: true, value: {} });
  });

  app.register(async (scope) =>
    deskRoutes(scope, {
      desk,
      logger,
      heartbeatMs,
      isLetIn: ({ headers }) => entrance.isSession(readCookie(headers.cookie, cookieName()) ?? ''),
    }),
  );

  app.setNotFoundHandler((_request, reply) => notFound(reply));
  app.setErrorHandler((error: FastifyError, _request, reply) => refuseError(error, reply, logger));
  // Fastify reads text as well: that is what a page of another site may send without asking first.
  app.removeContentTypeParser('text/plain');

  const url = await listenAtOrAnywhere(app, options.port ?? 0);
  port = Number(new URL(url).port);
  return {
    url,
    open: () => `${url}/#${entrance.issue()}`,
    close: () => app.close(),
  };
}

async function listenAtOrAnywhere(app: FastifyInstance, preferred: number): Promise<string> {
  try {
    return await app.listen({ host: '127.0.0.1', port: preferred });
  } catch (error) {
    if (systemCode(error) !== 'EADDRINUSE') throw error;
    return app.listen({ host: '127.0.0.1', port: 0 });
  }
}
