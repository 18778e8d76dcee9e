import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { DeskEvent } from '../../../relay/contract/desk-api.ts';

/** The browser shell's side of the wire, in small, and with a plug that can be pulled. */
export interface DeskServer {
  readonly base: string;
  /** What the next calls are answered with. */
  answer: (command: string, input: unknown) => { readonly status: number; readonly body: string };
  /** False: nobody is let in any more. */
  letsIn: boolean;
  /** Query of each stream that was opened. */
  readonly streams: readonly string[];
  readonly calls: readonly { readonly command: string; readonly input: unknown; readonly type: string | undefined }[];
  emit(event: DeskEvent): void;
  /** Writes as it is into every stream. */
  write(text: string): void;
  /** Ends every stream that is open. */
  dropStreams(): void;
  /** Nobody is there any more, until `start`. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

/** Starts it on a free port of loopback; it ends with the test. */
export async function startDeskServer(): Promise<DeskServer> {
  const open = new Set<ServerResponse>();
  const streams: string[] = [];
  const calls: { command: string; input: unknown; type: string | undefined }[] = [];
  let port = 0;
  let running = listen();

  function listen(): { server: ReturnType<typeof createServer>; ready: Promise<unknown> } {
    const server = createServer((request, response) => void handle(request, response));
    server.listen(port, '127.0.0.1');
    return { server, ready: once(server, 'listening') };
  }
  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, search } = new URL(request.url ?? '/', 'http://localhost');
    if (!desk.letsIn) {
      response.writeHead(401, { 'content-type': 'application/json' }).end('{"ok":false}');
    } else if (pathname === '/desk/events') {
      streams.push(search);
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
      open.add(response);
      response.once('close', () => open.delete(response));
    } else {
      const command = pathname.replace('/desk/', '');
      const input: unknown = JSON.parse(Buffer.concat(await request.toArray()).toString());
      calls.push({ command, input, type: request.headers['content-type'] });
      const { status, body } = desk.answer(command, input);
      response.writeHead(status, { 'content-type': 'application/json' }).end(body);
    }
  }

  const desk: DeskServer = {
    get base() {
      return `http://127.0.0.1:${port}`;
    },
    answer: () => ({ status: 200, body: '{"ok":true,"value":{}}' }),
    letsIn: true,
    streams,
    calls,
    emit: (event) => desk.write(`id: ${event.seq}\ndata: ${JSON.stringify(event)}\n\n`),
    write: (text) => {
      for (const response of open) response.write(text);
    },
    dropStreams: () => {
      for (const response of open) response.end();
    },
    stop: async () => {
      const { server } = running;
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
    start: async () => {
      running = listen();
      await running.ready;
    },
  };
  await running.ready;
  port = (running.server.address() as AddressInfo).port;
  onTestFinished(() => {
    running.server.close();
    running.server.closeAllConnections();
  });
  return desk;
}
