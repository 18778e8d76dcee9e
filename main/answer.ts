import type { Logger } from 'pino';
import {
  isCommandName,
  type CommandInput,
  type CommandName,
  type DeskApi,
  type DeskError,
  type Envelope,
  type Surface,
} from '../relay/contract/desk-api.ts';
import { visibleText } from '../relay/contract/plain-text.ts';
import { RelayError, type FieldViolation } from '../relay/contract/reasons.ts';

/**
 * Carries out what came through a door (the socket, HTTP, IPC), and puts whatever comes of it into an envelope. Never
 * rejects.
 *
 * @param command from outside; METHOD_NOT_FOUND when there is no such one
 * @param input from outside; the desk checks it
 * @param surface which door it was
 */
export async function answer(
  desk: Pick<DeskApi, 'call'>,
  command: string,
  input: unknown,
  surface: Surface,
  logger: Logger,
): Promise<Envelope<unknown>> {
  if (!isCommandName(command)) return refusal('METHOD_NOT_FOUND', `There is no command "${command}".`);
  try {
    // no claim about what came from outside: the desk checks every input, and says which fields are wrong
    return { ok: true, value: await desk.call(command, input as CommandInput<CommandName>, surface) };
  } catch (error) {
    if (error instanceof RelayError) return refusal(error.reason, error.message, error.violations);
    logger.error({ err: error, command }, 'a command failed');
    return refusal('INTERNAL', `AgentRelay failed at ${command}. Its log file says why.`);
  }
}

/**
 * What takes the place of an answer that cannot be written down as JSON.
 * @param error what the attempt threw
 */
export function unsendable(command: string, error: unknown, logger: Logger): { ok: false; error: DeskError } {
  logger.error({ err: error, command }, 'an answer could not be written down');
  // V8: a string has at most 512 MB
  return error instanceof RangeError
    ? refusal('PAYLOAD_TOO_LARGE', `The answer to ${command} is too large to be sent. Ask for less at once.`)
    : refusal('INTERNAL', `AgentRelay failed at ${command}. Its log file says why.`);
}

/** An envelope that says no. */
export function refusal(
  reason: DeskError['reason'],
  message: string,
  violations: readonly FieldViolation[] = [],
): { ok: false; error: DeskError } {
  return {
    ok: false,
    error: {
      reason,
      message: visibleText(message),
      ...(violations.length === 0 ? {} : { violations: [...violations] }),
    },
  };
}
