import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { RelayError } from '../contract/reasons.ts';
import { sendError } from './plumbing.ts';

/** What a page of any origin may send (Fetch standard, CORS preflight). */
const ALLOWED_HEADERS =
  'Authorization, Content-Type, A2A-Version, A2A-Extensions, X-A2A-Extensions, Last-Event-ID, If-None-Match, If-Modified-Since';
/** How long a browser may remember that, seconds: the most that any of them takes. */
const PREFLIGHT_AGE = '86400';

/**
 * Gives every path an answer to the methods that it has no route for: OPTIONS says what there is, which is also the
 * answer to a browser's preflight, and everything else is METHOD_NOT_ALLOWED with the same list (RFC 9110 section 15.5.6).
 * Nobody's body is read for that.
 * @returns call it when all routes are there
 */
export function answerOtherMethods(app: FastifyInstance): () => void {
  const methodsOf = new Map<string, Set<string>>();
  const note = ({ url, method }: { readonly url: string; readonly method: string | string[] }): void => {
    const known = methodsOf.get(url) ?? new Set();
    methodsOf.set(url, known);
    for (const one of [method].flat()) known.add(one);
  };
  let isCollecting = true;
  app.addHook('onRoute', (route) => {
    if (isCollecting) note(route);
  });
  return () => {
    isCollecting = false;
    for (const [url, methods] of methodsOf) {
      const allowed = [...methods, 'OPTIONS'].join(', ');
      const others = app.supportedMethods.filter((method) => method !== 'OPTIONS' && !methods.has(method));
      route(app, url, ['OPTIONS'], (_request, reply) =>
        reply
          .status(204)
          .headers({
            allow: allowed,
            'access-control-allow-methods': allowed,
            'access-control-allow-headers': ALLOWED_HEADERS,
            'access-control-max-age': PREFLIGHT_AGE,
          })
          .send(),
      );
      route(app, url, others, ({ method }, reply) =>
        sendError(
          reply.header('allow', allowed),
          new RelayError('METHOD_NOT_ALLOWED', `There is no ${method} on this path. Use one of: ${allowed}.`),
        ),
      );
    }
  };
}

/** Answers in the first hook, which is before the body. */
function route(
  app: FastifyInstance,
  url: string,
  method: string[],
  answer: (request: FastifyRequest, reply: FastifyReply) => FastifyReply,
): void {
  app.route({ method, url, onRequest: async (request, reply) => answer(request, reply), handler: answer });
}
