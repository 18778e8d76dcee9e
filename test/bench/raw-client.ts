import { connect, type Socket } from 'node:net';

/** What one round of load did. */
export interface Round {
  readonly requests: number;
  readonly seconds: number;
  /** Answers that were no 200. */
  readonly failed: number;
}

export interface Load {
  readonly port: number;
  readonly connections: number;
  readonly seconds: number;
  /** The whole request, head and body, for the n-th send. */
  readonly request: (n: number) => Buffer;
}

const HEAD_END = Buffer.from('\r\n\r\n');

/**
 * Keeps every connection busy with one request at a time. It reads no more of HTTP than it must (status, length), so
 * that the client is not what is measured.
 */
export async function runLoad({ port, connections, seconds, request }: Load): Promise<Round> {
  let sent = 0;
  let requests = 0;
  let failed = 0;
  const started = performance.now();
  const end = started + seconds * 1000;
  await Promise.all(
    Array.from({ length: connections }, async () => {
      const socket = await open(port);
      const answers = readAnswers(socket);
      while (performance.now() < end) {
        socket.write(request(sent++));
        const { value, done } = await answers.next();
        if (done === true) throw new Error('the server closed the connection');
        requests++;
        if (value !== 200) failed++;
      }
      socket.destroy();
    }),
  );
  return { requests, seconds: (performance.now() - started) / 1000, failed };
}

function open(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => resolve(socket));
    socket.once('error', reject);
  });
}

/** Status codes, one for each complete answer. */
async function* readAnswers(socket: Socket): AsyncGenerator<number, void, void> {
  let buffer: Buffer = Buffer.alloc(0);
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    buffer = buffer.length === 0 ? chunk : Buffer.concat([buffer, chunk]);
    for (;;) {
      const headEnd = buffer.indexOf(HEAD_END);
      if (headEnd < 0) break;
      const head = buffer.toString('latin1', 0, headEnd);
      const length = Number(/content-length: *(\d+)/i.exec(head)?.[1] ?? '0');
      const total = headEnd + HEAD_END.length + length;
      if (buffer.length < total) break;
      buffer = buffer.subarray(total);
      yield Number(head.slice(9, 12));
    }
  }
}
