import type { FastifyRequest } from 'fastify';
import type { Call } from '../operations/context.ts';
import { callerSignal, refuseWhenStopping } from './connection.ts';
import type { HttpDeps } from './deps.ts';
import { principalOf } from './identify.ts';

/** Who calls one of our own routes, which is `identified`. SHUTTING_DOWN while the relay stops. */
export function v1Call(deps: Pick<HttpDeps, 'context'>, request: FastifyRequest): Call {
  refuseWhenStopping(deps);
  return { principal: principalOf(request), signal: callerSignal(request) };
}
