import type { CommandInput, WriteResult } from '../../relay/contract/desk-api.ts';
import { RelayError } from '../../relay/contract/reasons.ts';
import type { DeskConnection } from '../mcp/socket-client.ts';
import { ARTIFACT_FLAGS, readArtifacts } from './artifact-flags.ts';
import type { Command, Given, Outcome } from './command.ts';
import type { Flags, FlagTable } from './flags.ts';
import { MESSAGE_FLAG, optionalMessage, requiredMessage } from './message-flag.ts';
import { idToWriteTo, resolveTaskId } from './task-id.ts';
import { writeText } from './write-text.ts';

type Desk = Pick<DeskConnection, 'call'>;
type Step = CommandInput<'updateHandoff'>;

/** `agentrelay accept <id>` */
export const accept = step({
  summary: 'Take a handoff on',
  flags: { 'take-over': { help: 'Also when another session holds it' } },
  read: ({ flags }) => ({
    transition: flags.isOn('take-over') ? 'take_over' : 'accept',
    ...optionalBody(flags),
  }),
});

/** `agentrelay decline <id>` */
export const decline = step({
  summary: 'Refuse a handoff; -m says why',
  read: ({ flags }) => ({ transition: 'decline', ...optionalReason(flags) }),
});

/** `agentrelay ask <id>` */
export const ask = step({
  summary: 'Ask the sender something; the handoff waits for the answer',
  read: ({ flags }) => ({ transition: 'ask', body: requiredMessage(flags) }),
});

/** `agentrelay complete <id>` */
export const complete = step({
  summary: 'Say that it is done; -m sums up the result',
  read: ({ flags }) => ({ transition: 'complete', ...optionalBody(flags) }),
});

/** `agentrelay fail <id>` */
export const fail = step({
  summary: 'Say that it cannot be done; -m says why',
  read: ({ flags }) => ({ transition: 'fail', ...optionalReason(flags) }),
});

/** `agentrelay cancel <id>` */
export const cancel = step({
  summary: 'Take back a handoff that was sent; -m says why',
  read: ({ flags }) => ({ transition: 'cancel', ...optionalReason(flags) }),
});

/** `agentrelay reply <id>` */
export const reply: Command = {
  operands: ['id'],
  summary: 'Write on the thread of a handoff',
  flags: { ...MESSAGE_FLAG, ...ARTIFACT_FLAGS },
  prepare: async (given) => {
    const id = idToWriteTo(given.operands[0] ?? '');
    const body = requiredMessage(given.flags);
    const artifacts = await readArtifacts(given);
    return async (desk) => {
      const taskId = await resolveTaskId(desk, id);
      return outcome(desk, given, await desk.call('sendMessage', { ...given.as, task_id: taskId, body, ...artifacts }));
    };
  },
};

interface StepCommand {
  readonly summary: string;
  readonly flags?: FlagTable;
  readonly read: (given: Given) => Pick<Step, 'transition' | 'body' | 'reason'>;
}

function step({ summary, flags = {}, read }: StepCommand): Command {
  return {
    operands: ['id'],
    summary,
    flags: { ...flags, ...MESSAGE_FLAG, ...ARTIFACT_FLAGS },
    prepare: async (given) => {
      const id = idToWriteTo(given.operands[0] ?? '');
      const what = read(given);
      const artifacts = await readArtifacts(given);
      return async (desk) => {
        const taskId = await resolveTaskId(desk, id);
        const written = await desk.call('updateHandoff', { ...given.as, task_id: taskId, ...what, ...artifacts });
        return outcome(desk, given, written);
      };
    },
  };
}

function optionalBody(flags: Flags): Pick<Step, 'body'> {
  const body = optionalMessage(flags);
  return body === undefined ? {} : { body };
}

function optionalReason(flags: Flags): Pick<Step, 'reason'> {
  const reason = optionalMessage(flags);
  return reason === undefined ? {} : { reason };
}

/** The handoff as it is now, with what became of the write. That one is done, whether the handoff can be read or not. */
async function outcome(desk: Desk, { as }: Given, written: WriteResult): Promise<Outcome> {
  const text = writeText(written);
  if ('outbox_id' in written) return { json: written, text };
  try {
    const { item } = await desk.call('getThread', { ...as, task_id: written.task_id });
    return { json: { ...item.handoff, ...written }, text };
  } catch (error) {
    if (error instanceof RelayError) return { json: written, text };
    throw error;
  }
}
