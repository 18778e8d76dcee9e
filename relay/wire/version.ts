import { RelayError } from '../contract/reasons.ts';
import { excerpt } from './excerpt.ts';

/** What decodes a method's params and shapes its answer: the folders beside this file. */
export type Dialect = 'a2a-1.0' | 'agentrelay';

/** Protocol versions, Major.Minor, that an `A2A-Version` may name. 0.3 is what absence means (A2A 1.0.1 section 3.6.2). */
type Version = '1.0' | '0.3';

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
 * @throws RelayError VERSION_NOT_SUPPORTED, or METHOD_NOT_FOUND when the version is spoken but has no such method.
 *   Whether a 1.0 name exists is for the decoder to say.
 */
export function negotiate(
  method: string,
  header: string | undefined,
  query: string | undefined,
  options: { readonly lenient?: boolean } = {},
): Dialect {
  const asked = (header ?? '').trim() || (query ?? '').trim();
  const version = asked === '' ? '0.3' : readVersion(asked);
  if (EXTENSION_METHODS.has(method)) return 'agentrelay';
  if (version === '1.0') {
    if (GRAMMAR_1_0.test(method)) return 'a2a-1.0';
    throw methodNotFound(method);
  }
  if (options.lenient === true && asked === '' && GRAMMAR_1_0.test(method)) return 'a2a-1.0';
  throw notSupported(asked);
}

/** A method that A2A 1.0 does not have. */
export function methodNotFound(method: string): RelayError {
  const name = excerpt(method, 64);
  return new RelayError('METHOD_NOT_FOUND', `A2A 1.0 has no method ${JSON.stringify(name)}. Check its spelling.`, {
    metadata: { method: name },
  });
}

/** Only Major.Minor counts: a patch number, of whatever form, is ignored. */
function readVersion(text: string): Version {
  const version = /^(\d{1,4}\.\d{1,4})(?:\.[0-9A-Za-z.+-]{1,64})?$/.exec(text)?.[1];
  if (version === '1.0' || version === '0.3') return version;
  throw notSupported(text);
}

function notSupported(asked: string): RelayError {
  const requested = asked === '' ? '0.3' : excerpt(asked, 32);
  const why = asked === '' ? 'A request without a version is A2A 0.3' : `A2A ${requested} was asked for`;
  return new RelayError(
    'VERSION_NOT_SUPPORTED',
    `${why}, and this relay speaks A2A 1.0. Call its methods with the header "A2A-Version: 1.0".`,
    { metadata: { requested, supported: '1.0' } },
  );
}
