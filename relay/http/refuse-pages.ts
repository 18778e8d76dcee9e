import type { FastifyInstance } from 'fastify';
import { RelayError } from '../contract/reasons.ts';

/** Refuses what a browser sends for a page: it names the page's origin wherever the page is another's (Fetch standard). */
export function refusePages(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.headers.origin === undefined) done();
    else
      done(
        new RelayError('ORIGIN_NOT_ALLOWED', 'This relay needs no key, and so answers no web page: leave out Origin.'),
      );
  });
}
