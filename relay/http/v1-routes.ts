import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { formatHandle } from '../contract/handle.ts';
import { receiptStateSchema } from '../contract/handoff.ts';
import { RelayError } from '../contract/reasons.ts';
import type { Call } from '../operations/context.ts';
import { inboxFrames, threadPage } from '../operations/inbox.ts';
import { noteReceipt } from '../operations/update.ts';
import { eventFrame } from '../wire/sse.ts';
import type { HttpDeps } from './deps.ts';
import { callerSignal, readJsonBody } from './plumbing.ts';

/** What A2A has no method for: the log of a thread, receipts, the inbox stream, registration (docs/extension.md). */

const eventsQuery = z.object({
  after: z.coerce.number().int().nonnegative().default(0),
  limit: z.coerce.number().int().min(1).max(1000).default(200),
});
const inboxQuery = z.object({ desk_id: z.string().min(1).max(128), take_over: z.enum(['0', '1']).default('0') });
const receiptsBody = z.object({
  items: z
    .array(
      z.object({
        task_id: z.string().min(1).max(256),
        version: z.int().positive(),
        state: receiptStateSchema.exclude(['offered']),
        session_label: z.string().max(128).exactOptional(),
      }),
    )
    .min(1)
    .max(100),
});
const registerBody = z.object({
  handle: z.string().max(256),
  name: z.string().min(1).max(128).exactOptional(),
  // `agent` is what other relays call it
  kind: z
    .enum(['desk', 'a2a', 'agent'])
    .transform((kind) => (kind === 'agent' ? 'a2a' : kind))
    .exactOptional(),
});

export function v1Routes(app: FastifyInstance, deps: HttpDeps): void {
  const { context } = deps;

  app.get('/v1/tasks/:id/events', async (request) => {
    const call = await callOf(deps, request, undefined);
    const { id } = request.params as { readonly id: string };
    return threadPage(context, call, { id, ...read(eventsQuery, request.query) });
  });

  app.post('/v1/receipts', async (request) => {
    const call = await callOf(deps, request, undefined);
    const { items } = read(receiptsBody, readJsonBody(request));
    const noted = await Promise.all(
      items.map(async ({ task_id: taskId, version, state, session_label: label }) => {
        const sessionLabel = label === undefined ? {} : { sessionLabel: label };
        const handoff = await noteReceipt(context, call, { taskId, version, state, ...sessionLabel });
        return { task_id: taskId, version: handoff.version };
      }),
    );
    return { items: noted };
  });

  app.get('/v1/inbox/events', async (request, reply) => {
    const call = await callOf(deps, request, reply);
    return inbox(deps, request, reply, call);
  });

  app.post('/v1/register', async (request) => {
    if (deps.registration !== 'open') {
      throw new RelayError(
        'REGISTRATION_CLOSED',
        'This relay takes no registrations from outside. Ask its owner to run "agentrelay register".',
      );
    }
    const { handle, name, kind } = read(registerBody, readJsonBody(request));
    const { agent, apiKey } = await deps.registry.register({
      handle,
      ...(name === undefined ? {} : { displayName: name }),
      ...(kind === undefined ? {} : { kind }),
    });
    return {
      handle: formatHandle(agent.name, context.relay.name),
      api_key: apiKey,
      card_url: `${deps.publicUrl()}/a/${agent.name}/agent-card.json`,
    };
  });

  app.get('/healthz', () => ({ status: 'ok' }));
  app.get('/readyz', () => ({ status: 'ready', relay_id: context.relay.id, name: context.relay.name }));
}

async function inbox(deps: HttpDeps, request: FastifyRequest, reply: FastifyReply, call: Call): Promise<FastifyReply> {
  const { desk_id: deskId, take_over: takeOver } = read(inboxQuery, request.query);
  const { agent } = call.principal;
  const stop = new AbortController();
  const detach = deps.desks.attach(agent.id, deskId, takeOver === '1', () => stop.abort());
  const leave = deps.context.presence.enter(agent.id);
  reply.hijack();
  const writer = deps.writers.open(reply.raw, {}, { heartbeatMs: deps.heartbeatMs });
  stop.signal.addEventListener('abort', () => writer.end());
  writer.signal.addEventListener('abort', () => {
    detach();
    leave();
  });
  const lastEventId = request.headers['last-event-id'];
  const cursor = typeof lastEventId === 'string' ? lastEventId : undefined;
  try {
    for await (const frame of inboxFrames(deps.context, { ...call, signal: writer.signal }, cursor)) {
      await writer.write(eventFrame({ ...frame, data: JSON.stringify(frame.data) }));
    }
  } catch (thrown) {
    // the desk reconnects and resumes; what was wrong is ours to read
    request.log.error({ err: thrown }, 'inbox stream failed');
  } finally {
    writer.end();
  }
  return reply;
}

async function callOf(deps: HttpDeps, request: FastifyRequest, reply: FastifyReply | undefined): Promise<Call> {
  const principal = await deps.authenticator.authenticate(request.headers.authorization);
  return { principal, signal: reply === undefined ? AbortSignal.any([]) : callerSignal(reply) };
}

/** INVALID_PARAMS with every field that is wrong. */
function read<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const violations = parsed.error.issues.slice(0, 20).map((issue) => ({
    field: issue.path.join('.') || 'body',
    description: issue.message,
  }));
  throw new RelayError('INVALID_PARAMS', 'Some values cannot be used; the details name them.', { violations });
}
