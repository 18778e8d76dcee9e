import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import type { DeskApi, DeskError, DeskEvent, Envelope } from '../../relay/contract/desk-api.ts';
import { answer, refusal, unsendable } from '../answer.ts';
import { sameToken } from '../tokens.ts';
import { lineReader } from './lines.ts';
import {
  helloParamsSchema,
  MAX_LINE_BYTES,
  PROTOCOL,
  requestSchema,
  subscribeParamsSchema,
  type Client,
  type Request,
  type RequestId,
} from './protocol.ts';

/** A client that has not said hello by then is dropped. */
const HELLO_PATIENCE_MS = 5000;
/** Calls of one connection that are under way at once; more wait unread. */
const MAX_PENDING = 32;
/** Bytes that may wait for a slow reader before it is dropped. It comes back, and takes a new snapshot. */
const MAX_BACKLOG_BYTES = 8 * 1024 * 1024;

export interface ConnectionOptions {
  readonly token: string;
  readonly desk: DeskApi;
  readonly version: string;
  readonly logger: Logger;
  /** How long a client may take to say hello, milliseconds. Default: 5 s. */
  readonly helloPatienceMs?: number;
}

export interface Connection {
  /** Reads nothing more, and resolves when what is under way has been answered and the connection has ended. */
  finish(): Promise<void>;
  destroy(): void;
}

/** Serves one client of the local socket, from its hello to its end. */
export function serveConnection(
  socket: Socket,
  { token, desk, version, logger, helloPatienceMs = HELLO_PATIENCE_MS }: ConnectionOptions,
): Connection {
  const pending = new Set<Promise<void>>();
  let client: Client | undefined;
  let unsubscribe: (() => void) | undefined;
  let finishing = false;

  /** Fails with a RangeError or a TypeError when the message cannot be written down; then nothing of it was sent. */
  const send = (message: object): void => {
    if (socket.destroyed || !socket.writable) return;
    if (socket.writableLength > MAX_BACKLOG_BYTES) {
      logger.warn({ client }, 'a client of the socket reads too slowly and was dropped');
      socket.destroy();
      return;
    }
    socket.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  };

  /** For what cannot be trusted to make sense any further. */
  const refuseAndEnd = (id: RequestId | null, error: DeskError): void => {
    send({ id, error: rpcError(error) });
    socket.destroySoon();
  };

  const hello = (request: Request): void => {
    const params = helloParamsSchema.safeParse(request.params).data;
    if (request.method !== 'hello' || params === undefined) {
      const what = `The first request is "hello" with protocol ${PROTOCOL}, the token and the client's name. Update the client.`;
      refuseAndEnd(request.id, refusal('INVALID_REQUEST', what).error);
    } else if (!sameToken(params.token, token)) {
      const what =
        'The token is not the one in run/token of the data folder. Read it again: each start makes a new one.';
      refuseAndEnd(request.id, refusal('UNAUTHENTICATED', what).error);
    } else {
      client = params.client;
      clearTimeout(helloTimer);
      send({ id: request.id, result: { protocol: PROTOCOL, version } });
    }
  };

  const sendEvent = (event: DeskEvent): void => {
    try {
      send({ method: 'event', params: event });
    } catch (error) {
      logger.error({ err: error, seq: event.seq }, 'an event could not be written down');
      // a client that takes a new snapshot has missed nothing
      send({ method: 'event', params: { seq: event.seq, type: 'reload' } });
    }
  };

  const subscribe = ({ id, params }: Request, surface: Client): void => {
    const parsed = subscribeParamsSchema.safeParse(params).data;
    if (parsed === undefined) {
      send({
        id,
        error: rpcError(refusal('INVALID_PARAMS', 'after: the number of the last event that is known').error),
      });
      return;
    }
    unsubscribe?.();
    send({ id, result: {} });
    unsubscribe = desk.subscribe(parsed.after, sendEvent, surface);
  };

  const call = async ({ id, method, params }: Request, surface: Client): Promise<void> => {
    const envelope = await answer(desk, method, params ?? {}, surface, logger);
    try {
      send({ id, ...rpcOutcome(envelope) });
    } catch (error) {
      send({ id, ...rpcOutcome(unsendable(method, error, logger)) });
    }
  };

  const track = (work: Promise<void>): void => {
    // a rejection that nobody hears would end the whole app, not this connection
    const done = work
      .catch((error: unknown) => {
        logger.error({ err: error, client }, 'a client of the socket was dropped after a fault');
        socket.destroy();
      })
      .finally(() => {
        pending.delete(done);
        if (!finishing) socket.resume();
      });
    pending.add(done);
    if (pending.size >= MAX_PENDING) socket.pause();
  };

  const onLine = (line: string): void => {
    // what was read with a line after which the connection ends, or while it is ending
    if (finishing || !socket.writable) return;
    const request = readRequest(line);
    if (request === undefined) {
      refuseAndEnd(null, refusal('INVALID_REQUEST', 'A line is one JSON-RPC 2.0 request with an id.').error);
    } else if (client === undefined) {
      hello(request);
    } else if (request.method === 'subscribe') {
      subscribe(request, client);
    } else {
      track(call(request, client));
    }
  };

  const helloTimer = setTimeout(() => socket.destroy(), helloPatienceMs);
  socket.on(
    'data',
    lineReader(MAX_LINE_BYTES, onLine, () =>
      refuseAndEnd(null, refusal('PAYLOAD_TOO_LARGE', `A line has at most ${MAX_LINE_BYTES} bytes.`).error),
    ),
  );
  // a client that is gone (EPIPE, ECONNRESET) is no fault: "close" follows
  socket.on('error', (error) => logger.debug({ err: error, client }, 'a client of the socket went away'));
  socket.once('close', () => {
    clearTimeout(helloTimer);
    unsubscribe?.();
  });

  return {
    finish: async () => {
      finishing = true;
      socket.pause();
      await Promise.all(pending);
      if (socket.destroyed) return;
      const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
      socket.destroySoon();
      await closed;
    },
    destroy: () => socket.destroy(),
  };
}

function readRequest(line: string): Request | undefined {
  try {
    return requestSchema.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}

function rpcOutcome(envelope: Envelope<unknown>): { result: unknown } | { error: object } {
  return envelope.ok ? { result: envelope.value } : { error: rpcError(envelope.error) };
}

/** The desk's reasons travel in `data`; the numbers are JSON-RPC's own where it has one. */
function rpcError(error: DeskError): { code: number; message: string; data: DeskError } {
  return { code: rpcCode(error.reason), message: error.message, data: error };
}

function rpcCode(reason: DeskError['reason']): number {
  switch (reason) {
    case 'PARSE_ERROR':
      return -32700;
    case 'INVALID_REQUEST':
      return -32600;
    case 'METHOD_NOT_FOUND':
      return -32601;
    case 'INVALID_PARAMS':
      return -32602;
    case 'INTERNAL':
      return -32603;
    default:
      return -32000;
  }
}
