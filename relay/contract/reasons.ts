import { visibleText } from './plain-text.ts';

/**
 * Every reason for which something is refused, by its stable name. What it means for a caller's code (JSON-RPC code,
 * HTTP status) is in relay/wire/errors.ts; what to do about it travels with the error as its message.
 */
export const REASONS = [
  // A2A's own (A2A 1.0.1 section 5.4)
  'TASK_NOT_FOUND',
  'TASK_NOT_CANCELABLE',
  'UNSUPPORTED_OPERATION',
  'CONTENT_TYPE_NOT_SUPPORTED',
  'EXTENSION_SUPPORT_REQUIRED',
  'VERSION_NOT_SUPPORTED',
  // JSON-RPC's own
  'PARSE_ERROR',
  'INVALID_REQUEST',
  'METHOD_NOT_FOUND',
  'INVALID_PARAMS',
  'INTERNAL',
  // HTTP
  'UNAUTHENTICATED',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'HOST_NOT_ALLOWED',
  'ROUTE_NOT_FOUND',
  'METHOD_NOT_ALLOWED',
  'HEADERS_TOO_LARGE',
  'REQUEST_TIMEOUT',
  'ORIGIN_NOT_ALLOWED',
  'RATE_LIMITED',
  // ours
  'RECIPIENT_REQUIRED',
  'RECIPIENT_NOT_FOUND',
  'CONTACT_REQUESTED',
  'CONTACT_DECLINED',
  'CONTACT_REQUIRED',
  'IDEMPOTENCY_CONFLICT',
  'STATE_CHANGED',
  'INVALID_TRANSITION',
  'TRANSITION_NOT_ALLOWED',
  'HELD_BY_OTHER_SESSION',
  'LEASE_LOST',
  'THREAD_TOO_LARGE',
  'LOOP_STOPPED',
  'HANDLE_TAKEN',
  'REGISTRATION_CLOSED',
  'INVITE_INVALID',
  'INVITE_GONE',
  'SCOPE_REQUIRED',
  'ACCOUNT_IN_USE',
  // a desk's
  'HELD_BY_TRUST',
  'HUMAN_REQUIRED',
  'TRUST_UNUSABLE',
  'ALIAS_NEEDED',
  'RELAY_NOT_PROVEN',
  'OUTBOX_ITEM_NOT_FOUND',
  'OUTBOX_FULL',
  'RELAY_UNREACHABLE',
  'STORAGE_FAILED',
  'SHUTTING_DOWN',
] as const;
export type Reason = (typeof REASONS)[number];

/** One field that is wrong, and how (google.rpc.BadRequest). `field` is a path such as `message.parts[0].text`. */
export interface FieldViolation {
  readonly field: string;
  readonly description: string;
}

/** An error that a caller can act on. Everything else that is thrown is a fault of ours and becomes INTERNAL. */
export class RelayError extends Error {
  readonly reason: Reason;
  /** Values are strings, as google.rpc.ErrorInfo wants them. What hides in them is made visible, as in all of an error. */
  readonly metadata: Readonly<Record<string, string>>;
  readonly violations: readonly FieldViolation[];
  /** Whole seconds after which the same request may succeed, where that is known. */
  readonly retryAfterS: number | undefined;

  /**
   * @param reason the stable name
   * @param message one sentence that says what is wrong and what to do
   */
  constructor(
    reason: Reason,
    message: string,
    extra: {
      metadata?: Readonly<Record<string, string>>;
      violations?: readonly FieldViolation[];
      retryAfterS?: number;
    } = {},
  ) {
    // it may quote what a caller sent, and is read in terminals and logs
    super(visibleText(message));
    this.name = 'RelayError';
    this.reason = reason;
    this.metadata = Object.fromEntries(
      Object.entries(extra.metadata ?? {}).map(([name, value]) => [name, visibleText(value)]),
    );
    this.violations = (extra.violations ?? []).map(({ field, description }) => ({
      field: visibleText(field),
      description: visibleText(description),
    }));
    this.retryAfterS = extra.retryAfterS;
  }
}

/** INVALID_PARAMS for one field. */
export function invalidParams(field: string, description: string): RelayError {
  return new RelayError('INVALID_PARAMS', `${field}: ${description}`, { violations: [{ field, description }] });
}
