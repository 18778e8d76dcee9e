import type { JsonObject } from '../contract/json.ts';
import type { Operation } from '../operations/operation.ts';
import { Fields, Violations } from './fields.ts';
import { methodNotFound } from './method-not-found.ts';

/** The methods of one generation, and how the params of each are read. */
export type Methods = ReadonlyMap<string, (params: Fields) => Operation>;

/**
 * Reads a call by the table of its generation.
 * @param version of A2A, for the error about a method that it does not have
 * @throws RelayError INVALID_PARAMS naming all that is wrong, METHOD_NOT_FOUND, or what the table's reader throws
 */
export function readCall(methods: Methods, version: string, method: string, params: JsonObject | undefined): Operation {
  const read = methods.get(method);
  if (read === undefined) throw methodNotFound(method, version);
  const fields = new Fields('', params ?? {}, new Violations());
  const operation = read(fields);
  fields.violations.throwIfAny();
  return operation;
}
