import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { UsageError } from './start-error.ts';

/** What people write down of networks, read strictly: what would match nothing is refused, with what to write. */

/** An address as sockets write it, so that two spellings of one are one; undefined for text that is none. */
export function plainAddress(text: string): string | undefined {
  if (isIP(text) === 6) return ipaddr.process(text).toString();
  // in every spelling that a resolver takes for an IPv4 address: 0, 127.1, 0x7f000001
  const host = /^[0-9a-fx.]+$/i.test(text) ? (URL.parse(`http://${text}/`)?.hostname ?? '') : '';
  return isIP(host) === 4 ? host : undefined;
}

/** Whether it is an address, or a range of them with as many bits as that has: `10.0.0.0/8`. @param least bits */
export function isNetwork(text: string, least: number): boolean {
  const [address = '', bits, ...more] = text.split('/');
  const kind = address.includes('%') ? 0 : isIP(address);
  if (bits === undefined) return kind !== 0;
  const most = kind === 4 ? 32 : 128;
  return kind !== 0 && more.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) >= least && Number(bits) <= most;
}

/**
 * Whom webhooks may be called at although they are not on the public internet: names, addresses, ranges.
 * @param setting how the person calls it
 * @throws UsageError for what no webhook's host can match
 */
export function readWebhookAllow(entries: readonly string[], setting: string): readonly string[] {
  for (const entry of entries) {
    if (isHostName(entry) || (isNetwork(entry, 0) && !isMapped(entry))) continue;
    const better = hostIn(entry);
    throw new UsageError(
      `${setting} is a host name, an address or a range such as 10.0.0.0/8, without a scheme, port or path, not "${entry}".${better === undefined ? '' : ` Write "${better}".`}`,
    );
  }
  return entries;
}

/** A name as it stands in the address of a webhook once that was read. */
function isHostName(text: string): boolean {
  return /^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/i.test(text) && URL.parse(`http://${text}/`)?.hostname === text.toLowerCase();
}

/** IPv4 in IPv6 is what is in it. */
function isMapped(entry: string): boolean {
  const [address = ''] = entry.split('/');
  return isIP(address) === 6 && ipaddr.process(address).kind() === 'ipv4';
}

/** The host that was meant, if there is one in it. */
function hostIn(entry: string): string | undefined {
  const isUrl = /^[a-z][a-z0-9+.-]*:\/\//i.test(entry);
  if (!isUrl && entry.includes('/')) return undefined;
  const url = isUrl ? entry : `http://${isIP(entry) === 6 ? `[${entry}]` : entry}`;
  const bare = (URL.parse(url)?.hostname ?? '').replace(/^\[|\]$|\.$/g, '');
  const host = plainAddress(bare) ?? bare;
  return isHostName(host) || isIP(host) !== 0 ? host : undefined;
}
