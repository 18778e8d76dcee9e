import type { FastifyReply } from 'fastify';
import type { DeskApi } from '../../relay/contract/desk-api.ts';

/** So often a silent stream says that it is alive. */
export const HEARTBEAT_MS = 15_000;
/** Bytes that may wait for a slow reader before it is dropped. It comes back with the last id that it has. */
const MAX_BACKLOG_BYTES = 8 * 1024 * 1024;

/**
 * Streams the desk's events as Server-Sent Events, until the browser goes or the server closes. The id is the event's
 * `seq`: a browser that reconnects asks for what came after it (HTML Standard, section 9.2).
 */
export function streamEvents(
  desk: Pick<DeskApi, 'subscribe'>,
  afterSeq: number,
  reply: FastifyReply,
  heartbeatMs: number,
): void {
  reply.type('text/event-stream; charset=utf-8').hijack();
  const { raw } = reply;
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) raw.setHeader(name, value);
  }
  const write = (frame: string): void => {
    if (raw.writableLength > MAX_BACKLOG_BYTES) raw.destroy();
    else if (!raw.destroyed) raw.write(frame);
  };
  write('retry: 1000\n\n');
  const heartbeat = setInterval(() => write(': heartbeat\n\n'), heartbeatMs);
  const unsubscribe = desk.subscribe(
    afterSeq,
    (event) => write(`id: ${event.seq}\ndata: ${JSON.stringify(event)}\n\n`),
    'human',
  );
  raw.once('close', () => {
    clearInterval(heartbeat);
    unsubscribe();
  });
}
