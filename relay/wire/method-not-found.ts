import { RelayError } from '../contract/reasons.ts';
import { excerpt } from './excerpt.ts';

/** @param version of A2A, whose methods the name is not among */
export function methodNotFound(method: string, version: string): RelayError {
  const name = excerpt(method, 64);
  return new RelayError(
    'METHOD_NOT_FOUND',
    `A2A ${version} has no method ${JSON.stringify(name)}. Check its spelling.`,
    {
      metadata: { method: name },
    },
  );
}
