import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

export interface RawAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** A connection on which a test writes the very bytes that it wants, whole requests or not. */
export class RawConnection {
  readonly socket: Socket;
  /** Bytes that have arrived and belong to no answer yet. */
  #rest: Buffer = Buffer.alloc(0);
  #hasEnded = false;
  #wake: () => void = () => undefined;

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.on('data', (bytes) => {
      this.#rest = Buffer.concat([this.#rest, bytes]);
      this.#wake();
    });
    for (const event of ['end', 'close', 'error']) {
      socket.on(event, () => {
        this.#hasEnded = true;
        this.#wake();
      });
    }
  }

  static open(port: number): Promise<RawConnection> {
    return new Promise((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => resolve(new RawConnection(socket)));
      socket.once('error', reject);
    });
  }

  write(bytes: string | Uint8Array): void {
    this.socket.write(bytes);
  }

  /** Writes and breaks the connection at once: the other side finds the bytes and the end at the same time. */
  writeAndBreak(bytes: string | Uint8Array): Promise<void> {
    return new Promise((resolve) => {
      this.socket.once('close', () => resolve());
      this.socket.write(bytes);
      this.socket.resetAndDestroy();
    });
  }

  destroy(): void {
    this.socket.destroy();
  }

  /** Takes the beginning of an answer and then nothing more: the rest piles up on the other side. */
  async getStuck(): Promise<void> {
    while (this.#rest.length === 0 && !this.#hasEnded) await this.#news();
    this.socket.pause();
  }

  /**
   * Resolves when the other side has broken the connection. Who reads nothing finds that out by writing: empty lines,
   * which are no part of HTTP's next request (RFC 9112 section 2.2).
   */
  async broken(): Promise<void> {
    while (!this.#hasEnded) {
      this.write('\r\n');
      await pause(5);
    }
  }

  /**
   * The next answer; undefined when the other side has closed the connection instead. Of an event stream, which has no
   * end, what came with its first chunk.
   * @param method of the request: the answer to HEAD has the headers of a body and none
   */
  async answer(method = 'GET'): Promise<RawAnswer | undefined> {
    for (;;) {
      const parsed = this.#parse(method);
      if (parsed !== undefined || this.#hasEnded) return parsed;
      await this.#news();
    }
  }

  /** The next chunk of an event stream of which `answer` gave the first; empty when that was its end. */
  async chunk(): Promise<string | undefined> {
    for (;;) {
      const chunk = this.#readChunks(0, true);
      if (chunk !== undefined || this.#hasEnded) return chunk;
      await this.#news();
    }
  }

  /** Resolves when the other side has closed the connection. */
  async closed(): Promise<void> {
    while (!this.#hasEnded) await this.#news();
  }

  #news(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  #parse(method: string): RawAnswer | undefined {
    const headEnd = this.#rest.indexOf('\r\n\r\n');
    if (headEnd === -1) return undefined;
    const [statusLine = '', ...lines] = this.#rest.subarray(0, headEnd).toString('latin1').split('\r\n');
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1]);
    if (Number.isNaN(status)) throw new Error(`no HTTP answer: ${JSON.stringify(statusLine)}`);
    const headers = new Map(
      lines.map((line): [string, string] => {
        const colon = line.indexOf(':');
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
      }),
    );
    const isEmpty = method === 'HEAD' || status < 200 || status === 204 || status === 304;
    const body = isEmpty ? this.#take('', headEnd + 4) : this.#readBody(headEnd + 4, headers);
    return body === undefined ? undefined : { status, headers, body };
  }

  /** Takes the answer out of what arrived; undefined when it is not whole yet. */
  #readBody(start: number, headers: ReadonlyMap<string, string>): string | undefined {
    if (headers.get('transfer-encoding') === 'chunked') {
      return this.#readChunks(start, headers.get('content-type') === 'text/event-stream');
    }
    const end = start + Number(headers.get('content-length') ?? 0);
    return this.#rest.length < end ? undefined : this.#take(this.#rest.subarray(start, end).toString(), end);
  }

  #readChunks(start: number, isStream: boolean): string | undefined {
    let body = '';
    let at = start;
    for (;;) {
      const lineEnd = this.#rest.indexOf('\r\n', at);
      if (lineEnd === -1) return undefined;
      const size = Number.parseInt(this.#rest.subarray(at, lineEnd).toString(), 16);
      if (Number.isNaN(size)) throw new Error('a chunk without a size');
      const next = lineEnd + 2 + size + 2;
      if (this.#rest.length < next) return undefined;
      if (size === 0) return this.#take(body, next);
      body += this.#rest.subarray(lineEnd + 2, next - 2).toString();
      if (isStream) return this.#take(body, next);
      at = next;
    }
  }

  #take(body: string, end: number): string {
    this.#rest = this.#rest.subarray(end);
    return body;
  }
}

/** The bytes of a request, with a body of the length that its header says. */
export function rawRequest(
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body: string | Uint8Array = '',
): Buffer {
  const bytes = Buffer.from(body);
  const all = { ...headers, ...(bytes.length > 0 && { 'content-length': String(bytes.length) }) };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`), bytes]);
}
