import type { FastifyRequest } from 'fastify';
import type { Call } from '../operations/context.ts';
import { extensionsOf } from './binding.ts';
import { callerSignal, refuseWhenStopping } from './connection.ts';
import type { HttpDeps } from './deps.ts';
import { callerOf } from './identify.ts';

/** Who calls one of our own routes, which is `identified`. SHUTTING_DOWN while the relay stops, UNAUTHENTICATED once the key was revoked. */
export function v1Call(deps: Pick<HttpDeps, 'context'>, request: FastifyRequest): Call {
  refuseWhenStopping(deps);
  return { principal: callerOf(deps, request), signal: callerSignal(request), extensions: extensionsOf(request) };
}
