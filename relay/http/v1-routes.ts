import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { receiptStateSchema } from '../contract/handoff.ts';
import { threadPage } from '../operations/inbox.ts';
import { noteReceipts } from '../operations/update.ts';
import type { HttpDeps } from './deps.ts';
import { identified } from './identify.ts';
import { readJsonBody } from './plumbing.ts';
import { count, read } from './read.ts';
import { v1Call } from './v1-call.ts';

/** What A2A has no method for: the log of a thread, and receipts (docs/extension.md). */

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

export function v1Routes(app: FastifyInstance, deps: HttpDeps): void {
  const { context } = deps;

  app.get('/v1/tasks/:id/events', { onRequest: identified }, async (request) => {
    const call = v1Call(deps, request);
    const { id } = request.params as { readonly id: string };
    return threadPage(context, call, { id, ...read(eventsQuery, request.query) });
  });

  app.post('/v1/receipts', { onRequest: identified }, async (request) => {
    const call = v1Call(deps, request);
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

  app.get('/healthz', () => ({ status: 'ok' }));
  app.get('/readyz', () => ({ status: 'ready', relay_id: context.relay.id, name: context.relay.name }));
}
