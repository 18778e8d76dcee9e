import { RelayError, type FieldViolation } from '../../relay/contract/reasons.ts';
import { StartError, UsageError } from '../start-error.ts';

/** A command that failed for a reason of its own, not the desk's. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly reason: 'APP_NOT_RUNNING' | 'FILE_NOT_READABLE' | 'FILE_NOT_WRITABLE' | 'RELAY_NOT_REACHED' | 'AMBIGUOUS_ID';

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
  FILE_NOT_READABLE: 'Give a text file in UTF-8, or - for stdin.',
  FILE_NOT_WRITABLE: 'Name a new file in a folder of yours.',
  RELAY_NOT_REACHED: 'Check its address, and whether it runs there.',
  AMBIGUOUS_ID: 'Give more of the id.',
  TASK_NOT_FOUND: 'See which handoffs there are: agentrelay inbox.',
  RECIPIENT_NOT_FOUND: 'Make an agent of that name: agentrelay register <handle>.',
  STATE_CHANGED: 'See where it stands: agentrelay show <id>.',
  INVALID_TRANSITION: 'See where it stands: agentrelay show <id>.',
  TRANSITION_NOT_ALLOWED: 'See who may do what: agentrelay show <id>.',
  HELD_BY_OTHER_SESSION: 'To take it from there: agentrelay accept <id> --take-over.',
  OUTBOX_ITEM_NOT_FOUND: 'See what waits: agentrelay outbox.',
  TRUST_UNUSABLE: 'See all that is wrong with it: agentrelay trust list.',
  RELAY_UNREACHABLE: 'See how the app stands: agentrelay status.',
};

/** What the relay says of a key and its tasks, in the words of someone who gave an id. */
const MESSAGES: Readonly<Record<string, string>> = {
  TASK_NOT_FOUND: 'None of your handoffs has this id.',
};

/** How the fields of the desk's commands are called here. Of a list, each entry is called like the list. */
const FIELDS: Readonly<Record<string, string>> = {
  as: '--as',
  to: 'The recipient',
  recipient: 'The recipient',
  handle: 'The handle',
  task_id: 'The id',
  body: 'The message (-m)',
  reason: 'The reason (-m)',
  id: 'The id',
  link: 'The link',
  alias: '--alias',
  'grants.auto_write_paths': '--write',
  'grants.require_approval': '--approve',
  cursor: '--cursor',
  from: '--from',
  name: '--name',
  description: '--description',
  role: '--role',
  skills: '--skill',
  repos: '--repo',
  'proposed_action.description': '--action',
  'proposed_action.rationale': '--rationale',
  'proposed_action.target_files': '--target',
  'proposed_action.suggested_diff': '--suggested-diff',
};

/**
 * @param error whatever a command threw
 * @param command its name, as far as one was given
 */
export function toFailure(error: unknown, command?: string): Failure {
  const told = (exitCode: Failure['exitCode'], reason: string, message: string): Failure => ({
    exitCode,
    reason,
    message,
    hint:
      reason === 'USAGE'
        ? `See agentrelay ${command === undefined ? '' : `${command} `}--help.`
        : (HINTS[reason] ?? ''),
  });
  if (error instanceof UsageError) return told(2, 'USAGE', error.message);
  if (error instanceof CommandError) {
    return told(error.reason === 'APP_NOT_RUNNING' ? 3 : 1, error.reason, error.message);
  }
  if (error instanceof RelayError) return told(1, error.reason, MESSAGES[error.reason] ?? sentences(error));
  const message = error instanceof Error ? error.message : String(error);
  return told(1, 'INTERNAL', error instanceof StartError ? message : `agentrelay failed: ${message}`);
}

/** What is wrong with each field, by the name that it has here; without fields, the error's own sentence. */
function sentences({ reason, message, violations }: RelayError): string {
  return reason === 'INVALID_PARAMS' && violations.length > 0 ? violations.map(sentence).join(' ') : message;
}

function sentence({ field, description }: FieldViolation): string {
  // "is the sender." goes on from the name of the field; "A handle is …" is a sentence already
  if (field === '' || /^[A-Z]/.test(description)) return description;
  return `${FIELDS[field.replace(/\[\d+\]$/, '')] ?? field} ${description}`;
}
