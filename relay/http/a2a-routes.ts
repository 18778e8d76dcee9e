import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { EXTENSION_URI } from '../contract/handoff.ts';
import { invalidParams, RelayError } from '../contract/reasons.ts';
import type { Principal } from '../identity/authenticate.ts';
import type { Call } from '../operations/context.ts';
import { onAbort } from '../operations/on-abort.ts';
import { perform } from '../operations/perform.ts';
import type { Operation } from '../operations/operation.ts';
import type { Agent } from '../store/ports.ts';
import type { Dialect } from '../wire/dialect.ts';
import { ERROR_FORMS, toRelayError } from '../wire/errors.ts';
import { excerpt } from '../wire/excerpt.ts';
import { UnsafeJsonError } from '../wire/json.ts';
import { errorBody, readId, readRequest, successBody, type RequestId } from '../wire/json-rpc.ts';
import { dataFrame } from '../wire/sse.ts';
import { negotiate } from '../wire/version.ts';
import { callerSignal, openStream, refuseWhenStopping } from './connection.ts';
import type { HttpDeps } from './deps.ts';
import { readError, readJsonBody, withErrorHeaders } from './plumbing.ts';

/** The JSON-RPC binding (A2A 1.0.1 section 9): `/a2a` for the whole relay, `/a/{handle}` and `/a2a/{handle}` for one agent. */
export function a2aRoutes(app: FastifyInstance, deps: HttpDeps): void {
  app.decorateRequest('principal');
  // before the body is read: nobody without a key makes us read one
  const onRequest = async (request: FastifyRequest): Promise<void> => {
    request.principal = await deps.authenticator.authenticate(request.headers.authorization);
  };
  const errorHandler = (thrown: Error, request: FastifyRequest, reply: FastifyReply): void => {
    void answerError(reply, null, readError(request, thrown));
  };
  for (const url of ['/a2a', '/a2a/:handle', '/a/:handle']) {
    app.post(url, { onRequest, errorHandler }, (request, reply) => serve(deps, request, reply));
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    principal?: Principal;
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
    echoExtensions(dialect, request, reply);
    const call = await callOf(deps, request, operation);
    return await respond(deps, request, reply, call, dialect, operation, id);
  } catch (thrown) {
    const error = readError(request, thrown);
    if (id === undefined) return answerNothing(reply);
    if (isStream) return refuseInStream(reply, id, error);
    return answerError(reply, thrown instanceof UnsafeJsonError ? readId(thrown.body) : id, error);
  }
}

function dialectOf(deps: HttpDeps, request: FastifyRequest, method: string): Dialect {
  const query = queryOf(request)['A2A-Version'];
  const header = request.headers['a2a-version'];
  return negotiate(method, asText(header), asText(query), { lenient: deps.lenientVersion });
}

/** Who calls, and at whose door. */
async function callOf(deps: HttpDeps, request: FastifyRequest, operation: Operation): Promise<Call> {
  const { principal } = request;
  if (principal === undefined) throw new Error('an A2A route without authentication');
  const signal = callerSignal(request);
  const tenant = 'tenant' in operation ? operation.tenant : undefined;
  const endpoint = await endpointOf(deps, paramsOf(request)['handle'], tenant);
  return endpoint === undefined ? { principal, signal } : { principal, endpoint, signal };
}

/**
 * The agent that the path names, or a `tenant` at the relay-wide endpoint; undefined where neither names one. Where both
 * do, they have to agree (A2A 1.0.1 section 8.3.2).
 */
async function endpointOf(
  { context }: HttpDeps,
  handle: string | undefined,
  tenant: string | undefined,
): Promise<Agent | undefined> {
  const named = handle ?? tenant;
  if (named === undefined) return undefined;
  const endpoint = await context.resolve(named);
  if (endpoint === undefined) {
    throw new RelayError(
      'RECIPIENT_NOT_FOUND',
      `No agent of this relay has the handle in ${handle === undefined ? 'tenant' : 'the path'}. Nothing was sent.`,
      {
        metadata: { recipient: excerpt(named, 130) },
      },
    );
  }
  if (tenant !== undefined && (await context.resolve(tenant))?.id !== endpoint.id) {
    throw invalidParams('tenant', 'is not the agent of this endpoint. Leave it out: the path names the agent.');
  }
  return endpoint;
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
    return reply.type('application/json').send(successBody(id, JSON.stringify(dialect.encode(result))));
  }
  const { frames } = result;
  const writer = openStream(deps, request, reply, { maxAgeMs: deps.streamMaxAgeMs });
  onAbort(writer.signal, result.stop);
  try {
    for await (const frame of frames) {
      await writer.write(dataFrame(successBody(id, JSON.stringify(dialect.encodeFrame(frame)))));
    }
  } catch (thrown) {
    await writer.write(dataFrame(errorBody(id, toRelayError(thrown))));
    throw thrown;
  } finally {
    writer.end();
  }
  return reply;
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

/** What was asked for and is known is named back (A2A 1.0.1 section 3.2.6). */
function echoExtensions({ extensionsHeader }: Dialect, request: FastifyRequest, reply: FastifyReply): void {
  const asked = asText(request.headers[extensionsHeader]) ?? '';
  if (asked.split(',').some((uri) => uri.trim() === EXTENSION_URI)) void reply.header(extensionsHeader, EXTENSION_URI);
}

function paramsOf(request: FastifyRequest): Readonly<Record<string, string | undefined>> {
  return request.params as Readonly<Record<string, string | undefined>>;
}

function queryOf(request: FastifyRequest): Readonly<Record<string, unknown>> {
  return request.query as Readonly<Record<string, unknown>>;
}

function asText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
