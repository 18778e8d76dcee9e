import { invalidParams, RelayError } from '../contract/reasons.ts';
import { isJsonObject, type Json, type JsonObject } from '../contract/json.ts';
import { errorObject, type Clock } from './errors.ts';
import { isArray } from './json.ts';

/** JSON-RPC 2.0 framing (https://www.jsonrpc.org/specification), as A2A uses it: one request, params by name. */

/** Echoed with its exact type. */
export type RequestId = string | number | null;

export interface RpcRequest {
  /** undefined: a notification, which gets no answer. */
  readonly id: RequestId | undefined;
  readonly method: string;
  readonly params: JsonObject | undefined;
}

/** Longest id that is echoed, in characters: a stream repeats it in every frame. */
const MAX_ID = 1024;

/**
 * Checks the envelope.
 *
 * @throws RelayError INVALID_REQUEST, or INVALID_PARAMS when only `params` is of the wrong type. The answer's id is
 *   `readId(body)`.
 */
export function readRequest(body: Json): RpcRequest {
  if (isArray(body)) throw invalidRequest('A batch is not supported by A2A. Send one request object.');
  if (!isJsonObject(body)) throw invalidRequest('The body is not an object. Send one JSON-RPC 2.0 request object.');
  const { id, method, params, jsonrpc } = body;
  if (jsonrpc !== '2.0') throw invalidRequest('Set "jsonrpc" to "2.0".', 'jsonrpc');
  if (id !== undefined && !isId(id)) {
    throw invalidRequest(`Send an id that is a string of at most ${MAX_ID} characters, an integer, or null.`, 'id');
  }
  if (typeof method !== 'string' || method === '') throw invalidRequest('Name a method, as a string.', 'method');
  if (params === undefined || params === null) return { id, method, params: undefined };
  if (!isJsonObject(params)) throw invalidParams('params', 'must be an object');
  return { id, method, params };
}

/** The id that an error about this body is answered with: null where there is none, or one that cannot be echoed. */
export function readId(body: Json): RequestId {
  const id = isJsonObject(body) ? body['id'] : undefined;
  return isId(id) ? id : null;
}

/** `resultJson` is a result that is encoded already: it can be framed many times under different ids. */
export function successBody(id: RequestId, resultJson: string): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${resultJson}}`;
}

/** An error answer. It has no `result`, as a success has no `error`: clients test for the key. */
export function errorBody(id: RequestId, error: RelayError, clock?: Clock): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: errorObject(error, clock) });
}

/** Integers beyond 2^53 are refused rather than echoed as another number. */
function isId(id: Json | undefined): id is RequestId {
  return id === null || (typeof id === 'string' ? id.length <= MAX_ID : Number.isSafeInteger(id));
}

function invalidRequest(message: string, field?: string): RelayError {
  return new RelayError(
    'INVALID_REQUEST',
    message,
    field === undefined ? {} : { violations: [{ field, description: message }] },
  );
}
