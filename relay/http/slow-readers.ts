import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { onConnection } from './on-connection.ts';

/** How fast a client has to send, and to take what it is sent. */
export interface Pace {
  /** Time that anybody has, whatever waits; milliseconds. */
  readonly graceMs: number;
  /** What is large has so much more time. */
  readonly bytesPerSecond: number;
  /** Time for a whole request to arrive, milliseconds; it is kept to within a half. Default: a minute. */
  readonly requestMs?: number;
}

/** Looks in the time of grace: it is kept to within a third. */
const LOOKS = 3;

/**
 * Breaks the connection of a client that does not take what is waiting for it, be it an answer or a stream: otherwise it
 * would hold that memory, and its place, for as long as it likes. Streams resume; what was asked can be asked again.
 *
 * The system tells of a write only once all of it has left. So what waits has to move on within the time that all of it
 * may take, counted in looks: a machine that slept has not looked.
 * @returns call it when the server is closed
 */
export function dropSlowReaders(server: Server, { graceMs, bytesPerSecond }: Omit<Pace, 'requestMs'>): () => void {
  const sockets = new Set<Socket>();
  const stalled = new Map<Socket, { readonly left: number; readonly looks: number }>();
  onConnection(server, (socket) => {
    sockets.add(socket);
    socket.on('close', () => {
      sockets.delete(socket);
      stalled.delete(socket);
    });
  });
  const everyMs = graceMs / LOOKS;

  function look(socket: Socket): void {
    const waiting = socket.writableLength;
    if (waiting === 0) {
      stalled.delete(socket);
      return;
    }
    const left = socket.bytesWritten - waiting;
    const before = stalled.get(socket);
    const looks = before?.left === left ? before.looks + 1 : 0;
    stalled.set(socket, { left, looks });
    if (looks * everyMs >= graceMs + (waiting / bytesPerSecond) * 1000) socket.destroy();
  }
  const timer = setInterval(() => sockets.forEach(look), everyMs).unref();
  return () => clearInterval(timer);
}
