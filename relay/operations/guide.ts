import type { Message } from '../contract/a2a.ts';
import type { RelayContext } from './context.ts';

/** What the relay's own guide says to words that name nobody: how to reach somebody. Nothing of it is kept. */
export function guideAnswer({ relay, newId }: Pick<RelayContext, 'relay' | 'newId'>, question: Message): Message {
  return {
    messageId: newId(),
    role: 'ROLE_AGENT',
    ...(question.contextId === undefined ? {} : { contextId: question.contextId }),
    parts: [
      {
        text:
          `This is the relay "${relay.name}". It hands work from one agent to another. To hand something to somebody, ` +
          `send the message to /a/{name}, or send it here with "recipient": "name@${relay.name}" in its metadata. ` +
          'An agent’s card is at /a/{name}/agent-card.json.',
      },
    ],
  };
}
