import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { onConnection } from './on-connection.ts';

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
  const underWay = new Map<Socket, Exchange[]>();
  let waiting: (() => void)[] = [];

  function forget(socket: Socket): void {
    underWay.delete(socket);
    if (underWay.size > 0) return;
    for (const wake of waiting) wake();
    waiting = [];
  }
  onConnection(server, (socket) => {
    // older Nodes tell no answer of it that is still behind others
    socket.on('close', () => forget(socket));
  });
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    if (socket.destroyed) return;
    const exchange = { request, response };
    // nearly always the only one: a list of one costs a quarter of a set
    const exchanges = underWay.get(socket);
    if (exchanges === undefined) underWay.set(socket, [exchange]);
    else exchanges.push(exchange);
    response.on('close', () => {
      const left = underWay.get(socket)?.filter((one) => one !== exchange) ?? [];
      if (left.length === 0) forget(socket);
      else underWay.set(socket, left);
    });
  });

  return {
    on: (socket) => [...(underWay.get(socket) ?? [])],
    allGone: () => (underWay.size === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
  };
}
