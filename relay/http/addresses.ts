import type { FastifyRequest } from 'fastify';

const LOOPBACK = /^(?:127\.\d{1,3}\.\d{1,3}\.\d{1,3}|::1|::ffff:127\.\d{1,3}\.\d{1,3}\.\d{1,3})$/;

/** Whether an IP address is this machine's own, as sockets write it (RFC 1122 section 3.2.1.3, RFC 4291 section 2.5.3). */
export function isLoopback(address: string): boolean {
  return LOOPBACK.test(address);
}

/** The address that a request came from. Empty where its connection is broken already: Node no longer knows it then. */
export function addressOf({ ip }: FastifyRequest): string {
  return (ip as string | undefined) ?? '';
}
