import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isJsonObject, type Json, type JsonObject } from '../contract/json.ts';
import { invalidParams, RelayError } from '../contract/reasons.ts';
import { perform } from '../operations/perform.ts';
import { httpErrorBody } from '../wire/errors.ts';
import { callOf, dialectOf, echoExtensions, paramsOf, queryOf, sendFrames } from './binding.ts';
import { refuseWhenStopping } from './connection.ts';
import type { HttpDeps } from './deps.ts';
import { identified } from './identify.ts';
import { readError, readJsonBody, sendError } from './plumbing.ts';

/** What an HTTP request asks for: a method, as JSON-RPC names it, and its params. */
interface RestCall {
  readonly method: string;
  readonly params: JsonObject;
}
type Read = (request: FastifyRequest) => RestCall;

/** A2A 1.0.1 section 11.1. */
const MEDIA_TYPE = 'application/a2a+json';
const ENCODED_COLON = /^([^?#]*\/message)%3a(?=(?:send|stream)\/?(?:[?#]|$))/i;
/** An extended card is for whoever's key it was asked for with (section 8.6). */
const FOR_THIS_CALLER = { 'cache-control': 'private, max-age=60', vary: 'Authorization, A2A-Version' };

/**
 * The target of a request with its colon as the routes have it: some clients encode what stands in a path, and the router
 * takes that for another path wherever it is no parameter.
 */
export function withPlainColon(target: string): string {
  return target.replace(ENCODED_COLON, '$1:');
}

/**
 * The HTTP+JSON binding of A2A 1.0 (section 11), at the same addresses as the JSON-RPC one: a path and a query say what
 * there are a method and params for. Everything behind that is the same.
 */
export function restRoutes(app: FastifyInstance, deps: HttpDeps): void {
  const errorHandler = (thrown: Error, request: FastifyRequest, reply: FastifyReply): void => {
    void sendError(reply, readError(request, thrown), MEDIA_TYPE);
  };
  for (const base of ['/a2a', '/a2a/:handle', '/a/:handle']) {
    const on = (method: 'GET' | 'POST' | 'DELETE', path: string, read: Read): void => {
      app.route({ method, url: `${base}${path}`, onRequest: identified, errorHandler, handler: serve(deps, read) });
    };
    // a colon that is no parameter is written twice
    on('POST', '/message::send', (request) => ({ method: 'SendMessage', params: bodyOf(request) }));
    on('POST', '/message::stream', (request) => ({ method: 'SendStreamingMessage', params: bodyOf(request) }));
    on('GET', '/tasks', (request) => ({ method: 'ListTasks', params: paramsOfQuery(request) }));
    on('GET', '/tasks/:task', (request) => taskCall(request, { '': 'GetTask', subscribe: 'SubscribeToTask' }));
    on('POST', '/tasks/:task', (request) => taskCall(request, { cancel: 'CancelTask', subscribe: 'SubscribeToTask' }));
    const configs = '/tasks/:taskId/pushNotificationConfigs';
    on('POST', configs, (request) => configCall(request, 'CreateTaskPushNotificationConfig', bodyOf(request)));
    on('GET', configs, (request) => configCall(request, 'ListTaskPushNotificationConfigs', paramsOfQuery(request)));
    on('GET', `${configs}/:id`, (request) => configCall(request, 'GetTaskPushNotificationConfig', {}));
    on('DELETE', `${configs}/:id`, (request) => configCall(request, 'DeleteTaskPushNotificationConfig', {}));
    on('GET', '/extendedAgentCard', (request) => ({ method: 'GetExtendedAgentCard', params: paramsOfQuery(request) }));
  }
}

function serve(deps: HttpDeps, read: Read) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    try {
      refuseWhenStopping(deps);
      const { method, params } = read(request);
      const dialect = dialectOf(deps, request, method);
      const operation = dialect.decode(method, params);
      const call = await callOf(deps, request, operation);
      echoExtensions(dialect, call, reply);
      const result = await perform(deps.context, call, operation, true);
      if (result.kind === 'card') void reply.headers(FOR_THIS_CALLER);
      if (result.kind !== 'stream') return reply.type(MEDIA_TYPE).send(JSON.stringify(dialect.encode(result, {})));
      const write = dialect.frames({});
      return await sendFrames(deps, request, reply, result, {
        events: (frame) => write(frame).map((event) => JSON.stringify(event)),
        error: httpErrorBody,
      });
    } catch (thrown) {
      const error = readError(request, thrown);
      return reply.raw.headersSent ? reply : sendError(reply, error, MEDIA_TYPE);
    }
  };
}

/** `{id}` or `{id}:{verb}`: a verb is behind the last colon, if it is one. */
function taskCall(request: FastifyRequest, methods: Readonly<Record<string, string>>): RestCall {
  const segment = paramsOf(request)['task'] ?? '';
  const colon = segment.lastIndexOf(':');
  const verb = colon < 0 ? '' : segment.slice(colon + 1);
  const isVerb = verb !== '' && Object.hasOwn(methods, verb);
  const method = methods[isVerb ? verb : ''];
  if (method === undefined) {
    throw new RelayError('ROUTE_NOT_FOUND', `There is nothing at ${request.method} on this path.`);
  }
  const hasBody = request.method === 'POST' && request.body instanceof Uint8Array && request.body.length > 0;
  const more = hasBody ? bodyOf(request) : paramsOfQuery(request);
  return { method, params: { ...more, id: isVerb ? segment.slice(0, colon) : segment } };
}

/** What the path says counts. */
function configCall(request: FastifyRequest, method: string, params: JsonObject): RestCall {
  const { taskId = '', id } = paramsOf(request);
  return { method, params: { ...params, taskId, ...(id === undefined ? {} : { id }) } };
}

function bodyOf(request: FastifyRequest): JsonObject {
  const body = readJsonBody(request);
  if (!isJsonObject(body)) throw invalidParams('body', 'must be an object');
  return body;
}

/** The query as params. Decoders take numbers as text, as ProtoJSON has it; of truth values there is but one. */
function paramsOfQuery(request: FastifyRequest): JsonObject {
  const { 'A2A-Version': _version, ...query } = queryOf(request);
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => [name, isTruth(name, value) ? value === 'true' : (value as Json)]),
  );
}

function isTruth(name: string, value: unknown): boolean {
  return (name === 'includeArtifacts' || name === 'include_artifacts') && (value === 'true' || value === 'false');
}
