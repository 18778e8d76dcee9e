import type { FastifyInstance, FastifyRequest } from 'fastify';
import { RelayError } from '../contract/reasons.ts';
import type { Authenticator, Principal } from '../identity/authenticate.ts';
import { BoundedMap } from '../identity/bounded-map.ts';
import { requireScope } from '../identity/scopes.ts';
import { addressOf } from './addresses.ts';
import type { HttpDeps } from './deps.ts';
import type { Limiters } from './rate-limits.ts';
import { scopesOfRoute } from './route-scopes.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who calls, once it was asked. */
    principal?: Principal;
  }
  interface FastifyInstance {
    /**
     * Finds out who calls, for `principalOf`. Fails with UNAUTHENTICATED, with RATE_LIMITED for a key or an address that
     * comes too often, and with SCOPE_REQUIRED for a key that may not use the route.
     */
    identify(request: FastifyRequest): Promise<void>;
  }
}

/** Pairs of address and credential that are remembered as regular. */
const REGULARS = 10_000;

/**
 * Looks at a credential, and counts the wrong ones. An address that has sent too many of them in a minute is told nothing
 * more of any until the next (RATE_LIMITED); but whoever was let in from there before goes on, lest one bad client of an
 * office, or of this machine, shuts out all others.
 * @param check fails with UNAUTHENTICATED
 * @param nameOf a short name of the credential, which tells it from all others
 */
export type Gate = <T>(
  request: FastifyRequest,
  check: (authorizationHeader: string | undefined) => T | Promise<T>,
  nameOf: (checked: T) => string,
) => Promise<T>;

export function createGate(limiters: Pick<Limiters, 'wrongKey' | 'noWrongKeys'>): Gate {
  const regulars = new BoundedMap<string, true>(REGULARS);
  return async (request, check, nameOf) => {
    try {
      const checked = await check(request.headers.authorization);
      const regular = `${addressOf(request)} ${nameOf(checked)}`;
      if (regulars.get(regular) === undefined) {
        await limiters.noWrongKeys(request);
        regulars.set(regular, true);
      }
      return checked;
    } catch (error) {
      if (isWrongKey(error)) await limiters.wrongKey(request);
      throw error;
    }
  };
}

/** Gives the routes `identify`. */
export function installIdentify(
  app: FastifyInstance,
  { authenticate }: Pick<Authenticator, 'authenticate'>,
  gate: Gate,
  limiters: Pick<Limiters, 'key'>,
): void {
  app.decorateRequest('principal');
  app.decorate('identify', async (request) => {
    const principal = await gate(request, authenticate, ({ keyId }) => String(keyId));
    request.principal = principal;
    await limiters.key(request);
    const { method, routeOptions } = request;
    requireScope(principal.scopes, scopesOfRoute(method, routeOptions.url ?? '') ?? []);
  });
  app.addHook('onRoute', ({ method, url, onRequest }) => {
    if (!url.startsWith('/v1/') || onRequest !== identified) return;
    const unknown = [method].flat().find((one) => scopesOfRoute(one, url) === undefined);
    if (unknown !== undefined)
      throw new Error(`${unknown} ${url} does not say which scopes it wants (route-scopes.ts)`);
  });
}

/** For routes that want a key: before the body is read, so that nobody without one makes us read it. */
export function identified(request: FastifyRequest): Promise<void> {
  return request.server.identify(request);
}

/**
 * Who calls a route that is `identified`, for what is now done in their name: asks again, since the body came after the
 * key. UNAUTHENTICATED where the key has ended in between.
 */
export function callerOf({ context }: Pick<HttpDeps, 'context'>, request: FastifyRequest): Principal {
  const principal = principalOf(request);
  context.confirm(principal);
  return principal;
}

/** Who was let in to a route that is `identified`. */
export function principalOf({ principal }: FastifyRequest): Principal {
  if (principal === undefined) throw new Error('a route without authentication');
  return principal;
}

/** Whether a key was sent that nobody has; without one, nothing was guessed. */
function isWrongKey(error: unknown): boolean {
  return error instanceof RelayError && error.reason === 'UNAUTHENTICATED' && error.metadata['cause'] === 'UNKNOWN_KEY';
}
