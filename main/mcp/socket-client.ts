import { connect, type Socket } from 'node:net';
import {
  COMMANDS,
  type CommandInput,
  type CommandName,
  type CommandOutput,
  type DeskError,
  type DeskEvent,
} from '../../relay/contract/desk-api.ts';
import { RelayError } from '../../relay/contract/reasons.ts';
import { lineReader } from './lines.ts';
import { helloResultSchema, incomingSchema, MAX_LINE_BYTES, PROTOCOL, type Client } from './protocol.ts';

export interface ConnectOptions {
  readonly path: string;
  readonly token: string;
  readonly client: Client;
  /** How long one answer may take, milliseconds. */
  readonly timeoutMs: number;
}

/** A desk in another process. */
export interface DeskConnection {
  /** The app's version. */
  readonly version: string;
  /** Fails with the desk's RelayError; with RELAY_UNREACHABLE when the connection is lost or no answer comes. */
  call<C extends CommandName>(command: C, input: CommandInput<C>): Promise<CommandOutput<C>>;
  /** Events after `afterSeq`, then live ones, until the connection ends. A gap starts with `reload`. */
  subscribe(afterSeq: number, listener: (event: DeskEvent) => void): Promise<void>;
  /** Resolves when the connection has ended, whoever ended it. */
  readonly closed: Promise<void>;
  close(): void;
}

/**
 * Connects to a running app and says hello. Fails with the system's error (`ENOENT`, `ECONNREFUSED`: nobody listens), or
 * as `call` does.
 */
export async function connectDesk({ path, token, client, timeoutMs }: ConnectOptions): Promise<DeskConnection> {
  const socket = await open(path);
  const rpc = speak(socket, timeoutMs);
  try {
    const { version } = helloResultSchema.parse(await rpc.request('hello', { protocol: PROTOCOL, token, client }));
    return {
      version,
      call: async (command, input) => parseOutput(command, await rpc.request(command, input)),
      subscribe: async (after, listener) => {
        rpc.onEvent(listener);
        await rpc.request('subscribe', { after });
      },
      closed: rpc.closed,
      close: () => socket.destroy(),
    };
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

/** TypeScript does not follow a name through a table of schemas; here is the one place where it is told. */
function parseOutput<C extends CommandName>(command: C, result: unknown): CommandOutput<C> {
  return COMMANDS[command].output.parse(result) as CommandOutput<C>;
}

async function open(path: string): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const socket = connect(path);
  socket.once('error', reject);
  socket.once('connect', () => resolve(socket));
  await promise;
  socket.off('error', reject);
  return socket;
}

interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: RelayError) => void;
  readonly timer: NodeJS.Timeout;
}

/** JSON-RPC over a connected socket. */
function speak(socket: Socket, timeoutMs: number) {
  const waiting = new Map<number, Waiting>();
  let nextId = 1;
  let listener: (event: DeskEvent) => void = () => undefined;
  let lost = new RelayError('RELAY_UNREACHABLE', 'AgentRelay ended before it answered. Start it and look what it did.');

  const settle = (id: number): Waiting | undefined => {
    const one = waiting.get(id);
    waiting.delete(id);
    clearTimeout(one?.timer);
    return one;
  };
  /** For what leaves the connection without a meaning: everything that waits on it fails with the reason. */
  const give = (up: RelayError): void => {
    lost = up;
    socket.destroy();
  };
  const onLine = (line: string): void => {
    const message = readMessage(line);
    if (message === undefined) {
      give(
        new RelayError('RELAY_UNREACHABLE', 'AgentRelay answered in a form this version does not know. Update both.'),
      );
    } else if ('method' in message) {
      listener(message.params);
    } else if ('result' in message) {
      settle(message.id)?.resolve(message.result);
    } else if (message.id === null) {
      give(relayError(message.error.data));
    } else {
      settle(message.id)?.reject(relayError(message.error.data));
    }
  };

  socket.on(
    'data',
    lineReader(Number.POSITIVE_INFINITY, onLine, () => undefined),
  );
  socket.on('error', () => socket.destroy());
  const closed = new Promise<void>((resolve) => {
    socket.once('close', () => {
      for (const id of waiting.keys()) settle(id)?.reject(lost);
      resolve();
    });
  });

  return {
    closed,
    onEvent: (to: (event: DeskEvent) => void) => {
      listener = to;
    },
    request: (method: string, params: unknown): Promise<unknown> => {
      const { promise, resolve, reject } = Promise.withResolvers<unknown>();
      const id = nextId++;
      const line = JSON.stringify({ jsonrpc: '2.0', id, method, params });
      if (socket.destroyed) reject(lost);
      else if (Buffer.byteLength(line) > MAX_LINE_BYTES) {
        reject(
          new RelayError('PAYLOAD_TOO_LARGE', `A request has at most ${MAX_LINE_BYTES} bytes. Send less at once.`),
        );
      } else {
        const timer = setTimeout(() => {
          settle(id)?.reject(
            new RelayError('RELAY_UNREACHABLE', `AgentRelay did not answer within ${timeoutMs / 1000} s. Try again.`),
          );
        }, timeoutMs);
        waiting.set(id, { resolve, reject, timer });
        socket.write(`${line}\n`);
      }
      return promise;
    },
  };
}

function readMessage(line: string) {
  try {
    return incomingSchema.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}

function relayError({ reason, message, violations }: DeskError): RelayError {
  return new RelayError(reason, message, violations === undefined ? {} : { violations });
}
