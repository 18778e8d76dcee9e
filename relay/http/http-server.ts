import { maxHeaderSize } from 'node:http';
import { Server as NetServer } from 'node:net';
import Fastify, { LogController, type FastifyBaseLogger } from 'fastify';
import { a2aRoutes } from './a2a-routes.ts';
import { followAnswers } from './answers.ts';
import { cardRoutes } from './card-routes.ts';
import { refuseBytes } from './client-error.ts';
import type { HttpDeps } from './deps.ts';
import { hostGuard } from './host-guard.ts';
import { inboxRoute } from './inbox-route.ts';
import { answerOtherMethods } from './other-methods.ts';
import { installPlumbing, MAX_BODY, readError, sendError } from './plumbing.ts';
import { dropSlowReaders } from './slow-readers.ts';
import { restRoutes } from './rest-routes.ts';
import { v1Routes } from './v1-routes.ts';

export interface HttpServer {
  /** Resolves with the base URL. Rejects with Node's own error when the address is taken. */
  listen(address: { readonly host: string; readonly port: number }): Promise<string>;
  /** Ends every stream, lets what was begun be answered, and closes. Call it once `context.stopping` is aborted. */
  close(): Promise<void>;
}

/** How long clients have to take their last answers, or to finish their requests, when the relay stops; milliseconds. */
const STOP_MS = 1000;

/** All routes of a relay, and what surrounds them. */
export function createHttpServer(deps: HttpDeps, logger: FastifyBaseLogger | undefined): HttpServer {
  const app = Fastify({
    ...(logger === undefined ? {} : { loggerInstance: logger }),
    bodyLimit: MAX_BODY,
    // a handle or an id of any length is the routes' to refuse: no head is longer than this
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: maxHeaderSize },
    frameworkErrors: (error, request, reply) => void sendError(reply, readError(request, error)),
    clientErrorHandler: (fault, socket) => refuseBytes(fault, socket, answers.on(socket)),
    // what arrives while the relay stops gets an answer of ours
    return503OnClosing: false,
    // a client that sends its head or body a byte a minute holds a socket no longer than this
    requestTimeout: 60_000,
    logController: new LogController({ disableRequestLogging: true }),
  });
  const answers = followAnswers(app.server);
  const lookNoMore = dropSlowReaders(app.server, deps.pace);
  const answerTheRest = answerOtherMethods(app);
  installPlumbing(app);
  hostGuard(app, deps.publicUrl);
  app.addHook('onRequest', (_request, reply, done) => {
    if (deps.context.stopping.aborted) void reply.header('connection', 'close');
    done();
  });
  app.decorateRequest('principal');
  a2aRoutes(app, deps);
  restRoutes(app, deps);
  cardRoutes(app, deps);
  v1Routes(app, deps);
  inboxRoute(app, deps);
  answerTheRest();

  return {
    listen: (address) => app.listen(address),
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
