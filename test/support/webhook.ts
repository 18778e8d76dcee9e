import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { JsonObject } from '../../relay/contract/json.ts';

/** What a webhook was sent. */
export interface Pushed {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: JsonObject;
}

export interface Webhook {
  readonly url: string;
  readonly port: number;
  /** All that came so far, in order, also what was not taken. */
  readonly pushed: readonly Pushed[];
  /** Resolves when so many have come. */
  seen(count: number): Promise<readonly Pushed[]>;
  close(): Promise<void>;
}

/** Answers one notification; left out, it is taken. */
export type Answering = (pushed: Pushed, response: ServerResponse, index: number) => void;

/** A webhook on loopback, which is closed when the running test ends. */
export async function startWebhook(answer?: Answering, port = 0): Promise<Webhook> {
  const pushed: Pushed[] = [];
  let news = Promise.withResolvers<void>();
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      const one = { path: request.url ?? '', headers: request.headers, body: JSON.parse(text) as JsonObject };
      pushed.push(one);
      if (answer === undefined) response.writeHead(204).end();
      else answer(one, response, pushed.length - 1);
      news.resolve();
      news = Promise.withResolvers();
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(port, '127.0.0.1', resolve);
  });
  const { port: bound } = server.address() as AddressInfo;
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  onTestFinished(close);
  return {
    url: `http://127.0.0.1:${bound}/hook`,
    port: bound,
    pushed,
    async seen(count) {
      while (pushed.length < count) await news.promise;
      return pushed;
    },
    close,
  };
}
