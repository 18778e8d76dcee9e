import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { nonceSchema, type RelayProof } from '../identity/relay-proof.ts';
import type { HttpDeps } from './deps.ts';
import { read } from './read.ts';

const proofQuery = z.object({ nonce: nonceSchema });

/** `GET /v1/relay`: proves to anybody which relay this is (docs/reference/relay-http.md, Which relay it is). */
export function relayRoute(app: FastifyInstance, { prove }: Pick<HttpDeps, 'prove'>): void {
  app.get('/v1/relay', async (request, reply): Promise<RelayProof> => {
    void reply.header('cache-control', 'no-store');
    return prove(read(proofQuery, request.query).nonce);
  });
}
