import type { LookupAddress } from 'node:dns';
import ipaddr from 'ipaddr.js';
import { untilAborted } from './until-aborted.ts';

/** Looks a host name up: all its addresses. Rejects where there is none, or nobody to ask. */
export type Resolve = (hostName: string) => Promise<readonly LookupAddress[]>;

/** Decides which webhooks may be called, so that nobody makes the relay call what only the relay can reach. */
export interface WebhookGuard {
  /**
   * What is wrong with an address that a client gives, to complete the sentence "url: …"; undefined where nothing is. A
   * name that cannot be looked up now, or not soon, is let through: it is looked up again for every call.
   */
  complaint(url: string): Promise<string | undefined>;
  /**
   * The address to connect to. The caller connects to it and to no other, so that a name cannot mean something else a
   * moment later (DNS rebinding). Rejects with NotAllowed, or with what the look-up rejects with.
   */
  pin(url: URL): Promise<LookupAddress>;
}

/** The only part of IPv6 that is given out (IANA); what lies outside it wraps something else, or nothing. */
const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3');

/** Longest that a client who gives an address waits for its look-up. */
const LOOK_UP_MS = 2000;

/** Thrown for an address that may not be called. Its message completes the sentence "url: …". */
export class NotAllowed extends Error {
  override readonly name = 'NotAllowed';
}

/**
 * Only addresses of the public internet may be called: nothing private, loopback, link-local, shared, reserved, or a
 * wrapping of such in IPv6.
 * @param allow for development and closed networks: host names, addresses, and ranges (`10.0.0.0/8`) that may be called
 *   all the same
 */
export function createWebhookGuard({
  resolve,
  allow,
}: {
  readonly resolve: Resolve;
  readonly allow: readonly string[];
}): WebhookGuard {
  const names = new Set(allow.map((entry) => entry.toLowerCase()));
  const ranges = allow.flatMap(toRange);

  function isAllowed(address: string): boolean {
    // IPv4 in IPv6 is what is in it
    const ip = ipaddr.process(address);
    const isPublic = ip.range() === 'unicast' && (ip.kind() === 'ipv4' || ip.match(GLOBAL_IPV6));
    return isPublic || ranges.some((range) => ip.kind() === range[0].kind() && ip.match(range));
  }

  async function pin(url: URL): Promise<LookupAddress> {
    const host = hostOf(url);
    const isLiteral = ipaddr.isValid(host);
    const addresses = isLiteral
      ? [{ address: host, family: ipaddr.parse(host).kind() === 'ipv4' ? 4 : 6 }]
      : await resolve(host);
    const [first] = addresses;
    if (first === undefined) throw new Error('no address');
    // one bad address is enough: which one a resolver puts first is its owner's choice
    if (names.has(host) || addresses.every(({ address }) => isAllowed(address))) return first;
    throw new NotAllowed(
      'leads to an address that is not on the public internet. The owner of the relay can allow it by name.',
    );
  }

  return {
    async complaint(text) {
      const url = URL.parse(text);
      if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
        return 'must be an http or https address';
      }
      if (url.username !== '' || url.password !== '') {
        return 'must not hold a user name or password. Put credentials into authentication.';
      }
      try {
        await untilAborted(pin(url), AbortSignal.timeout(LOOK_UP_MS));
      } catch (error) {
        if (error instanceof NotAllowed) return error.message;
      }
      return undefined;
    },
    pin,
  };
}

/** The host as a look-up wants it: IPv6 without brackets, a name without the root's dot. */
function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}

function toRange(entry: string): [ipaddr.IPv4 | ipaddr.IPv6, number][] {
  if (ipaddr.isValidCIDR(entry)) return [ipaddr.parseCIDR(entry)];
  if (!ipaddr.isValid(entry)) return [];
  const address = ipaddr.parse(entry);
  return [[address, address.kind() === 'ipv4' ? 32 : 128]];
}
