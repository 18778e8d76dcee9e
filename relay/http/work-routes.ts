import type { FastifyInstance, FastifyRequest } from 'fastify';
import { leaseRequestSchema, releaseRequestSchema, renewRequestSchema } from '../contract/lease.ts';
import { invalidParams } from '../contract/reasons.ts';
import { releaseLease, renewLease, takeLease } from '../operations/leases.ts';
import { AGENTRELAY } from '../wire/agentrelay/dialect.ts';
import type { HttpDeps } from './deps.ts';
import { identified } from './identify.ts';
import { readJsonBody } from './plumbing.ts';
import { read } from './read.ts';
import { v1Call } from './v1-call.ts';

/** What workers ask of the relay (docs/reference/relay-http.md, Workers). They answer as all recipients do. */
export function workRoutes(app: FastifyInstance, deps: HttpDeps): void {
  const { context, leasing } = deps;

  app.post('/v1/leases', { onRequest: identified }, async (request, reply) => {
    const call = v1Call(deps, request);
    const body = read(leaseRequestSchema, readJsonBody(request));
    if (body.agent !== undefined && (await context.resolve(body.agent))?.id !== call.principal.agent.id) {
      throw invalidParams('agent', `is not whose key this is: that is ${call.principal.agent.name}'s.`);
    }
    const leased = await takeLease(context, leasing, call, {
      worker: body.worker,
      leaseMs: body.lease_s * 1000,
      waitMs: body.wait_s * 1000,
      attempts: body.attempts,
      ...(body.author === undefined ? {} : { author: body.author }),
    });
    if (leased === undefined) return reply.status(204).send();
    const { task, lease } = leased;
    return {
      task: AGENTRELAY.encode({ kind: 'task', task }, {}),
      lease: lease.number,
      attempt: lease.failures + 1,
      attempts: lease.attempts,
      lease_ms: Math.max(0, lease.dueAt - leasing.steady()),
    };
  });

  app.post('/v1/leases/:task/renew', { onRequest: identified }, async (request) => {
    const call = v1Call(deps, request);
    const { worker, lease_s: seconds } = read(renewRequestSchema, readJsonBody(request));
    const taskId = taskOf(request);
    await renewLease(context, leasing, call, taskId, { worker, leaseMs: seconds * 1000 });
    return { task_id: taskId, lease_ms: seconds * 1000 };
  });

  app.post('/v1/leases/:task/release', { onRequest: identified }, async (request) => {
    const call = v1Call(deps, request);
    return releaseLease(context, leasing, call, taskOf(request), read(releaseRequestSchema, readJsonBody(request)));
  });
}

function taskOf(request: FastifyRequest): string {
  const { task } = request.params as { readonly task: string };
  return task;
}
