import { RelayError } from '../contract/reasons.ts';
import { METHODS_0_1 } from './a2a-0.1/decode.ts';
import { A2A_0_1 } from './a2a-0.1/dialect.ts';
import { A2A_0_3 } from './a2a-0.3/dialect.ts';
import { A2A_1_0 } from './a2a-1.0/dialect.ts';
import { AGENTRELAY } from './agentrelay/dialect.ts';
import type { Dialect } from './dialect.ts';
import { excerpt } from './excerpt.ts';
import { methodNotFound } from './method-not-found.ts';

/** Protocol versions, Major.Minor, that an `A2A-Version` may name. 0.3 is what absence means (A2A 1.0.1 section 3.6.2). */
const VERSIONS = ['1.0', '0.3', '0.2', '0.1'] as const;
type Version = (typeof VERSIONS)[number];

/** The methods of our extension: they answer alike under any version. */
const EXTENSION_METHODS: ReadonlySet<string> = new Set(['tasks/update', 'tasks/list']);

/** A2A 1.0 names methods as gRPC does. */
const GRAMMAR_1_0 = /^[A-Z][A-Za-z0-9]{0,127}$/;

/**
 * Decides who reads a request. The grammar of the method comes first, then the version is checked, on every method.
 *
 * @param method the JSON-RPC method
 * @param header the `A2A-Version` header
 * @param query the `A2A-Version` query parameter; the header wins
 * @param options `lenient` serves a 1.0 method without a version as 1.0, where the specification means 0.3
 * @throws RelayError VERSION_NOT_SUPPORTED, also for a 1.0 method under an older version; METHOD_NOT_FOUND for an older
 *   method under 1.0.
 *   Whether a name exists in its own dialect is for the decoder to say.
 */
export function negotiate(
  method: string,
  header: string | undefined,
  query: string | undefined,
  options: { readonly lenient?: boolean } = {},
): Dialect {
  const asked = askedVersion(header, query);
  const version = readVersion(header, query);
  if (EXTENSION_METHODS.has(method)) return AGENTRELAY;
  if (GRAMMAR_1_0.test(method)) {
    if (version === '1.0' || (version === undefined && options.lenient === true)) return A2A_1_0;
    throw notSupported(asked);
  }
  if (version === '1.0') throw methodNotFound(method, version);
  return METHODS_0_1.has(method) ? A2A_0_1 : A2A_0_3;
}

/**
 * The version that a request names, if it names one. Only Major.Minor counts: a patch number, of whatever form, is ignored.
 * @throws RelayError VERSION_NOT_SUPPORTED
 */
export function readVersion(header: string | undefined, query: string | undefined): Version | undefined {
  const text = askedVersion(header, query);
  if (text === '') return undefined;
  const asked = /^(\d{1,4}\.\d{1,4})(?:\.[0-9A-Za-z.+-]{1,64})?$/.exec(text)?.[1];
  const version = VERSIONS.find((one) => one === asked);
  if (version === undefined) throw notSupported(text);
  return version;
}

function askedVersion(header: string | undefined, query: string | undefined): string {
  return (header ?? '').trim() || (query ?? '').trim();
}

/** Absence and 0.3 are one (A2A 1.0.1 section 3.6.2), and so is the answer to a method of 1.0 under them. */
function notSupported(asked: string): RelayError {
  const requested = asked === '' ? '0.3' : excerpt(asked, 32);
  const supported = VERSIONS.join(', ');
  const why = asked === '' ? 'A request without a version is A2A 0.3' : `A2A ${requested} was asked for`;
  return new RelayError(
    'VERSION_NOT_SUPPORTED',
    `${why}. This relay speaks ${supported}, each with its own methods: send the header "A2A-Version: 1.0" with those of 1.0.`,
    { metadata: { requested, supported } },
  );
}
