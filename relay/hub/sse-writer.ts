import type { ServerResponse } from 'node:http';
import { PING, SSE_HEADERS } from '../wire/sse.ts';

export interface SseWriter {
  /** Aborts when the client leaves, the stream is too old, or the server stops. */
  readonly signal: AbortSignal;
  /** Writes a frame. Resolves when the client can take more, so that a slow reader holds up nothing but itself. */
  write(frame: string): Promise<void>;
  /** Ends it; what was written still leaves, at the pace that every reader has to keep. */
  end(): void;
  /** Ends it, and breaks the connection of a reader who has not taken the rest after `graceMs`. */
  cutOff(): void;
}

export interface SseOptions {
  readonly heartbeatMs: number;
  /** What a reader has, to take the rest of a stream that is cut off; milliseconds. */
  readonly graceMs: number;
  /** undefined: as long as the client likes. */
  readonly maxAgeMs?: number;
}

/** Opens event streams, and ends all of them when the server stops; those that are opened afterwards end at once. */
export interface SseWriters {
  open(response: ServerResponse, headers: Readonly<Record<string, string>>, options: SseOptions): SseWriter;
  /** How many are open. */
  readonly size: number;
  closeAll(): void;
}

export function createSseWriters(): SseWriters {
  const all = new Set<SseWriter>();
  let isClosed = false;
  return {
    open(response, headers, options) {
      const writer = openWriter(response, headers, options);
      if (isClosed) writer.end();
      if (writer.signal.aborted) return writer;
      all.add(writer);
      writer.signal.addEventListener('abort', () => all.delete(writer));
      return writer;
    },
    get size() {
      return all.size;
    },
    closeAll() {
      isClosed = true;
      for (const writer of all) writer.end();
    },
  };
}

function openWriter(
  response: ServerResponse,
  headers: Readonly<Record<string, string>>,
  { heartbeatMs, graceMs, maxAgeMs }: SseOptions,
): SseWriter {
  const abort = new AbortController();
  response.writeHead(200, { ...SSE_HEADERS, ...headers });
  response.flushHeaders();
  // who is behind sees that we live by what it has not read yet
  const heartbeat = setInterval(() => response.writableNeedDrain || response.write(PING), heartbeatMs);
  const age = maxAgeMs === undefined ? undefined : setTimeout(cutOff, maxAgeMs);

  function end(): void {
    if (abort.signal.aborted) return;
    clearInterval(heartbeat);
    clearTimeout(age);
    abort.abort();
    response.end();
  }
  function cutOff(): void {
    end();
    if (response.closed) return;
    // the response has no socket while others are before it
    const late = setTimeout(() => response.req.socket.destroy(), graceMs);
    response.once('close', () => clearTimeout(late));
  }
  response.on('close', end);
  response.on('error', end);

  return {
    signal: abort.signal,
    write(frame) {
      if (abort.signal.aborted || response.write(frame)) return Promise.resolve();
      return new Promise((resolve) => {
        const done = (): void => {
          response.off('drain', done);
          abort.signal.removeEventListener('abort', done);
          resolve();
        };
        response.on('drain', done);
        abort.signal.addEventListener('abort', done);
      });
    },
    end,
    cutOff,
  };
}
