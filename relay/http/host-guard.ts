import type { FastifyInstance } from 'fastify';
import { RelayError } from '../contract/reasons.ts';

/**
 * Refuses a Host that is not ours, so that a web page cannot reach a relay on loopback under a name of its own (DNS
 * rebinding). Its bearer keys would keep the page out all the same; this keeps it from asking.
 * @param publicUrl the relay's base URL; empty until it listens
 */
export function hostGuard(app: FastifyInstance, publicUrl: () => string): void {
  let known:
    | { readonly port: number | undefined; readonly url: string; readonly hosts: ReadonlySet<string> }
    | undefined;
  app.addHook('onRequest', (request, _reply, done) => {
    const { host } = request.headers;
    const { localPort: port } = request.raw.socket;
    const url = publicUrl();
    if (known === undefined || known.port !== port || known.url !== url) known = { port, url, hosts: hosts(port, url) };
    if (host !== undefined && known.hosts.has(host.toLowerCase())) done();
    else done(new RelayError('HOST_NOT_ALLOWED', 'The Host header is not an address of this relay.'));
  });
}

function hosts(port: number | undefined, publicUrl: string): ReadonlySet<string> {
  const loopback = ['127.0.0.1', 'localhost', '[::1]'].map((name) => `${name}:${port ?? 80}`);
  const own = URL.parse(publicUrl)?.host;
  return new Set(own === undefined ? loopback : [...loopback, own]);
}
