import type { FastifyInstance } from 'fastify';
import { newKeyBodySchema, rotateBodySchema, type KeyView, type NewKeyView, type Rotated } from '../contract/keys.ts';
import type { Principal } from '../identity/authenticate.ts';
import type { KeyRecord } from '../store/key-ports.ts';
import { paramsOf } from './binding.ts';
import type { HttpDeps } from './deps.ts';
import { identified } from './identify.ts';
import { readJsonBody, showOnce } from './plumbing.ts';
import { read } from './read.ts';
import { v1Call } from './v1-call.ts';

/** `/v1/keys`: an agent's own keys (docs/reference/relay-http.md, Keys). */
export function keyRoutes(app: FastifyInstance, deps: HttpDeps): void {
  const { keyRing } = deps;

  app.get('/v1/keys', { onRequest: identified }, async (request): Promise<{ keys: readonly KeyView[] }> => {
    const { principal } = v1Call(deps, request);
    const keys = await keyRing.list(principal);
    return { keys: keys.map((key) => keyView(key, principal)) };
  });

  app.post('/v1/keys', { onRequest: identified }, async (request, reply): Promise<NewKeyView> => {
    const { scopes } = read(newKeyBodySchema, readJsonBody(request));
    const asked = [...new Set(scopes)];
    const { id, apiKey } = await keyRing.add(v1Call(deps, request).principal, asked);
    showOnce(reply);
    return { id: String(id), scopes: asked, api_key: apiKey };
  });

  app.post('/v1/keys/rotate', { onRequest: identified }, async (request, reply): Promise<Rotated> => {
    const { api_key: given, overlap_s: seconds } = read(rotateBodySchema, readJsonBody(request));
    const { apiKey, oldEndsAt } = await keyRing.rotate(v1Call(deps, request).principal, {
      ...(given === undefined ? {} : { apiKey: given }),
      overlapMs: seconds * 1000,
    });
    showOnce(reply);
    return { api_key: apiKey, old_key_ends_at: new Date(oldEndsAt).toISOString() };
  });

  app.delete('/v1/keys/:id', { onRequest: identified }, async (request, reply) => {
    await keyRing.revoke(v1Call(deps, request).principal, paramsOf(request)['id'] ?? '');
    return reply.status(204).send();
  });
}

function keyView({ id, scopes, createdAt, lastUsedAt, endsAt }: KeyRecord, { keyId }: Principal): KeyView {
  return {
    id: String(id),
    scopes: [...scopes],
    created_at: new Date(createdAt).toISOString(),
    ...(lastUsedAt !== undefined && { last_used_at: new Date(lastUsedAt).toISOString() }),
    ...(endsAt !== undefined && { ends_at: new Date(endsAt).toISOString() }),
    is_this: id === keyId,
  };
}
