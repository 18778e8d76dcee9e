import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Json } from '../contract/json.ts';
import { RelayError } from '../contract/reasons.ts';
import { ERROR_FORMS, httpErrorBody, toRelayError } from '../wire/errors.ts';
import { parseJson } from '../wire/json.ts';

/** What all routes have in common: bodies as bytes, errors in one form, no cookies and therefore any origin. */

/** Largest body that is read, bytes. */
export const MAX_BODY = 1024 * 1024;

const CORS: Readonly<Record<string, string>> = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'A2A-Version, A2A-Extensions, X-A2A-Extensions, ETag, WWW-Authenticate, Retry-After',
};

export function installPlumbing(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => {
    done(null, body);
  });
  app.addHook('onRequest', ({ routeOptions: { url = '' } }, reply, done) => {
    if (!isOperators(url)) void reply.headers(CORS);
    done();
  });
  app.setErrorHandler((thrown, request, reply) => sendError(reply, readError(request, thrown)));
  app.setNotFoundHandler((request, reply) =>
    sendError(reply, new RelayError('ROUTE_NOT_FOUND', `There is nothing at ${request.method} on this path.`)),
  );
}

/** What whoever runs the relay asks for is nothing for a page of any origin. */
function isOperators(route: string): boolean {
  return route === '/metrics' || route.startsWith('/admin/');
}

/** Outside JSON-RPC: the HTTP status says it, and the body says it again (A2A 1.0.1 section 11.6). */
export function sendError(reply: FastifyReply, error: RelayError, mediaType = 'application/json'): FastifyReply {
  return withErrorHeaders(reply, error)
    .status(ERROR_FORMS[error.reason].httpStatus)
    .type(mediaType)
    .send(httpErrorBody(error));
}

/** What was thrown, as something to tell a caller. Faults of ours go to the log, with their cause. */
export function readError(request: FastifyRequest, thrown: unknown): RelayError {
  const code = thrown instanceof Error && 'code' in thrown ? thrown.code : undefined;
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    return new RelayError('PAYLOAD_TOO_LARGE', `The body is larger than ${MAX_BODY} bytes. Send files by reference.`, {
      metadata: { limit: String(MAX_BODY) },
    });
  }
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return notJson();
  if (code === 'FST_ERR_BAD_URL') {
    return new RelayError('INVALID_REQUEST', 'The path is not percent-encoded UTF-8 (RFC 3986 section 2.1).');
  }
  const isCutOff = thrown instanceof Error && thrown === request.raw.errored;
  if (isCutOff || (typeof code === 'string' && code.startsWith('FST_ERR_CTP'))) {
    return new RelayError('INVALID_REQUEST', 'The body did not arrive as its headers said. Send it again.');
  }
  const error = toRelayError(thrown);
  if (error.reason === 'INTERNAL') request.log.error({ err: thrown }, 'request failed');
  return error;
}

/** For an answer that holds what is shown once: nothing on the way keeps it (RFC 9111 section 5.2.2.5). */
export function showOnce(reply: FastifyReply): void {
  void reply.header('cache-control', 'no-store');
}

/** A 401 says how to authenticate, and what can be tried again says when (RFC 9110 sections 11.6.1 and 10.2.3). */
export function withErrorHeaders(reply: FastifyReply, { reason, retryAfterS }: RelayError): FastifyReply {
  if (ERROR_FORMS[reason].httpStatus === 401) void reply.header('www-authenticate', 'Bearer realm="agentrelay"');
  return retryAfterS === undefined ? reply : reply.header('retry-after', retryAfterS);
}

/** The body as JSON. UNSUPPORTED_MEDIA_TYPE unless the header says so: a web page cannot send that by itself. */
export function readJsonBody(request: FastifyRequest): Json {
  if (!isJsonType(request.headers['content-type'])) throw notJson();
  if ((request.headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity') {
    throw new RelayError('UNSUPPORTED_MEDIA_TYPE', 'Send the body as it is, without a Content-Encoding.');
  }
  const { body } = request;
  // a call may wait for long: its bytes need not
  request.body = undefined;
  return parseJson(body instanceof Uint8Array ? body : new Uint8Array());
}

function notJson(): RelayError {
  return new RelayError('UNSUPPORTED_MEDIA_TYPE', 'Send JSON in UTF-8, with "Content-Type: application/json".');
}

function isJsonType(header: string | undefined): boolean {
  const [type = '', ...params] = (header ?? '').split(';').map((part) => part.trim().toLowerCase());
  const isUtf8 = params.every((param) => !param.startsWith('charset=') || /^charset=("?)utf-?8\1$/.test(param));
  return isUtf8 && /^application\/(json|[a-z0-9.-]+\+json)$/.test(type);
}
