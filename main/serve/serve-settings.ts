import { isIPv6 } from 'node:net';
import { safeName } from '../../relay/contract/handle.ts';
import type { Edge, RegistrationMode } from '../../relay/http/deps.ts';
import { hasNoCredentials } from '../../relay/contract/url.ts';
import { isLoopback } from '../../relay/http/addresses.ts';
import type { RateLimits } from '../../relay/http/rate-limits.ts';
import type { Flags, FlagTable } from '../cli/flags.ts';
import { isNetwork, plainAddress, readWebhookAllow } from '../networks.ts';
import { dataFolder, DEFAULT_PORT, parsePort, readLogLevel, type Machine } from '../settings.ts';
import { UsageError } from '../start-error.ts';

/** How a team relay is run (docs/how-to/run-a-team-relay.md). */
export interface ServeSettings {
  /** The data folder, absolute. */
  readonly home: string;
  /** For the first start: the part of handles after `@`. */
  readonly relayName: string;
  readonly host: string;
  /** 0 is any free one. */
  readonly port: number;
  /** PEM files. */
  readonly tls?: { readonly cert: string; readonly key: string };
  /** Without a slash at the end. */
  readonly publicUrl?: string;
  readonly proxies?: Edge['proxies'];
  readonly registration?: RegistrationMode;
  readonly openProfile: boolean;
  readonly strictCards: boolean;
  readonly webhookAllow: readonly string[];
  readonly rateLimits: RateLimits;
  readonly logLevel: string;
  /** Worth a line on stderr. */
  readonly warnings: readonly string[];
}

const MOST = 1_000_000_000;

/** The flags of `agentrelay serve`. */
export const SERVE_FLAGS: FlagTable = {
  name: { value: 'NAME', help: 'At the first start: the part of its handles after @ (AGENTRELAY_NAME)' },
  data: { value: 'DIR', help: 'The data folder, as --home' },
  host: { value: 'HOST', help: 'Where it listens (default 127.0.0.1: this machine alone)' },
  port: { value: 'N', help: `Its port; 0 is any free one (AGENTRELAY_PORT, default ${DEFAULT_PORT})` },
  'tls-cert': { value: 'FILE', help: 'Its certificate and those above it, PEM' },
  'tls-key': { value: 'FILE', help: "The certificate's key, PEM" },
  'public-url': { value: 'URL', help: 'Where others reach it; with https and no certificate, a proxy in front of it' },
  proxy: { value: 'ADDRESS', multiple: true, help: 'A proxy on another machine whose X-Forwarded-For is believed' },
  insecure: { help: 'Lets keys travel readable: without TLS, beyond this machine' },
  registration: { value: 'closed|invite|open', help: 'Who may register without the admin (default invite)' },
  'allow-webhook': {
    value: 'HOST',
    multiple: true,
    help: 'Allow webhooks there, though it is not public',
  },
  'limit-address': { value: 'N', help: 'Most requests a minute from one address (default 60000)' },
  'limit-key': { value: 'N', help: 'Most requests a minute with one key (default 60000)' },
  'limit-wrong-keys': { value: 'N', help: 'Most wrong keys a minute from one address (default 30)' },
  'limit-registrations': { value: 'N', help: 'Most registrations a minute from one address (default 10)' },
  'strict-cards': { help: 'Cards that are exactly of A2A 1.0 for readers that name no version' },
  'open-profile': { help: 'For compatibility kits on this machine: no keys, no idempotency, anybody registers' },
};

/** Reads the flags. Fails with a UsageError, also where keys would travel readable and nobody has said that they may. */
export function readServeSettings(flags: Flags, machine: Machine): ServeSettings {
  const { env } = machine;
  const host = readHost(flags.text('host') ?? '127.0.0.1');
  const tls = readTls(flags);
  const publicUrl = readPublicUrl(flags.text('public-url'));
  const openProfile = flags.isOn('open-profile');
  const isInsecure = flags.isOn('insecure');
  const isReadable = checkExposure({ host, hasTls: tls !== undefined, publicUrl, openProfile, isInsecure });
  const port = flags.text('port') ?? (env['AGENTRELAY_PORT'] || undefined);
  const proxies = readProxies(flags.texts('proxy'), publicUrl !== undefined && tls === undefined);
  const registration = flags.oneOf('registration', ['closed', 'invite', 'open']);
  return {
    home: dataFolder(flags.text('data') ?? flags.text('home'), machine),
    relayName: safeName(flags.text('name') ?? (env['AGENTRELAY_NAME'] || machine.hostName), 'relay'),
    host,
    port: port === undefined ? DEFAULT_PORT : parsePort(port),
    ...(tls && { tls }),
    ...(publicUrl !== undefined && { publicUrl }),
    ...(proxies && { proxies }),
    ...(registration && { registration }),
    openProfile,
    strictCards: flags.isOn('strict-cards'),
    webhookAllow: readWebhookAllow(flags.texts('allow-webhook'), '--allow-webhook'),
    rateLimits: readLimits(flags),
    logLevel: readLogLevel(machine),
    warnings: [
      ...(isReadable ? ['Keys and everything else travel readable: there is no TLS.'] : []),
      ...(openProfile ? ['Open profile: whoever is on this machine needs no key. For tests only.'] : []),
    ],
  };
}

/** Listening on both addresses that `localhost` may stand for would be two servers. */
function readHost(host: string): string {
  const bare = host.replace(/^\[(.*)\]$/, '$1');
  if (bare.toLowerCase() === 'localhost') return '127.0.0.1';
  if (bare === '' || (!isIPv6(bare) && !/^[a-z0-9.-]+$/i.test(bare))) {
    throw new UsageError(`--host is an address or a name of this machine, without a port, not "${host}".`);
  }
  return plainAddress(bare) ?? bare;
}

function readTls(flags: Flags): ServeSettings['tls'] {
  const cert = flags.text('tls-cert');
  const key = flags.text('tls-key');
  if (cert === undefined && key === undefined) return undefined;
  if (cert === undefined || key === undefined) throw new UsageError('--tls-cert and --tls-key go together.');
  return { cert, key };
}

function readPublicUrl(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const url = URL.parse(text);
  const isPlain =
    url !== null && /^https?:$/.test(url.protocol) && hasNoCredentials(url) && url.search === '' && url.hash === '';
  if (!isPlain) throw new UsageError(`--public-url is such as https://relay.example.com, not "${text}".`);
  return url.href.replace(/\/+$/, '');
}

function readProxies(given: readonly string[], isProxied: boolean): Edge['proxies'] {
  if (given.length > 0 && !isProxied) {
    throw new UsageError(
      '--proxy goes with --public-url: the address at which the proxy is reached, and no certificate here.',
    );
  }
  for (const address of given) {
    // one that held every address would have every caller believed
    if (!isNetwork(address, 1)) {
      throw new UsageError(
        `--proxy is the address of a proxy, or a range of them such as 10.0.0.0/8 (1 to 32 bits, 128 in IPv6), not "${address}".`,
      );
    }
  }
  return isProxied ? ['loopback', ...given] : undefined;
}

/** @returns whether keys travel readable beyond this machine, as was asked for */
function checkExposure(asked: {
  readonly host: string;
  readonly hasTls: boolean;
  readonly publicUrl: string | undefined;
  readonly openProfile: boolean;
  readonly isInsecure: boolean;
}): boolean {
  const { host, hasTls, publicUrl, openProfile, isInsecure } = asked;
  const isHere = isLoopback(host);
  if (openProfile && (!isHere || publicUrl !== undefined)) {
    throw new UsageError(
      '--open-profile asks nobody for a key: it is for this machine alone, without --host and --public-url.',
    );
  }
  if ((host === '0.0.0.0' || host === '::') && publicUrl === undefined) {
    throw new UsageError(
      `--host ${host} is every address of this machine. Say with --public-url at which one others reach it.`,
    );
  }
  const isEncrypted = hasTls || publicUrl?.startsWith('https:') === true;
  if (isEncrypted || (isHere && publicUrl === undefined)) return false;
  if (isInsecure) return true;
  throw new UsageError(
    'Beyond this machine, keys would travel readable. Give --tls-cert and --tls-key, or put a proxy with TLS in front and name it with --public-url https://…, or say --insecure.',
  );
}

function readLimits(flags: Flags): RateLimits {
  const limit = <N extends keyof RateLimits>(name: N, flag: string): Pick<RateLimits, N> | undefined => {
    const given = flags.count(flag, 1, MOST);
    return given === undefined ? undefined : ({ [name]: given } as Pick<RateLimits, N>);
  };
  return {
    ...limit('perAddress', 'limit-address'),
    ...limit('perKey', 'limit-key'),
    ...limit('wrongKeys', 'limit-wrong-keys'),
    ...limit('registrations', 'limit-registrations'),
  };
}
