import { chmod, lstat, rm } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { DeskApi } from '../../relay/contract/desk-api.ts';
import { StartError, systemCode, unusable } from '../start-error.ts';
import { serveConnection, type Connection } from './connection.ts';

/** More programs of one person than this are a mistake somewhere. */
const MAX_CONNECTIONS = 128;
/** How long a call that is under way may still take when the app closes. */
const CLOSE_PATIENCE_MS = 2000;

export interface SocketServerOptions {
  /** Where to listen; its folder is there, and this user's alone. */
  readonly path: string;
  /** What every client has to show first. */
  readonly token: string;
  readonly desk: DeskApi;
  /** Of the app, told to clients. */
  readonly version: string;
  readonly logger: Logger;
  /** How long a client may take to say hello, milliseconds. Default: 5 s. */
  readonly helloPatienceMs?: number;
}

export interface SocketServer {
  /** Lets calls that are under way end, then leaves no connection and no file. */
  close(): Promise<void>;
}

/**
 * Opens the local socket. What a crash left at the path is replaced; a socket that somebody listens on never is: then it
 * fails with a StartError.
 */
export async function startSocketServer(options: SocketServerOptions): Promise<SocketServer> {
  const { path } = options;
  const connections = new Set<Connection>();
  const server = createServer((socket) => {
    const connection = serveConnection(socket, options);
    connections.add(connection);
    socket.once('close', () => connections.delete(connection));
  });
  server.maxConnections = MAX_CONNECTIONS;
  await removeStale(path);
  await listen(server, path);
  if (process.platform !== 'win32') await chmod(path, 0o600);

  return {
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      const ended = Promise.all(Array.from(connections, (connection) => connection.finish()));
      await Promise.race([ended, delay(CLOSE_PATIENCE_MS, undefined, { ref: false })]);
      for (const connection of connections) connection.destroy();
      await closed;
    },
  };
}

async function listen(server: Server, path: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen(path, resolve);
  try {
    await promise;
  } catch (error) {
    // on Windows, where a pipe is no file, this is how a live one shows
    throw systemCode(error) === 'EADDRINUSE' ? inUse(path) : unusable(path, error);
  } finally {
    server.off('error', reject);
  }
}

/** Removes a socket that nobody listens on any more, or whatever else is in its place. */
async function removeStale(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const stats = await lstat(path).catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw unusable(path, error);
  });
  if (stats === undefined) return;
  if (stats.isSocket() && (await isLive(path))) throw inUse(path);
  await rm(path, { recursive: true, force: true }).catch((error: unknown) => {
    throw unusable(path, error);
  });
}

async function isLive(path: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket: Socket = connect(path);
  socket.once('connect', () => resolve(true));
  // anything but a refusal (a full queue, say) may be a live one
  socket.once('error', (error) => resolve(!['ECONNREFUSED', 'ENOENT'].includes(systemCode(error) ?? '')));
  try {
    return await promise;
  } finally {
    socket.destroy();
  }
}

function inUse(path: string): StartError {
  return new StartError(`Another program listens on ${path}. End it, or choose another data folder with --home.`);
}
