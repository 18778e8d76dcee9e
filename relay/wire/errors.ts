import { RelayError, type Reason } from '../contract/reasons.ts';
import type { Json, JsonObject } from '../contract/json.ts';

/** Names of google.rpc.Code that the relay uses. */
export type GrpcStatus =
  | 'ABORTED'
  | 'ALREADY_EXISTS'
  | 'FAILED_PRECONDITION'
  | 'INTERNAL'
  | 'INVALID_ARGUMENT'
  | 'NOT_FOUND'
  | 'PERMISSION_DENIED'
  | 'RESOURCE_EXHAUSTED'
  | 'UNAUTHENTICATED'
  | 'UNAVAILABLE'
  | 'UNIMPLEMENTED';

/** How one reason looks on the wire. */
export interface ErrorForm {
  /** JSON-RPC error code. */
  readonly code: number;
  /**
   * HTTP status of a JSON-RPC answer: 200 wherever the request reached the method, since clients of A2A drop the code
   * of any other answer.
   */
  readonly rpcStatus: number;
  /** HTTP status outside JSON-RPC. */
  readonly httpStatus: number;
  readonly grpcStatus: GrpcStatus;
  /** google.rpc.ErrorInfo's domain: whose word the reason is. */
  readonly domain: 'a2a-protocol.org' | 'agentrelay.dev';
}

/** One of A2A's own (A2A 1.0.1 section 5.4). */
function a2a(code: number, httpStatus: number, grpcStatus: GrpcStatus): ErrorForm {
  return { code, rpcStatus: 200, httpStatus, grpcStatus, domain: 'a2a-protocol.org' };
}
/** Everything else: told apart by reason, under one code unless JSON-RPC or A2A has one that says the same. */
function ours(httpStatus: number, grpcStatus: GrpcStatus, code = -32000): ErrorForm {
  return { code, rpcStatus: 200, httpStatus, grpcStatus, domain: 'agentrelay.dev' };
}
/** Refused before the method was reached: plain HTTP says it, and the body says it again. */
function atHttp(httpStatus: number, grpcStatus: GrpcStatus, code = -32000): ErrorForm {
  return { code, rpcStatus: httpStatus, httpStatus, grpcStatus, domain: 'agentrelay.dev' };
}

/** Reason → JSON-RPC code, HTTP status, gRPC status. A reason without an entry does not compile. */
export const ERROR_FORMS: Readonly<Record<Reason, ErrorForm>> = {
  TASK_NOT_FOUND: a2a(-32001, 404, 'NOT_FOUND'),
  TASK_NOT_CANCELABLE: a2a(-32002, 400, 'FAILED_PRECONDITION'),
  UNSUPPORTED_OPERATION: a2a(-32004, 400, 'FAILED_PRECONDITION'),
  CONTENT_TYPE_NOT_SUPPORTED: a2a(-32005, 400, 'INVALID_ARGUMENT'),
  EXTENSION_SUPPORT_REQUIRED: a2a(-32008, 400, 'FAILED_PRECONDITION'),
  VERSION_NOT_SUPPORTED: a2a(-32009, 400, 'FAILED_PRECONDITION'),

  PARSE_ERROR: ours(400, 'INVALID_ARGUMENT', -32700),
  INVALID_REQUEST: ours(400, 'INVALID_ARGUMENT', -32600),
  METHOD_NOT_FOUND: ours(404, 'UNIMPLEMENTED', -32601),
  INVALID_PARAMS: ours(400, 'INVALID_ARGUMENT', -32602),
  INTERNAL: ours(500, 'INTERNAL', -32603),

  UNAUTHENTICATED: atHttp(401, 'UNAUTHENTICATED'),
  PAYLOAD_TOO_LARGE: atHttp(413, 'RESOURCE_EXHAUSTED'),
  // A2A's code for a content type: clients know it by that
  UNSUPPORTED_MEDIA_TYPE: atHttp(415, 'INVALID_ARGUMENT', -32005),
  HOST_NOT_ALLOWED: atHttp(403, 'PERMISSION_DENIED'),
  ROUTE_NOT_FOUND: atHttp(404, 'NOT_FOUND'),
  METHOD_NOT_ALLOWED: atHttp(405, 'UNIMPLEMENTED'),
  HEADERS_TOO_LARGE: atHttp(431, 'RESOURCE_EXHAUSTED'),
  REQUEST_TIMEOUT: atHttp(408, 'UNAVAILABLE'),
  ORIGIN_NOT_ALLOWED: atHttp(403, 'PERMISSION_DENIED'),
  RATE_LIMITED: atHttp(429, 'RESOURCE_EXHAUSTED'),
  SCOPE_REQUIRED: atHttp(403, 'PERMISSION_DENIED'),

  RECIPIENT_REQUIRED: ours(400, 'INVALID_ARGUMENT', -32602),
  RECIPIENT_NOT_FOUND: ours(404, 'NOT_FOUND'),
  CONTACT_REQUESTED: ours(403, 'PERMISSION_DENIED'),
  CONTACT_DECLINED: ours(403, 'PERMISSION_DENIED'),
  CONTACT_REQUIRED: ours(403, 'PERMISSION_DENIED'),
  IDEMPOTENCY_CONFLICT: ours(409, 'ALREADY_EXISTS'),
  STATE_CHANGED: ours(409, 'ABORTED'),
  INVALID_TRANSITION: ours(409, 'FAILED_PRECONDITION'),
  TRANSITION_NOT_ALLOWED: ours(403, 'PERMISSION_DENIED'),
  HELD_BY_OTHER_SESSION: ours(409, 'FAILED_PRECONDITION'),
  LEASE_LOST: ours(409, 'ABORTED'),
  THREAD_TOO_LARGE: ours(409, 'FAILED_PRECONDITION'),
  LOOP_STOPPED: ours(409, 'FAILED_PRECONDITION'),
  HANDLE_TAKEN: ours(409, 'ALREADY_EXISTS'),
  REGISTRATION_CLOSED: ours(403, 'PERMISSION_DENIED'),
  INVITE_INVALID: ours(401, 'UNAUTHENTICATED'),
  INVITE_GONE: ours(410, 'FAILED_PRECONDITION'),
  ACCOUNT_IN_USE: ours(409, 'ABORTED'),
  HELD_BY_TRUST: ours(403, 'PERMISSION_DENIED'),
  HUMAN_REQUIRED: ours(403, 'PERMISSION_DENIED'),
  TRUST_UNUSABLE: ours(409, 'FAILED_PRECONDITION'),
  ALIAS_NEEDED: ours(409, 'ALREADY_EXISTS'),
  RELAY_NOT_PROVEN: ours(503, 'FAILED_PRECONDITION'),
  OUTBOX_ITEM_NOT_FOUND: ours(404, 'NOT_FOUND'),
  OUTBOX_FULL: ours(429, 'RESOURCE_EXHAUSTED'),
  RELAY_UNREACHABLE: ours(503, 'UNAVAILABLE'),
  STORAGE_FAILED: ours(503, 'UNAVAILABLE'),
  SHUTTING_DOWN: ours(503, 'UNAVAILABLE'),
};

/** Milliseconds since the epoch. */
export type Clock = () => number;

/** A JSON-RPC error object; `data` is an array of google.rpc details, each with its `@type` (A2A 1.0.1 section 9.5). */
export interface ErrorObject {
  readonly code: number;
  readonly message: string;
  readonly data: readonly JsonObject[];
}

/**
 * The error member of a JSON-RPC answer. With `clock`, ErrorInfo tells when it happened.
 */
export function errorObject(error: RelayError, clock?: Clock): ErrorObject {
  return { code: ERROR_FORMS[error.reason].code, message: error.message, data: details(error, clock) };
}

/** The body of an answer outside JSON-RPC: `{error: {code, status, message, details}}` (A2A 1.0.1 section 11.6). */
export function httpErrorBody(error: RelayError, clock?: Clock): string {
  const { httpStatus, grpcStatus } = ERROR_FORMS[error.reason];
  return JSON.stringify({
    error: { code: httpStatus, status: grpcStatus, message: error.message, details: details(error, clock) },
  });
}

/** BadRequest where fields are named, RetryInfo where waiting helps, then always ErrorInfo with the stable reason. */
function details(error: RelayError, clock: Clock | undefined): JsonObject[] {
  const info = {
    '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
    reason: error.reason,
    domain: ERROR_FORMS[error.reason].domain,
    metadata: clock === undefined ? error.metadata : { ...error.metadata, timestamp: new Date(clock()).toISOString() },
  };
  const fieldViolations: Json[] = error.violations.map(({ field, description }) => ({ field, description }));
  return [
    ...(fieldViolations.length === 0
      ? []
      : [{ '@type': 'type.googleapis.com/google.rpc.BadRequest', fieldViolations }]),
    ...(error.retryAfterS === undefined
      ? []
      : [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: `${error.retryAfterS}s` }]),
    info,
  ];
}

/** What a caller is told of anything that was thrown. A fault of ours says nothing of its cause. */
export function toRelayError(thrown: unknown): RelayError {
  return thrown instanceof RelayError
    ? thrown
    : new RelayError(
        'INTERNAL',
        "The relay failed on this request. Try again; if it fails again, the relay's log says why.",
      );
}
