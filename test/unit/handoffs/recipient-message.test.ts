import { describe, expect, test } from 'vitest';
import type { MessageKind } from '../../../relay/contract/handoff.ts';
import { carryOut } from '../../../relay/handoffs/carry-out.ts';
import { projectTask } from '../../../relay/handoffs/project.ts';
import { readRecipientMessage, REPLY_ARTIFACT_ID } from '../../../relay/handoffs/recipient-message.ts';
import { commandsOf, handoffIn, message, step, thread } from '../../support/threads.ts';

// Which events each kind leads to in which state is in machine.test.ts.

const HANDLES = { sender: 'alice@acme', recipient: 'ext-bot@acme' };

describe('a plain A2A agent that answers a task', () => {
  const answered = thread({ kind: 'message', replies: 'complete', text: 'fixed' });

  test('has accepted and completed it, with the message as the artifact "reply"', () => {
    const task = projectTask(answered.handoff, answered.events, HANDLES, 'sender', { includeArtifacts: true });
    expect(task).toMatchObject({
      status: { state: 'TASK_STATE_COMPLETED' },
      artifacts: [{ artifactId: REPLY_ARTIFACT_ID, name: 'reply', parts: [{ text: 'fixed' }] }],
      history: [{ role: 'ROLE_USER' }],
    });
    expect(task.status).not.toHaveProperty('message');
  });

  test('loses nothing of what it said', () => {
    const said = message('fixed', { metadata: { cost: 3 }, extensions: ['urn:x'] });
    const commands = readRecipientMessage(handoffIn('accepted'), 'complete', {
      kind: 'message',
      message: said,
      author: 'a2a',
    });
    expect(commands[0]).toMatchObject({
      artifact: { parts: said.parts, metadata: { cost: 3 }, extensions: ['urn:x'] },
    });
  });

  test('ends with the whole reply, whatever it had sent of it before', () => {
    const draft = { artifactId: REPLY_ARTIFACT_ID, parts: [{ text: 'fi' }] };
    const { handoff, events } = thread(
      step('accept'),
      { type: 'artifact', actor: 'recipient', author: 'a2a', artifact: draft, append: true, lastChunk: false },
      { kind: 'message', replies: 'complete', text: 'fixed' },
    );
    expect(projectTask(handoff, events, HANDLES, 'sender', { includeArtifacts: true }).artifacts).toMatchObject([
      { artifactId: REPLY_ARTIFACT_ID, parts: [{ text: 'fixed' }] },
    ]);
  });
});

describe('words that imply an acceptance', () => {
  test.each(['question', 'information'] as const)('%s: come with it, as its message', (kind) => {
    const { events } = carryOut(
      handoffIn('pending'),
      commandsOf(handoffIn('pending'), { kind, replies: 'append', text: 'hm' }),
      9_000,
    );
    expect(events).toMatchObject([{ kind: 'status', message: message('hm') }]);
  });

  test.each(['question', 'information'] as const)('%s: give it to the session that says them', (kind) => {
    const { handoff } = thread({ kind, replies: 'append', text: 'hm', sessionId: 's1' });
    expect(handoff.sessionId).toBe('s1');
  });

  test('leave the handoff with the session that holds it', () => {
    const asked = thread(step('accept', { sessionId: 's1' }), step('ask')).handoff;
    const { handoff } = carryOut(
      asked,
      commandsOf(asked, { kind: 'information', replies: 'complete', text: 'found it' }),
      9_000,
    );
    expect(handoff).toMatchObject({ state: 'accepted', sessionId: 's1' });
  });
});

test.each(['message', 'question', 'information'] satisfies MessageKind[])(
  'a %s is written by whom the relay says, in the name of the recipient',
  (kind) => {
    const said = { kind, message: message('hm'), author: 'codex' } as const;
    for (const command of readRecipientMessage(handoffIn('pending'), 'complete', said)) {
      expect(command).toMatchObject({ actor: 'recipient', author: 'codex' });
      expect(command).not.toHaveProperty('sessionId');
    }
    for (const command of readRecipientMessage(handoffIn('pending'), 'complete', { ...said, sessionId: 's1' })) {
      expect(command).toMatchObject({ actor: 'recipient', author: 'codex', sessionId: 's1' });
    }
  },
);
