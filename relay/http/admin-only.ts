import type { FastifyRequest } from 'fastify';
import { isAdminToken, readAdminBearer } from '../identity/admin-token.ts';
import type { Principal } from '../identity/authenticate.ts';
import { requireScope } from '../identity/scopes.ts';
import { refuseWhenStopping } from './connection.ts';
import type { HttpDeps } from './deps.ts';
import type { Gate } from './identify.ts';
import type { Limiters } from './rate-limits.ts';

/**
 * Lets in whoever runs the relay: by the admin token, or by a key with the scope `admin`, which is then the request's
 * `principal`. UNAUTHENTICATED for all others, SCOPE_REQUIRED for other keys.
 */
export function adminOnly(
  gate: Gate,
  { authenticator, authorizeAdmin }: Pick<HttpDeps, 'authenticator' | 'authorizeAdmin'>,
  limiters: Pick<Limiters, 'key'>,
): (request: FastifyRequest) => Promise<void> {
  return async (request) => {
    const principal = await gate<Principal | undefined>(
      request,
      (header) => {
        const token = readAdminBearer(header);
        if (authorizeAdmin === undefined || !isAdminToken(token)) return authenticator.authenticate(header);
        authorizeAdmin(header);
        return undefined;
      },
      (checked) => (checked === undefined ? 'admin' : String(checked.keyId)),
    );
    if (principal === undefined) return;
    request.principal = principal;
    await limiters.key(request);
    requireScope(principal.scopes, ['admin']);
  };
}

/**
 * For what is now done for whoever was let in: the body came after the credential. SHUTTING_DOWN while the relay stops,
 * UNAUTHENTICATED where the key has ended in between.
 */
export function confirmed(deps: Pick<HttpDeps, 'context'>, { principal }: FastifyRequest): void {
  refuseWhenStopping(deps);
  if (principal !== undefined) deps.context.confirm(principal);
}
