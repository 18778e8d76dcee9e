import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { InboxAccount } from '../contract/event-schema.ts';
import type { Principal } from '../identity/authenticate.ts';
import type { SseWriter } from '../hub/sse-writer.ts';
import { inboxFrames, presenceFrames, type InboxFrame } from '../operations/inbox.ts';
import { createPeers } from '../operations/peers.ts';
import { eventFrame } from '../wire/sse.ts';
import { openStream, refuseWhenStopping } from './connection.ts';
import type { HttpDeps } from './deps.ts';
import { callerOf, identified } from './identify.ts';
import { read } from './read.ts';

const inboxQuery = z.object({ desk_id: z.string().min(1).max(128), take_over: z.enum(['0', '1']).default('0') });

/** What a desk is told whose inbox another desk takes over. */
const TAKEN_OVER: InboxAccount = {
  reason: 'ACCOUNT_IN_USE',
  message: 'Another desk reads this inbox now. Connect with take_over=1 to move it back.',
};

/** `GET /v1/inbox/events`: what an agent's desk has to see, as it happens (docs/extension.md, Inbox stream). */
export function inboxRoute(app: FastifyInstance, deps: HttpDeps): void {
  // no HEAD: it would take the desk's place, for a stream that nobody reads
  app.get('/v1/inbox/events', { exposeHeadRoute: false, onRequest: identified }, async (request, reply) => {
    refuseWhenStopping(deps);
    return stream(deps, request, reply, callerOf(deps, request));
  });
}

async function stream(
  deps: HttpDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  principal: Principal,
): Promise<FastifyReply> {
  const { desk_id: deskId, take_over: takeOver } = read(inboxQuery, request.query);
  const { context, desks } = deps;
  const { agent } = principal;
  let writer: SseWriter | undefined;
  const detach = desks.attach(agent.id, deskId, takeOver === '1', (byOther) => {
    if (byOther) void writer?.write(eventFrame({ event: 'account', data: JSON.stringify(TAKEN_OVER) }));
    writer?.cutOff();
  });
  const leave = context.presence.enter(agent.id);
  writer = openStream(deps, request, reply);
  const { signal } = writer;
  const peers = createPeers(context.presence);
  const lastEventId = asText(request.headers['last-event-id']);
  try {
    await Promise.all([
      pipe(inboxFrames(context, { principal, signal }, lastEventId, peers), writer),
      pipe(presenceFrames(context, peers, signal), writer),
    ]);
  } catch (thrown) {
    // the desk reconnects and resumes; what was wrong is ours to read
    request.log.error({ err: thrown }, 'inbox stream failed');
  } finally {
    detach();
    leave();
  }
  return reply;
}

/** Writes frames as they come. The stream ends with the first of its sources, however that ends. */
async function pipe(frames: AsyncIterable<InboxFrame>, writer: SseWriter): Promise<void> {
  try {
    for await (const frame of frames) await writer.write(eventFrame({ ...frame, data: JSON.stringify(frame.data) }));
  } finally {
    writer.end();
  }
}

function asText(header: string | readonly string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : undefined;
}
