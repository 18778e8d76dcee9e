/** The headers by which a request shows where it comes from. */
export interface RequestOrigin {
  readonly method: string;
  /** What stands after the method: a path, unless its sender takes us for a proxy. */
  readonly target: string;
  readonly host: string | undefined;
  /** How many headers say a host. */
  readonly hosts: number;
  readonly origin: string | undefined;
  /** `Sec-Fetch-Site` */
  readonly fetchSite: string | undefined;
}

/**
 * Why a request did not come from our own window; undefined when it may have.
 *
 * Any page that the person has open can make requests to this port. The Host shows a name that was rebound to loopback,
 * Origin and Sec-Fetch-Site show another page. A program that is no browser can write what it likes here: against that
 * one stands the session.
 *
 * @param port where we listen on loopback
 */
export function foreignRequest(request: RequestOrigin, port: number): string | undefined {
  const { method, target, host, hosts, origin, fetchSite } = request;
  // either may be taken for the host by one reader, and be overlooked by another (RFC 9112 sections 3.2 and 3.2.2)
  if (!target.startsWith('/') || hosts > 1) return 'A request of this window has a path, and one Host header.';
  if (host !== `127.0.0.1:${port}` && host !== `localhost:${port}`) {
    return `This address is http://127.0.0.1:${port}; it answers under no other name.`;
  }
  if (fetchSite !== undefined && fetchSite !== 'same-origin' && fetchSite !== 'none') {
    return 'Another site made this request. Only the AgentRelay window may.';
  }
  if (origin === undefined ? method !== 'GET' : origin !== `http://${host}`) {
    return 'The Origin of this request is not the AgentRelay window.';
  }
  return undefined;
}

/**
 * The value of a cookie, or undefined.
 * @param header the `Cookie` header (RFC 6265 section 4.2)
 */
export function readCookie(header: string | undefined, name: string): string | undefined {
  for (const pair of (header ?? '').split(';')) {
    const at = pair.indexOf('=');
    if (at !== -1 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return undefined;
}
