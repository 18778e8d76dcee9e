import { setMaxListeners } from 'node:events';
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RelayError } from '../contract/reasons.ts';
import type { SseOptions, SseWriter } from '../hub/sse-writer.ts';
import { onAbort } from '../operations/on-abort.ts';
import type { HttpDeps } from './deps.ts';
import { principalOf } from './identify.ts';

/** One signal a connection, however many requests it carries. */
const callers = new WeakMap<Socket, AbortSignal>();

/**
 * Aborts when the caller's connection closes. Not when its response does: older Nodes do not tell a response that is
 * still behind others on a pipelined connection.
 */
export function callerSignal({ raw: { socket } }: FastifyRequest): AbortSignal {
  const known = callers.get(socket);
  if (known !== undefined) return known;
  const abort = new AbortController();
  // each pipelined request listens to it
  setMaxListeners(0, abort.signal);
  socket.on('close', () => abort.abort());
  if (socket.destroyed) abort.abort();
  callers.set(socket, abort.signal);
  return abort.signal;
}

/** Makes an event stream of a response. It ends when its caller leaves, with its caller's key, at its greatest age, or when the relay stops. */
export function openStream(
  { context, writers, heartbeatMs, pace: { graceMs } }: Pick<HttpDeps, 'context' | 'writers' | 'heartbeatMs' | 'pace'>,
  request: FastifyRequest,
  reply: FastifyReply,
  age: Pick<SseOptions, 'maxAgeMs'> = {},
): SseWriter {
  reply.hijack();
  const writer = writers.open(reply.raw, headersOf(reply), { heartbeatMs, graceMs, ...age });
  const end = (): void => writer.end();
  const forget = onAbort(callerSignal(request), end);
  const stay = context.keyEnds.on(principalOf(request).keyId, end);
  onAbort(writer.signal, () => {
    forget();
    stay();
  });
  return writer;
}

/** The headers that hooks have set, for a response that is written by hand. */
function headersOf(reply: FastifyReply): Record<string, string> {
  return Object.fromEntries(Object.entries(reply.getHeaders()).map(([name, value]) => [name, String(value)]));
}

/** SHUTTING_DOWN for what arrives on an open connection while the relay stops. */
export function refuseWhenStopping({ context }: Pick<HttpDeps, 'context'>): void {
  if (context.stopping.aborted) {
    throw new RelayError('SHUTTING_DOWN', 'The relay is stopping. Nothing was stored; try again later.');
  }
}
