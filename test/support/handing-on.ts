import type { Task } from '../../relay/contract/a2a.ts';
import { EXTENSION_URI, handoffViewSchema, type Author, type HandoffView } from '../../relay/contract/handoff.ts';
import type { JsonObject } from '../../relay/contract/json.ts';
import type { A2aClient } from './a2a-client.ts';

export interface HandOn {
  /** What it follows from. */
  readonly follows?: readonly string[];
  readonly author?: Author;
  readonly messageId?: string;
}

let count = 0;

/** The params of a SendMessage that hands work to another agent. */
export function handOn(to: A2aClient, { follows, author, messageId }: HandOn = {}): JsonObject {
  return {
    message: {
      messageId: messageId ?? `handed on ${++count}`,
      role: 'ROLE_USER',
      parts: [{ text: 'Look into the limiter' }],
      ...(follows && { referenceTaskIds: [...follows] }),
      metadata: { [EXTENSION_URI]: { recipient: to.handle, ...(author && { author }) } },
    },
    configuration: { returnImmediately: true },
  };
}

/** Hands work on; a task has to come of it. */
export async function handedOn(from: A2aClient, to: A2aClient, how?: HandOn): Promise<Task> {
  const answer = await from.call('SendMessage', handOn(to, how));
  if (!('task' in answer)) throw new Error('a message, where a task was expected');
  return answer.task;
}

/** What the relay says of a task to one of its two agents. */
export function viewOf(task: Pick<Task, 'metadata'>): HandoffView {
  return handoffViewSchema.parse(task.metadata?.[EXTENSION_URI]);
}
