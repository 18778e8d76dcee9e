import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Metrics } from '../metrics/metrics.ts';
import { METRICS_TYPE } from '../metrics/text-format.ts';
import { addressOf, isLoopback } from './addresses.ts';

/** Counts every request, once it is over. Call it before any hook that may refuse one. */
export function countRequests(app: FastifyInstance, metrics: Metrics): void {
  const count = metrics.counter('agentrelay_http_requests_total', 'Requests that are over, by route and status.');
  app.addHook('onRequest', ({ method, routeOptions }, { raw }, done) => {
    // Fastify's own hook is silent where the client leaves first
    raw.on('close', () => {
      const status = raw.headersSent ? String(raw.statusCode) : 'aborted';
      // never what was asked for: a scan of made-up paths would make as many rows
      count({ method, route: routeOptions.url ?? 'none', status });
    });
    done();
  });
}

/** `GET /metrics`, for this machine and for the admin. Behind a proxy nobody is known to be on this machine. */
export function metricsRoute(
  app: FastifyInstance,
  { metrics, isProxied }: { readonly metrics: Metrics; readonly isProxied: boolean },
  authorize: (request: FastifyRequest) => Promise<void>,
): void {
  const onRequest = async (request: FastifyRequest): Promise<void> => {
    if (isProxied || !isLoopback(addressOf(request))) await authorize(request);
  };
  app.get('/metrics', { onRequest }, async (_request, reply) =>
    reply
      .type(METRICS_TYPE)
      .header('cache-control', 'no-store')
      .send(await metrics.text()),
  );
}
