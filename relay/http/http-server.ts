import { maxHeaderSize } from 'node:http';
import { Server as NetServer } from 'node:net';
import Fastify, { LogController, type FastifyBaseLogger } from 'fastify';
import { a2aRoutes } from './a2a-routes.ts';
import { adminOnly } from './admin-only.ts';
import { adminRoutes } from './admin-routes.ts';
import { followAnswers } from './answers.ts';
import { cardRoutes } from './card-routes.ts';
import { refuseBytes } from './client-error.ts';
import { contactRoutes } from './contact-routes.ts';
import type { HttpDeps } from './deps.ts';
import { directoryRoutes } from './directory-routes.ts';
import { hostGuard } from './host-guard.ts';
import { createGate, installIdentify } from './identify.ts';
import { inboxRoute } from './inbox-route.ts';
import { inviteRoutes } from './invite-routes.ts';
import { keyRoutes } from './key-routes.ts';
import { countRequests, metricsRoute } from './metrics-route.ts';
import { answerOtherMethods } from './other-methods.ts';
import { refusePages } from './refuse-pages.ts';
import { registrationRoute } from './registration.ts';
import { installPlumbing, MAX_BODY, readError, sendError } from './plumbing.ts';
import { pushRoutes } from './push-routes.ts';
import { createLimiters } from './rate-limits.ts';
import { relayRoute } from './relay-route.ts';
import { dropSlowReaders } from './slow-readers.ts';
import { restRoutes, withPlainColon } from './rest-routes.ts';
import { v1Routes } from './v1-routes.ts';
import { workRoutes } from './work-routes.ts';

export interface HttpServer {
  /** Resolves with the base URL. Rejects with Node's own error when the address is taken. */
  listen(address: { readonly host: string; readonly port: number }): Promise<string>;
  /** Ends every stream, lets what was begun be answered, and closes. Call it once `context.stopping` is aborted. */
  close(): Promise<void>;
}

/** How long a request may take to arrive, milliseconds: a client that sends a byte a minute holds no socket for longer. */
const REQUEST_MS = 60_000;
/** How long clients have to take their last answers, or to finish their requests, when the relay stops; milliseconds. */
const STOP_MS = 1000;

/** All routes of a relay, and what surrounds them. */
export function createHttpServer(deps: HttpDeps, logger: FastifyBaseLogger | undefined): HttpServer {
  const { tls, proxies } = deps.edge;
  const isProxied = proxies !== undefined;
  let listensOn = '';
  const { requestMs = REQUEST_MS } = deps.pace;
  const looks = { connectionsCheckingInterval: requestMs / 2 };
  const app = Fastify({
    ...(logger === undefined ? {} : { loggerInstance: logger }),
    bodyLimit: MAX_BODY,
    // a handle or an id of any length is the routes' to refuse: no head is longer than this
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: maxHeaderSize },
    rewriteUrl: ({ url = '/' }) => withPlainColon(url),
    frameworkErrors: (error, request, reply) => void sendError(reply, readError(request, error)),
    clientErrorHandler: (fault, socket) => refuseBytes(fault, socket, answers.on(socket)),
    // what arrives while the relay stops gets an answer of ours
    return503OnClosing: false,
    requestTimeout: requestMs,
    ...(tls ? { https: { ...tls, ...looks } } : { http: looks }),
    ...(proxies && { trustProxy: [...proxies] }),
    logController: new LogController({ disableRequestLogging: true }),
  });
  // the shorter of the two is taken for the head alone, whichever it is
  app.server.headersTimeout = requestMs;
  const answers = followAnswers(app.server);
  const lookNoMore = dropSlowReaders(app.server, deps.pace);
  const answerTheRest = answerOtherMethods(app);
  countRequests(app, deps.metrics);
  installPlumbing(app);
  hostGuard(app, deps.publicUrl, () => listensOn);
  if (deps.edge.refusesPages) refusePages(app);
  app.addHook('onRequest', (_request, reply, done) => {
    if (deps.context.stopping.aborted) void reply.header('connection', 'close');
    done();
  });
  const limiters = createLimiters(app, deps.rateLimits, isProxied);
  const gate = createGate(limiters);
  const authorizeAdmin = adminOnly(gate, deps, limiters);
  app.addHook('onRequest', async (request) => limiters.address(request));
  installIdentify(app, deps.authenticator, gate, limiters);
  metricsRoute(app, { metrics: deps.metrics, isProxied }, authorizeAdmin);
  adminRoutes(app, deps, authorizeAdmin);
  inviteRoutes(app, deps, authorizeAdmin, limiters);
  registrationRoute(app, deps, limiters);
  a2aRoutes(app, deps);
  restRoutes(app, deps);
  cardRoutes(app, deps);
  directoryRoutes(app, deps);
  contactRoutes(app, deps);
  keyRoutes(app, deps);
  relayRoute(app, deps);
  v1Routes(app, deps);
  workRoutes(app, deps);
  pushRoutes(app, deps);
  inboxRoute(app, deps);
  answerTheRest();

  return {
    listen(address) {
      listensOn = address.host;
      return app.listen(address);
    },
    async close() {
      deps.writers.closeAll();
      const late = setTimeout(() => app.server.closeAllConnections(), STOP_MS);
      // Takes no new connections. Closing the HTTP server would also close those whose answers are on their way.
      NetServer.prototype.close.call(app.server);
      await answers.allGone();
      await app.close();
      clearTimeout(late);
      lookNoMore();
    },
  };
}
