import { RelayError } from '../../relay/contract/reasons.ts';
import { StartError, UsageError } from '../start-error.ts';

/** A command that failed for a reason of its own, not the desk's. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly reason: 'APP_NOT_RUNNING' | 'FILE_NOT_READABLE' | 'AMBIGUOUS_ID';

  constructor(reason: CommandError['reason'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

/** How a failure is told: to programs as `{error: {reason, message, hint}}`, to people as sentences. */
export interface Failure {
  readonly exitCode: 1 | 2 | 3;
  readonly reason: string;
  readonly message: string;
  /** What to do next; empty where the message has said it all. */
  readonly hint: string;
}

/** What to do about a reason. Where one is missing, the message itself says it. */
const HINTS: Readonly<Record<string, string>> = {
  APP_NOT_RUNNING: 'Start it ("npm start" in its checkout), or name its data folder with --home.',
  USAGE: 'See agentrelay --help.',
  AMBIGUOUS_ID: 'Give more of the id.',
  TASK_NOT_FOUND: 'See which handoffs there are: agentrelay inbox.',
  STATE_CHANGED: 'See where it stands: agentrelay show <id>.',
  INVALID_TRANSITION: 'See where it stands: agentrelay show <id>.',
  TRANSITION_NOT_ALLOWED: 'See who may do what: agentrelay show <id>.',
  HELD_BY_OTHER_SESSION: 'To take it from there: agentrelay accept <id> --take-over.',
  RELAY_UNREACHABLE: 'See how the app stands: agentrelay status.',
};

/** @param error whatever a command threw */
export function toFailure(error: unknown): Failure {
  const told = (exitCode: Failure['exitCode'], reason: string, message: string): Failure => ({
    exitCode,
    reason,
    message,
    hint: HINTS[reason] ?? '',
  });
  if (error instanceof UsageError) return told(2, 'USAGE', error.message);
  if (error instanceof CommandError) {
    return told(error.reason === 'APP_NOT_RUNNING' ? 3 : 1, error.reason, error.message);
  }
  if (error instanceof RelayError) return told(1, error.reason, error.message);
  const message = error instanceof Error ? error.message : String(error);
  return told(1, 'INTERNAL', error instanceof StartError ? message : `agentrelay failed: ${message}`);
}
