import { describe, expect, test } from 'vitest';
import { invalidParams, REASONS, RelayError, type Reason } from '../../../relay/contract/reasons.ts';
import { ERROR_FORMS, errorObject, httpErrorBody, toRelayError } from '../../../relay/wire/errors.ts';
import { errorBody } from '../../../relay/wire/json-rpc.ts';
import { assertError } from '../../support/a2a-1.0-schema.ts';

const INFO = 'type.googleapis.com/google.rpc.ErrorInfo';

/** A2A 1.0.1, section 5.4. */
const A2A: readonly (readonly [Reason, number, number, string])[] = [
  ['TASK_NOT_FOUND', -32001, 404, 'NOT_FOUND'],
  ['TASK_NOT_CANCELABLE', -32002, 400, 'FAILED_PRECONDITION'],
  ['UNSUPPORTED_OPERATION', -32004, 400, 'FAILED_PRECONDITION'],
  ['CONTENT_TYPE_NOT_SUPPORTED', -32005, 400, 'INVALID_ARGUMENT'],
  ['EXTENSION_SUPPORT_REQUIRED', -32008, 400, 'FAILED_PRECONDITION'],
  ['VERSION_NOT_SUPPORTED', -32009, 400, 'FAILED_PRECONDITION'],
];

test.each(A2A)("%s has A2A's code, status and domain", (reason, code, httpStatus, grpcStatus) => {
  expect(ERROR_FORMS[reason]).toEqual({ code, rpcStatus: 200, httpStatus, grpcStatus, domain: 'a2a-protocol.org' });
});

test.each([
  ['PARSE_ERROR', -32700],
  ['INVALID_REQUEST', -32600],
  ['METHOD_NOT_FOUND', -32601],
  ['INVALID_PARAMS', -32602],
  ['INTERNAL', -32603],
  ['RECIPIENT_REQUIRED', -32602],
  ['UNSUPPORTED_MEDIA_TYPE', -32005],
] as const)('%s has the code %i', (reason, code) => {
  expect(ERROR_FORMS[reason].code).toBe(code);
});

test('every other reason shares one code and is told apart by its name', () => {
  const own = REASONS.filter((r) => ERROR_FORMS[r].domain === 'agentrelay.dev' && ERROR_FORMS[r].code === -32000);
  expect(own).toContain('IDEMPOTENCY_CONFLICT');
  expect(own).toHaveLength(REASONS.length - A2A.length - 7);
});

test('only what never reached a method is an HTTP error in a JSON-RPC answer', () => {
  const http = REASONS.filter((r) => ERROR_FORMS[r].rpcStatus !== 200).map((r) => [r, ERROR_FORMS[r].rpcStatus]);
  expect(Object.fromEntries(http)).toEqual({
    UNAUTHENTICATED: 401,
    PAYLOAD_TOO_LARGE: 413,
    UNSUPPORTED_MEDIA_TYPE: 415,
    HOST_NOT_ALLOWED: 403,
    ROUTE_NOT_FOUND: 404,
    METHOD_NOT_ALLOWED: 405,
    HEADERS_TOO_LARGE: 431,
    REQUEST_TIMEOUT: 408,
    ORIGIN_NOT_ALLOWED: 403,
    RATE_LIMITED: 429,
    SCOPE_REQUIRED: 403,
  });
});

test.each(REASONS)('an answer with %s passes a strict reader', (reason) => {
  const answer: unknown = JSON.parse(errorBody(1, new RelayError(reason, 'Do this.', { metadata: { task_id: 't' } })));
  assertError(answer);
  expect(answer.error.data.at(-1)).toMatchObject({ '@type': INFO, reason, metadata: { task_id: 't' } });
});

describe('details', () => {
  test("an error of A2A's own is ErrorInfo alone, with the time when there is a clock", () => {
    const error = new RelayError('TASK_NOT_FOUND', 'There is no such task.', { metadata: { taskId: 'x' } });
    expect(errorObject(error, () => Date.UTC(2026, 0, 31, 12))).toEqual({
      code: -32001,
      message: 'There is no such task.',
      data: [
        {
          '@type': INFO,
          reason: 'TASK_NOT_FOUND',
          domain: 'a2a-protocol.org',
          metadata: { taskId: 'x', timestamp: '2026-01-31T12:00:00.000Z' },
        },
      ],
    });
  });

  test('fields that are wrong come first, as BadRequest', () => {
    expect(errorObject(invalidParams('message.parts', 'needs at least one element')).data).toEqual([
      {
        '@type': 'type.googleapis.com/google.rpc.BadRequest',
        fieldViolations: [{ field: 'message.parts', description: 'needs at least one element' }],
      },
      { '@type': INFO, reason: 'INVALID_PARAMS', domain: 'agentrelay.dev', metadata: {} },
    ]);
  });

  test('what can be tried again says when, before its reason', () => {
    expect(errorObject(new RelayError('RATE_LIMITED', 'Wait.', { retryAfterS: 3 })).data).toEqual([
      { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '3s' },
      { '@type': INFO, reason: 'RATE_LIMITED', domain: 'agentrelay.dev', metadata: {} },
    ]);
  });

  test('outside JSON-RPC the same details travel under the HTTP and gRPC status', () => {
    expect(JSON.parse(httpErrorBody(new RelayError('HANDLE_TAKEN', 'Choose another.')))).toEqual({
      error: {
        code: 409,
        status: 'ALREADY_EXISTS',
        message: 'Choose another.',
        details: [{ '@type': INFO, reason: 'HANDLE_TAKEN', domain: 'agentrelay.dev', metadata: {} }],
      },
    });
  });
});

describe('whatever was thrown', () => {
  test('a RelayError stays what it is', () => {
    const error = new RelayError('STATE_CHANGED', 'Read again.');
    expect(toRelayError(error)).toBe(error);
  });

  test.each([
    new Error('SQLITE_FULL: /home/mia/relay.db'),
    new TypeError('x is undefined'),
    'secret',
    null,
    undefined,
    7,
  ])('%s becomes INTERNAL and leaks nothing', (thrown) => {
    const error = toRelayError(thrown);
    expect(error.reason).toBe('INTERNAL');
    const body = errorBody(1, error);
    expect(body).not.toMatch(/SQLITE|mia|undefined|secret|at .*\.ts/);
  });
});
