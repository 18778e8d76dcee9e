import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { parseHandle } from '../contract/handle.ts';
import { EXTENSION_URI } from '../contract/handoff.ts';
import type { JsonObject } from '../contract/json.ts';
import { RelayError } from '../contract/reasons.ts';
import type { Principal } from '../identity/authenticate.ts';
import type { Call } from '../operations/context.ts';
import type { Operation } from '../operations/operation.ts';
import { encodeStreamResponse } from '../wire/a2a-1.0/encode.ts';
import { decodeOperation } from '../wire/a2a-1.0/decode.ts';
import { decodeExtension } from '../wire/agentrelay/decode.ts';
import { ERROR_FORMS, toRelayError } from '../wire/errors.ts';
import { errorBody, readId, readRequest, successBody, type RequestId } from '../wire/json-rpc.ts';
import { dataFrame } from '../wire/sse.ts';
import { negotiate } from '../wire/version.ts';
import type { HttpDeps } from './deps.ts';
import { callerSignal, readError, readJsonBody, withErrorHeaders } from './plumbing.ts';
import { perform } from './perform.ts';

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
  let id: RequestId = null;
  try {
    const body = readJsonBody(request);
    id = readId(body);
    const rpc = readRequest(body);
    const operation = decode(deps, request, rpc.method, rpc.params);
    echoExtensions(request, reply);
    const call = await callOf(deps, request, reply);
    return await respond(deps, reply, call, operation, rpc.id);
  } catch (thrown) {
    return answerError(reply, id, readError(request, thrown));
  }
}

function decode(deps: HttpDeps, request: FastifyRequest, method: string, params: JsonObject | undefined): Operation {
  const query = queryOf(request)['A2A-Version'];
  const header = request.headers['a2a-version'];
  const dialect = negotiate(method, asText(header), asText(query), { lenient: deps.lenientVersion });
  return dialect === 'agentrelay' ? decodeExtension(method, params) : decodeOperation(method, params);
}

/** Who calls, at whose door. The path and a `tenant` name the same agent, where both name one. */
async function callOf(deps: HttpDeps, request: FastifyRequest, reply: FastifyReply): Promise<Call> {
  const { principal } = request;
  if (principal === undefined) throw new Error('an A2A route without authentication');
  const handle = paramsOf(request)['handle'];
  const signal = callerSignal(reply);
  if (handle === undefined) return { principal, signal };
  const endpoint = parseHandle(handle) && (await deps.context.resolve(handle));
  if (endpoint === undefined) {
    throw new RelayError(
      'RECIPIENT_NOT_FOUND',
      'No agent of this relay has the handle in the path. Nothing was sent.',
      {
        metadata: { recipient: handle.slice(0, 130) },
      },
    );
  }
  return { principal, endpoint, signal };
}

async function respond(
  deps: HttpDeps,
  reply: FastifyReply,
  call: Call,
  operation: Operation,
  id: RequestId | undefined,
): Promise<FastifyReply> {
  const result = await perform(deps.context, call, operation, id !== undefined);
  // a notification is carried out, and answered with nothing
  if (id === undefined) return reply.status(204).send();
  if (result.kind === 'json') return reply.type('application/json').send(successBody(id, result.json));
  const { frames } = result;
  reply.hijack();
  const writer = deps.writers.open(reply.raw, headersOf(reply), {
    heartbeatMs: deps.heartbeatMs,
    maxAgeMs: deps.streamMaxAgeMs,
  });
  // the stream's age and the server's stop end the cursor too
  writer.signal.addEventListener('abort', () => result.stop());
  try {
    for await (const frame of frames) await writer.write(dataFrame(successBody(id, encodeStreamResponse(frame))));
  } catch (thrown) {
    await writer.write(dataFrame(errorBody(id, toRelayError(thrown))));
    throw thrown;
  } finally {
    writer.end();
  }
  return reply;
}

function answerError(reply: FastifyReply, id: RequestId, error: RelayError): FastifyReply {
  if (reply.raw.headersSent) return reply;
  return withErrorHeaders(reply, error)
    .status(ERROR_FORMS[error.reason].rpcStatus)
    .type('application/json')
    .send(errorBody(id, error));
}

/** What was asked for and is known is named back (A2A 1.0.1 section 3.2.6). */
function echoExtensions(request: FastifyRequest, reply: FastifyReply): void {
  const asked = asText(request.headers['a2a-extensions']) ?? '';
  if (asked.split(',').some((uri) => uri.trim() === EXTENSION_URI)) void reply.header('a2a-extensions', EXTENSION_URI);
}

/** The headers that hooks have set, for a response that is written by hand. */
function headersOf(reply: FastifyReply): Record<string, string> {
  return Object.fromEntries(Object.entries(reply.getHeaders()).map(([name, value]) => [name, String(value)]));
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
