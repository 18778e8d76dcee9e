import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { Server as TlsServer } from 'node:tls';

/** Calls the listener with each new connection that carries HTTP: under TLS, the one inside, once it is there. */
export function onConnection(server: Server, listener: (socket: Socket) => void): void {
  server.on(server instanceof TlsServer ? 'secureConnection' : 'connection', listener);
}
