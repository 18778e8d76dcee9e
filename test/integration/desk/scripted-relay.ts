import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { HandoffView } from '../../../relay/contract/handoff.ts';
import { EXTENSION_URI } from '../../../relay/contract/handoff.ts';
import type { Json } from '../../../relay/contract/json.ts';

/** An HTTP server that does what a relay does only in bad moments. What a good one does, the real relay shows. */

/** The server's side of an inbox stream. */
export interface OpenStream {
  readonly lastEventId: string | undefined;
  readonly url: URL;
  readonly authorization: string | undefined;
  /** Sends text as it is. */
  write(text: string): void;
  frame(event: string, data: Json | object, id?: string): void;
  /** Ends it as a closing server does. */
  end(): void;
  /** Cuts the connection. */
  drop(): void;
  /** Resolves when the client left or the stream was ended. */
  readonly closed: Promise<void>;
}

/** A call of the client, to be answered. */
export interface Call {
  readonly method: string;
  readonly params: unknown;
  /** The body, to the byte. */
  readonly body: string;
  readonly id: Json;
}

export interface ScriptedRelay {
  readonly url: string;
  /** What an inbox request gets; by default a stream. */
  inbox: (request: IncomingMessage, response: ServerResponse) => 'stream' | void;
  /** What a call gets; by default lists are empty and everything else is TASK_NOT_FOUND. */
  rpc: (call: Call, response: ServerResponse) => Json | void;
  /** What any other request gets. */
  other: (path: string, body: string, response: ServerResponse) => Json | void;
  readonly calls: readonly Call[];
  /** How many inbox requests there were. */
  inboxRequests(): number;
  /** The next inbox stream that nobody has taken yet. */
  nextStream(): Promise<OpenStream>;
}

export async function startScriptedRelay(): Promise<ScriptedRelay> {
  const calls: Call[] = [];
  const streams = queue<OpenStream>();
  let inboxRequests = 0;

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://relay');
    if (url.pathname === '/v1/inbox/events') {
      inboxRequests += 1;
      if (relay.inbox(request, response) === 'stream') streams.put(openStream(request, response, url));
      return;
    }
    void readBody(request).then((body) => {
      if (url.pathname !== '/a2a') return answer(response, relay.other(url.pathname + url.search, body, response));
      const { id, method, params } = JSON.parse(body) as { id: Json; method: string; params: unknown };
      const call = { id, method, params, body };
      calls.push(call);
      const result = relay.rpc(call, response);
      return answer(response, result === undefined ? undefined : { jsonrpc: '2.0', id, ...asObject(result) });
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  const { port } = server.address() as AddressInfo;

  const relay: ScriptedRelay = {
    url: `http://127.0.0.1:${port}`,
    inbox: () => 'stream',
    rpc: ({ method }) => (method === 'tasks/list' ? listed([]) : refused('TASK_NOT_FOUND')),
    other: () => ({}),
    calls,
    inboxRequests: () => inboxRequests,
    nextStream: streams.take,
  };
  return relay;
}

/** The answer to `tasks/list`. */
export function listed(views: readonly HandoffView[], nextCursor = ''): Json {
  return { result: { tasks: views.map(task), next_cursor: nextCursor } };
}

/** A task as `tasks/list` and `tasks/update` show it; only the metadata is ever read. */
export function task(view: HandoffView): Json {
  return { kind: 'task', id: view.task_id, metadata: { [EXTENSION_URI]: view as unknown as Json } };
}

export function refused(reason: string, message = 'Refused.'): Json {
  return { error: { code: -32000, message, data: [{ reason, domain: 'agentrelay.dev' }] } };
}

function asObject(json: Json): object {
  if (typeof json !== 'object' || json === null) throw new Error('an answer is an object');
  return json;
}

function answer(response: ServerResponse, body: Json | object | void): void {
  if (body === undefined) return;
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function openStream(request: IncomingMessage, response: ServerResponse, url: URL): OpenStream {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.flushHeaders();
  const { 'last-event-id': lastEventId, authorization } = request.headers;
  return {
    url,
    authorization,
    lastEventId: typeof lastEventId === 'string' ? lastEventId : undefined,
    write: (text) => void response.write(text),
    frame: (event, data, id) =>
      void response.write(`${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`),
    end: () => void response.end(),
    drop: () => void request.socket.destroy(),
    closed: new Promise((resolve) => {
      response.once('close', resolve);
    }),
  };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk as Uint8Array));
  return Buffer.concat(chunks).toString('utf8');
}

/** Takes what was put, in order; waits where there is nothing yet. */
function queue<T>(): { put: (value: T) => void; take: () => Promise<T> } {
  const values: T[] = [];
  const takers: ((value: T) => void)[] = [];
  return {
    put(value) {
      const taker = takers.shift();
      if (taker === undefined) values.push(value);
      else taker(value);
    },
    take: () =>
      new Promise((resolve) => {
        const value = values.shift();
        if (value === undefined) takers.push(resolve);
        else resolve(value);
      }),
  };
}
