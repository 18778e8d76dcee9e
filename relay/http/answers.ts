import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** A request that was begun, and its answer, the end of which has not left yet. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/**
 * Which answers are under way. node:http counts one as finished as soon as it is written, and would close its connection
 * as idle, though most of it may still wait for its reader.
 */
export interface Answers {
  /** Those on one connection, in the order in which they leave. */
  on(socket: Socket): readonly Exchange[];
  /** Resolves when there are none, on any connection. */
  allGone(): Promise<void>;
}

export function followAnswers(server: Server): Answers {
  const underWay = new Map<Socket, Set<Exchange>>();
  let waiting: (() => void)[] = [];

  function forget(socket: Socket): void {
    underWay.delete(socket);
    if (underWay.size > 0) return;
    for (const wake of waiting) wake();
    waiting = [];
  }
  server.on('connection', (socket: Socket) => {
    // older Nodes tell no answer of it that is still behind others
    socket.once('close', () => forget(socket));
  });
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    if (socket.destroyed) return;
    const exchange = { request, response };
    const exchanges = underWay.get(socket) ?? new Set();
    underWay.set(socket, exchanges.add(exchange));
    response.once('close', () => {
      exchanges.delete(exchange);
      if (exchanges.size === 0) forget(socket);
    });
  });

  return {
    on: (socket) => [...(underWay.get(socket) ?? [])],
    allGone: () => (underWay.size === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
  };
}
