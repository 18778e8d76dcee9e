import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { formatHandle } from '../contract/handle.ts';
import { receiptStateSchema } from '../contract/handoff.ts';
import { RelayError } from '../contract/reasons.ts';
import type { Call } from '../operations/context.ts';
import { threadPage } from '../operations/inbox.ts';
import { noteReceipts } from '../operations/update.ts';
import { callerSignal, refuseWhenStopping } from './connection.ts';
import type { HttpDeps } from './deps.ts';
import { readJsonBody } from './plumbing.ts';
import { read } from './read.ts';

/** What A2A has no method for: the log of a thread, receipts, registration (docs/extension.md). */

const count = z
  .string()
  .regex(/^\d{1,15}$/, 'must be a whole number')
  .transform(Number);
const eventsQuery = z.object({
  after: count.default(0),
  limit: count.pipe(z.number().min(1).max(1000)).default(200),
});
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
    const call = await callOf(deps, request);
    const { id } = request.params as { readonly id: string };
    return threadPage(context, call, { id, ...read(eventsQuery, request.query) });
  });

  app.post('/v1/receipts', async (request) => {
    const call = await callOf(deps, request);
    const { items } = read(receiptsBody, readJsonBody(request));
    const noted = await noteReceipts(
      context,
      call,
      items.map(({ task_id: taskId, version, state, session_label: label }) => ({
        taskId,
        version,
        state,
        ...(label === undefined ? {} : { sessionLabel: label }),
      })),
    );
    return { items: noted.map(({ id, version }) => ({ task_id: id, version })) };
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

async function callOf(deps: HttpDeps, request: FastifyRequest): Promise<Call> {
  const principal = await deps.authenticator.authenticate(request.headers.authorization);
  refuseWhenStopping(deps);
  return { principal, signal: callerSignal(request) };
}
