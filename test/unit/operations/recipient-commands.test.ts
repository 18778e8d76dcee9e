import { describe, expect, test } from 'vitest';
import type { Artifact, Message } from '../../../relay/contract/a2a.ts';
import type { HandoffState } from '../../../relay/contract/handoff.ts';
import { RelayError } from '../../../relay/contract/reasons.ts';
import type { Command } from '../../../relay/handoffs/command.ts';
import { blank } from '../../../relay/handoffs/evolve.ts';
import { commandsOf, type Step } from '../../../relay/operations/recipient-commands.ts';

const message: Message = { messageId: 'm', role: 'ROLE_AGENT', parts: [{ text: 'words' }] };
const artifact: Artifact = { artifactId: 'a', parts: [{ text: 'x' }] };
const base: Step = {
  party: 'recipient',
  author: 'cli',
  artifacts: [],
  append: false,
  lastChunk: true,
  replies: 'append',
};

function commands(state: HandoffState, step: Partial<Step>): readonly Command[] {
  const handoff = { ...blank({ id: 't', contextId: 'c', sender: 1, recipient: 2 }), version: 1, state };
  return commandsOf(handoff, { ...base, ...step });
}
const kinds = (list: readonly Command[]): readonly string[] =>
  list.map((command) => (command.type === 'transition' ? command.transition : command.type));

describe('the order of a step', () => {
  test.each<readonly [HandoffState, Partial<Step>, readonly string[]]>([
    ['accepted', { transition: 'complete', message, artifacts: [artifact] }, ['artifact', 'complete']],
    ['input_required', { transition: 'fail', artifacts: [artifact, artifact] }, ['artifact', 'artifact', 'fail']],
    ['pending', { transition: 'accept', artifacts: [artifact] }, ['accept', 'artifact']],
    ['accepted', { transition: 'take_over', artifacts: [artifact] }, ['take_over', 'artifact']],
    // the machine refuses it, before an artifact could have accepted it
    ['pending', { transition: 'complete', artifacts: [artifact] }, ['complete', 'artifact']],
    // whoever comes too late is told by what it is now, whatever came along
    ['cancelled', { transition: 'complete', artifacts: [artifact] }, ['complete', 'artifact']],
    ['accepted', { artifacts: [artifact] }, ['artifact']],
    ['accepted', { message }, ['message']],
    ['accepted', {}, []],
    ['pending', { message, replies: 'complete' }, ['accept', 'artifact', 'complete']],
    ['accepted', { message, kind: 'question' }, ['ask']],
    ['pending', { party: 'sender', message, kind: 'question' }, ['message']],
  ])('in %s, %j', (state, step, order) => {
    expect(kinds(commands(state, step))).toEqual(order);
  });

  test('carries everything that was said', () => {
    expect(commands('accepted', { transition: 'fail', reason: 'no disk', sessionId: 's', message })).toEqual([
      {
        type: 'transition',
        actor: 'recipient',
        author: 'cli',
        transition: 'fail',
        reason: 'no disk',
        sessionId: 's',
        message,
      },
    ]);
    expect(commands('accepted', { artifacts: [artifact], append: true, lastChunk: false })).toEqual([
      { type: 'artifact', actor: 'recipient', author: 'cli', artifact, append: true, lastChunk: false },
    ]);
    expect(commands('accepted', { message, sessionId: 's', artifacts: [artifact] })).toMatchObject([
      { type: 'artifact', sessionId: 's' },
      { type: 'message', sessionId: 's' },
    ]);
  });

  test('says nothing of a sender’s session', () => {
    expect(commands('accepted', { party: 'sender', message, sessionId: 's' })).toEqual([
      { type: 'message', actor: 'sender', author: 'cli', message },
    ]);
  });
});

test.each<readonly [Partial<Step>, string]>([
  [{ transition: 'reply_only' }, 'message'],
  [{ transition: 'reply_only', message, artifacts: [artifact] }, 'artifacts'],
])('%j is refused, and the field is named', (step, field) => {
  try {
    commands('pending', step);
    expect.fail('it was taken');
  } catch (error) {
    expect(error).toBeInstanceOf(RelayError);
    expect(error).toMatchObject({ reason: 'INVALID_PARAMS', violations: [{ field }] });
  }
});
