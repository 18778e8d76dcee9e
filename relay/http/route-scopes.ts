import type { Scope } from '../contract/keys.ts';

/**
 * Which scopes each of our own routes wants that are called with a key: one of these, and where there is none, any key
 * will do. A route that is not here does not come to be (identify.ts). A2A's are told by their operation
 * (relay/operations/wanted-scopes.ts).
 */
export const ROUTE_SCOPES: Readonly<Record<string, readonly Scope[]>> = {
  'GET /v1/inbox/events': ['receive'],
  'GET /v1/tasks/:id/events': [],
  'POST /v1/tasks/:id/redeliver': ['send', 'receive'],
  'GET /v1/dead-letters': [],
  'POST /v1/receipts': ['send', 'receive'],
  'POST /v1/leases': ['receive'],
  'POST /v1/leases/:task/renew': ['receive'],
  'POST /v1/leases/:task/release': ['receive'],
  'GET /v1/directory': [],
  'PUT /v1/agents/me/card': ['contacts'],
  'GET /v1/contacts': ['contacts'],
  'POST /v1/contacts': ['contacts'],
  'DELETE /v1/contacts/:handle': ['contacts'],
  'POST /v1/blocks': ['contacts'],
  'DELETE /v1/blocks/:handle': ['contacts'],
  // a key may look after itself, and after those that may do no more than it
  'GET /v1/keys': [],
  'POST /v1/keys': [],
  'POST /v1/keys/rotate': [],
  'DELETE /v1/keys/:id': [],
};

/** What a route wants; undefined for one that is not listed. HEAD is GET without the body (RFC 9110 section 9.3.2). */
export function scopesOfRoute(method: string, url: string): readonly Scope[] | undefined {
  return ROUTE_SCOPES[`${method === 'HEAD' ? 'GET' : method} ${url}`];
}
