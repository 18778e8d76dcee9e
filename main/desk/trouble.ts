import { assertNever } from '../../relay/contract/assert-never.ts';
import { RelayError } from '../../relay/contract/reasons.ts';

/** Why a relay could not be reached, or stopped being reachable. */
export type Trouble =
  | { readonly kind: 'refused' | 'unknown_host' | 'timed_out' | 'dropped' | 'silent' }
  /** It answered, and not as hoped: with an HTTP status, or with a reason of relay/contract/reasons.ts. */
  | { readonly kind: 'answered'; readonly with: string }
  /** It answered, but not as a relay does. */
  | { readonly kind: 'unreadable' }
  /** Another desk reads this account's stream. */
  | { readonly kind: 'in_use' }
  /** The key is not, or no longer, known there. */
  | { readonly kind: 'revoked' }
  /** Who answers there has not shown that it is the relay of the account. */
  | { readonly kind: 'not_proven' }
  /** Our own mistake; the log has it. */
  | { readonly kind: 'fault' };

/** The connection to a relay failed: whether the request arrived is unknown. */
export class ConnectionError extends Error {
  readonly trouble: Trouble;

  constructor(trouble: Trouble, cause?: unknown) {
    super(`connection to the relay: ${describeTrouble(trouble)}`, { cause });
    this.name = 'ConnectionError';
    this.trouble = trouble;
  }
}

/** A few words, to follow "offline: ". */
export function describeTrouble(trouble: Trouble): string {
  switch (trouble.kind) {
    case 'refused':
      return 'refused';
    case 'unknown_host':
      return 'host not found';
    case 'timed_out':
      return 'timed out';
    case 'dropped':
      return 'connection lost';
    case 'silent':
      return 'no sign of life';
    case 'answered':
      return `answered with ${trouble.with}`;
    case 'unreadable':
      return 'unreadable answer';
    case 'in_use':
      return 'in use by another desk';
    case 'revoked':
      return 'key not accepted';
    case 'not_proven':
      return 'another relay answers at its address';
    case 'fault':
      return 'internal fault, see the log';
    default:
      return assertNever(trouble);
  }
}

/** What an error says about the connection: one of ours, or one of `fetch` and of reading its body. */
export function troubleOf(error: unknown): Trouble {
  if (error instanceof ConnectionError) return error.trouble;
  if (error instanceof RelayError) {
    return error.reason === 'UNAUTHENTICATED' ? { kind: 'revoked' } : { kind: 'answered', with: error.reason };
  }
  for (const each of causes(error)) {
    const kind = KIND_BY_NAME[each.name] ?? ('code' in each ? KIND_BY_CODE[String(each.code)] : undefined);
    if (kind !== undefined) return { kind };
  }
  return { kind: 'fault' };
}

type NetworkKind = 'refused' | 'unknown_host' | 'timed_out' | 'dropped' | 'unreadable';
const KIND_BY_NAME: Readonly<Record<string, NetworkKind>> = {
  TimeoutError: 'timed_out',
  HTTPParserError: 'unreadable',
};
const KIND_BY_CODE: Readonly<Record<string, NetworkKind>> = {
  ECONNREFUSED: 'refused',
  ENOTFOUND: 'unknown_host',
  EAI_AGAIN: 'unknown_host',
  ETIMEDOUT: 'timed_out',
  UND_ERR_CONNECT_TIMEOUT: 'timed_out',
  UND_ERR_HEADERS_TIMEOUT: 'timed_out',
  UND_ERR_BODY_TIMEOUT: 'timed_out',
  UND_ERR_SOCKET: 'dropped',
  ECONNRESET: 'dropped',
  EPIPE: 'dropped',
};

/** The error, what caused it, and, where several addresses were tried, the error of each. */
function* causes(error: unknown): Generator<Error> {
  if (!(error instanceof Error)) return;
  yield error;
  yield* causes(error.cause);
  if (error instanceof AggregateError) for (const each of error.errors) yield* causes(each);
}
