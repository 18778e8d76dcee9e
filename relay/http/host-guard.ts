import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { RelayError } from '../contract/reasons.ts';
import { sendError } from './plumbing.ts';

/**
 * Refuses a host that is not ours, so that a web page cannot reach a relay on loopback under a name of its own (DNS
 * rebinding). Its bearer keys would keep the page out all the same; this keeps it from asking.
 * @param publicUrl the relay's base URL; empty until it listens
 */
export function hostGuard(app: FastifyInstance, publicUrl: () => string): void {
  let known:
    | { readonly port: number | undefined; readonly url: string; readonly hosts: ReadonlySet<string> }
    | undefined;
  app.addHook('onRequest', (request, reply, done) => {
    if ((request.raw.headersDistinct['host']?.length ?? 0) > 1) {
      // node:http takes the first, another reader of it the last. It is HTTP's own fault, on an endpoint too.
      void sendError(reply, new RelayError('INVALID_REQUEST', 'Send one Host header (RFC 9112 section 3.2).'));
      return;
    }
    const host = hostOf(request.raw);
    const { localPort: port } = request.raw.socket;
    const url = publicUrl();
    if (known === undefined || known.port !== port || known.url !== url) known = { port, url, hosts: hosts(port, url) };
    if (host !== undefined && known.hosts.has(host.toLowerCase())) done();
    else done(new RelayError('HOST_NOT_ALLOWED', 'The host of this request is not an address of this relay.'));
  });
}

/** Whom a request is for: the host in its target, where it has one, and only then its Host header (RFC 9112 section 3.2.2). */
function hostOf({ url = '', headers }: IncomingMessage): string | undefined {
  const [, target] = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i.exec(url) ?? [];
  return target ?? headers.host;
}

function hosts(port: number | undefined, publicUrl: string): ReadonlySet<string> {
  const loopback = ['127.0.0.1', 'localhost', '[::1]'].map((name) => `${name}:${port ?? 80}`);
  const own = URL.parse(publicUrl)?.host;
  return new Set(own === undefined ? loopback : [...loopback, own]);
}
