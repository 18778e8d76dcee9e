import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { RelayError } from '../contract/reasons.ts';
import type { Call } from '../operations/context.ts';
import type { Operation } from '../operations/operation.ts';
import { withoutAlias } from '../operations/alias.ts';
import { perform } from '../operations/perform.ts';
import { A2A_0_1 } from '../wire/a2a-0.1/dialect.ts';
import { A2A_0_3 } from '../wire/a2a-0.3/dialect.ts';
import type { Aliased, Dialect } from '../wire/dialect.ts';
import { ERROR_FORMS } from '../wire/errors.ts';
import { UnsafeJsonError } from '../wire/json.ts';
import { errorBody, readId, readRequest, successBody, type RequestId } from '../wire/json-rpc.ts';
import { dataFrame } from '../wire/sse.ts';
import { callOf, dialectOf, echoExtensions, sendFrames } from './binding.ts';
import { refuseWhenStopping } from './connection.ts';
import type { HttpDeps } from './deps.ts';
import { identified } from './identify.ts';
import { readError, readJsonBody, withErrorHeaders } from './plumbing.ts';

/**
 * The JSON-RPC binding (A2A 1.0.1 section 9): `/a2a` for the whole relay, `/a/{handle}` and `/a2a/{handle}` for one agent.
 * `/` is `/a2a` for clients that look at nothing of a card but where it came from.
 */
export function a2aRoutes(app: FastifyInstance, deps: HttpDeps): void {
  const errorHandler = (thrown: Error, request: FastifyRequest, reply: FastifyReply): void => {
    void answerError(reply, null, readError(request, thrown));
  };
  for (const url of ['/a2a', '/', '/a2a/:handle', '/a/:handle']) {
    app.post(url, { onRequest: identified, errorHandler }, (request, reply) => serve(deps, request, reply));
  }
}

async function serve(deps: HttpDeps, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  // undefined once it is known to be a notification, which is never answered
  let id: RequestId | undefined = null;
  let isStream = false;
  try {
    const body = readJsonBody(request);
    id = readId(body);
    const rpc = readRequest(body);
    id = rpc.id;
    refuseWhenStopping(deps);
    const dialect = dialectOf(deps, request, rpc.method);
    isStream = dialect.refusesInStream(rpc.method);
    const operation = dialect.decode(rpc.method, rpc.params);
    const call = await callOf(deps, request, operation);
    echoExtensions(dialect, call, reply);
    const isOlder = dialect === A2A_0_3 || dialect === A2A_0_1;
    const named = isOlder ? await withoutAlias(deps.context, call, operation) : operation;
    // who gave a task a name of its own speaks 0.1, whatever else has methods of these names
    const spoken = named === operation ? dialect : A2A_0_1;
    return await respond(deps, request, reply, call, spoken, named, id);
  } catch (thrown) {
    const error = readError(request, thrown);
    if (id === undefined) return answerNothing(reply);
    if (isStream) return refuseInStream(reply, id, error);
    return answerError(reply, thrown instanceof UnsafeJsonError ? readId(thrown.body) : id, error);
  }
}

async function respond(
  deps: HttpDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  call: Call,
  dialect: Dialect,
  operation: Operation,
  id: RequestId | undefined,
): Promise<FastifyReply> {
  const result = await perform(deps.context, call, operation, id !== undefined);
  if (id === undefined) return answerNothing(reply);
  if (result.kind !== 'stream') {
    return reply
      .type('application/json')
      .send(successBody(id, JSON.stringify(dialect.encode(result, aliasOf(operation)))));
  }
  const write = dialect.frames(aliasOf(operation));
  return sendFrames(deps, request, reply, result, {
    events: (frame) => write(frame).map((event) => successBody(id, JSON.stringify(event))),
    error: (error) => errorBody(id, error),
  });
}

function aliasOf(operation: Operation): Aliased {
  return 'alias' in operation && operation.alias !== undefined ? { alias: operation.alias } : {};
}

/** A notification is carried out, or not, and nobody is told (JSON-RPC 2.0 section 4.1). */
function answerNothing(reply: FastifyReply): FastifyReply {
  return reply.status(204).send();
}

/** One event, and the stream is over. */
function refuseInStream(reply: FastifyReply, id: RequestId, error: RelayError): FastifyReply {
  if (reply.raw.headersSent) return reply;
  return reply
    .type('text/event-stream')
    .header('cache-control', 'no-cache')
    .send(dataFrame(errorBody(id, error)));
}

function answerError(reply: FastifyReply, id: RequestId, error: RelayError): FastifyReply {
  if (reply.raw.headersSent) return reply;
  return withErrorHeaders(reply, error)
    .status(ERROR_FORMS[error.reason].rpcStatus)
    .type('application/json')
    .send(errorBody(id, error));
}
