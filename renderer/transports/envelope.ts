import { z } from 'zod';
import {
  COMMANDS,
  deskErrorSchema,
  deskEventSchema,
  type CommandName,
  type CommandOutput,
  type DeskEvent,
} from '../../relay/contract/desk-api.ts';
import { DeskCallError } from '../desk-client.ts';

const envelopeSchema = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), value: z.unknown() }),
  z.object({ ok: z.literal(false), error: deskErrorSchema }),
]);

/** The same table, typed so that the output of a command that is not known before is that command's own. */
const OUTPUTS: { readonly [C in CommandName]: { readonly output: z.ZodType<CommandOutput<C>> } } = COMMANDS;

/**
 * The value in an answer. Throws DeskCallError for an error, and with reason INTERNAL for an answer of another version
 * of the app: a window can outlive the process that served it.
 */
export function openEnvelope<C extends CommandName>(command: C, answer: unknown): CommandOutput<C> {
  const envelope = envelopeSchema.safeParse(answer).data;
  if (envelope === undefined) throw notUnderstood(command);
  if (!envelope.ok) throw new DeskCallError(envelope.error);
  const value = OUTPUTS[command].output.safeParse(envelope.value);
  if (!value.success) throw notUnderstood(command);
  return value.data;
}

/** A desk event, or `reload` in place of one that this window does not know. undefined when it is no event at all. */
export function readEvent(data: unknown): DeskEvent | undefined {
  const event = deskEventSchema.safeParse(data);
  if (event.success) return event.data;
  const seq = z.object({ seq: z.int() }).safeParse(data).data?.seq;
  return seq === undefined ? undefined : { seq, type: 'reload' };
}

function notUnderstood(command: CommandName): DeskCallError {
  return new DeskCallError({
    reason: 'INTERNAL',
    message: `The answer to ${command} is of another version of AgentRelay. Load this window again.`,
  });
}
