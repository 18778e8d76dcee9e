import rateLimit, { normalizeIP } from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { RelayError } from '../contract/reasons.ts';
import { addressOf, isLoopback } from './addresses.ts';

/** How much is served, each in a minute. An IPv6 address is its /64: that is what one caller is given. */
export interface RateLimits {
  /** Requests from one address, whatever comes of them. Default: 60,000, and any number from the relay's own machine. */
  readonly perAddress?: number;
  /** Requests with one key. Default: 60,000, and any number from the relay's own machine. */
  readonly perKey?: number;
  /** Keys that nobody has, from one address. Default: 30. */
  readonly wrongKeys?: number;
  /** Registrations from one address, the refused ones too. Default: 10. */
  readonly registrations?: number;
}

/** Counts a request, and fails with RATE_LIMITED, which says when to come again. undefined where nothing is counted. */
export type Limit = (request: FastifyRequest) => Promise<void> | undefined;

export interface Limiters {
  readonly address: Limit;
  /** Asks for `request.principal`. */
  readonly key: Limit;
  readonly wrongKey: Limit;
  /** Counts nothing: only looks whether the address has used up its wrong keys. */
  readonly noWrongKeys: Limit;
  readonly registration: Limit;
}

const REQUESTS = 60_000;
const WRONG_KEYS = 30;
const REGISTRATIONS = 10;

/**
 * The limits of a relay. Each remembers the 5,000 callers that were there last.
 * @param isProxied whether all callers reach it through a proxy: then none is known to be on this machine
 */
export function createLimiters(
  app: FastifyInstance,
  { perAddress, perKey, wrongKeys, registrations }: RateLimits,
  isProxied: boolean,
): Limiters {
  void app.register(rateLimit, { global: false, timeWindow: 60_000 });
  const isLocal = (request: FastifyRequest): boolean => !isProxied && isLoopback(addressOf(request));
  const ofAddress = (request: FastifyRequest): string => normalizeIP(addressOf(request));
  const ofKey = ({ principal }: FastifyRequest): string => `${principal?.keyId}`;
  const limit = (what: string, max: number, keyGenerator = ofAddress) => {
    let check: ReturnType<FastifyInstance['createRateLimit']> | undefined;
    // the plugin is there once it is loaded, which is before the first request
    app.after(() => {
      check = app.createRateLimit({ max, keyGenerator });
    });
    return (increment: boolean): Limit =>
      async (request) => {
        const state = await check?.(request, { increment });
        if (state?.isAllowed === false && state.isExceeded) throw limited(what, max, state.ttlInSeconds);
      };
  };
  const requests = (of: string, most: number | undefined, keyGenerator = ofAddress): Limit => {
    const count = limit(`requests ${of}`, most ?? REQUESTS, keyGenerator)(true);
    return (request) => (most !== undefined || !isLocal(request) ? count(request) : undefined);
  };
  const wrong = limit('wrong keys from one address', wrongKeys ?? WRONG_KEYS);
  return {
    address: requests('from one address', perAddress),
    key: requests('with one key', perKey, ofKey),
    wrongKey: wrong(true),
    noWrongKeys: wrong(false),
    registration: limit('registrations from one address', registrations ?? REGISTRATIONS)(true),
  };
}

function limited(what: string, max: number, seconds: number): RelayError {
  return new RelayError(
    'RATE_LIMITED',
    `More than ${max} ${what} in a minute. Try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`,
    { metadata: { limit: String(max) }, retryAfterS: seconds },
  );
}
