import type { IncomingMessage } from 'node:http';
import { isIPv6, type Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { RelayError } from '../contract/reasons.ts';
import { sendError } from './plumbing.ts';

/**
 * Refuses a host that is not ours, so that a web page cannot reach a relay on loopback under a name of its own (DNS
 * rebinding). Its bearer keys would keep the page out all the same; this keeps it from asking.
 * @param publicUrl the relay's base URL; empty until it listens
 * @param listensOn the host that it was told to listen on
 */
export function hostGuard(app: FastifyInstance, publicUrl: () => string, listensOn: () => string): void {
  // the addresses of this machine that somebody has connected to, each with the names that it is called by
  const known = new Map<string, ReadonlySet<string>>();
  let knownUrl: string | undefined;
  const hostsAt = (socket: Socket): ReadonlySet<string> => {
    const url = publicUrl();
    if (url !== knownUrl) known.clear();
    knownUrl = url;
    const { localAddress = '' } = socket;
    const hosts = known.get(localAddress) ?? ownHosts(socket, url, listensOn());
    known.set(localAddress, hosts);
    return hosts;
  };
  app.addHook('onRequest', (request, reply, done) => {
    if (hostHeaders(request.raw) > 1) {
      // node:http takes the first, another reader of it the last. It is HTTP's own fault, on an endpoint too.
      void sendError(reply, new RelayError('INVALID_REQUEST', 'Send one Host header (RFC 9112 section 3.2).'));
      return;
    }
    const host = hostOf(request.raw);
    if (host !== undefined && hostsAt(request.raw.socket).has(host.toLowerCase())) done();
    else done(new RelayError('HOST_NOT_ALLOWED', 'The host of this request is not an address of this relay.'));
  });
}

/**
 * How many Host headers a request has. Node's own list of them by name would be kept with the request: memory for each that
 * waits.
 */
export function hostHeaders({ rawHeaders }: IncomingMessage): number {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count;
}

/** Whom a request is for: the host in its target, where it has one, and only then its Host header (RFC 9112 section 3.2.2). */
function hostOf({ url = '', headers }: IncomingMessage): string | undefined {
  const [, target] = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i.exec(url) ?? [];
  return target ?? headers.host;
}

/**
 * The names that a request on this connection may call us by. The address that it came to is one: a page's own name for
 * us never is.
 */
function ownHosts({ localAddress, localPort }: Socket, publicUrl: string, listensOn: string): ReadonlySet<string> {
  const names = ['127.0.0.1', 'localhost', '::1', localAddress?.replace(/^::ffff:(?=[\d.]+$)/, '') ?? '', listensOn];
  const own = names.filter((name) => name !== '').map((name) => (isIPv6(name) ? `[${name}]` : name));
  const port = localPort ?? 80;
  const publicHost = URL.parse(publicUrl)?.host;
  return new Set([
    ...own.map((name) => `${name}:${port}`.toLowerCase()),
    // the port of the scheme is left out
    ...(port === 80 || port === 443 ? own.map((name) => name.toLowerCase()) : []),
    ...(publicHost === undefined ? [] : [publicHost]),
  ]);
}
