import { describe, expect, test } from 'vitest';
import type { StreamResponse } from '../../../relay/contract/a2a.ts';
import { EXTENSION_URI, type Party } from '../../../relay/contract/handoff.ts';
import type { Command } from '../../../relay/handoffs/command.ts';
import { projectUpdate } from '../../../relay/handoffs/project.ts';
import { artifact, create, message, receipt, says, step, thread } from '../../support/threads.ts';

/** The frame that the last event of a thread makes for a party. */
function frameOf(viewer: Party, steps: readonly Command[]): StreamResponse | undefined {
  const { handoff, events } = thread(...steps);
  const last = events.at(-1);
  return last && projectUpdate(handoff, last, viewer);
}

/** A frame in short: its state and the text that comes with it. */
function brief(frame: StreamResponse | undefined): string {
  if (frame === undefined) return 'nothing';
  if ('artifactUpdate' in frame) return 'artifactUpdate';
  if (!('statusUpdate' in frame)) return 'another frame';
  const { state, message: said } = frame.statusUpdate.status;
  const [part] = said?.parts ?? [];
  const text = part !== undefined && 'text' in part ? ` "${part.text}"` : '';
  return state.replace('TASK_STATE_', '') + text;
}

const ASKED = [step('accept'), step('ask', { message: message('which?') })];

describe.each([
  ['the first message', [create()], 'nothing', 'nothing'],
  ['a receipt of the recipient', [receipt('recipient', 'surfaced', 1)], 'nothing', 'nothing'],
  ['a receipt of the sender', [step('accept'), receipt('sender', 'acked', 2)], 'nothing', 'nothing'],
  ['a message of the sender', [says('sender', 'and?')], 'nothing', 'SUBMITTED "and?"'],
  ['a message of the sender in work', [step('accept'), says('sender', 'and?')], 'nothing', 'WORKING "and?"'],
  ['a message of the recipient', [says('recipient', 'later')], 'SUBMITTED "later"', 'nothing'],
  ['an answer', [...ASKED, says('sender', 'both')], 'WORKING', 'WORKING "both"'],
  ['an acceptance', [step('accept')], 'WORKING', 'WORKING'],
  ['a question', ASKED, 'INPUT_REQUIRED "which?"', 'INPUT_REQUIRED'],
  ['a refusal with a reason', [step('decline', { reason: 'busy' })], 'REJECTED "busy"', 'REJECTED'],
  ['a result', [step('accept'), step('complete', { message: message('ok') })], 'COMPLETED "ok"', 'COMPLETED'],
  ['an answer without a task', [step('reply_only', { message: message('42') })], 'COMPLETED "42"', 'COMPLETED'],
  ['a failure', [step('accept'), step('fail', { reason: 'no disk' })], 'FAILED "no disk"', 'FAILED'],
  ['a cancel', [step('cancel', { reason: 'never mind' })], 'CANCELED', 'CANCELED "never mind"'],
  ['a change of session', [step('accept'), step('take_over', { sessionId: 's2' })], 'WORKING', 'WORKING'],
  ['giving up', [step('accept'), step('give_up', { reason: 'lost' })], 'FAILED "lost"', 'FAILED "lost"'],
  ['an artifact', [step('accept'), artifact()], 'artifactUpdate', 'nothing'],
] as const)('%s', (_what, steps, toSender, toRecipient) => {
  test(`is ${toSender} to the sender`, () => expect(brief(frameOf('sender', steps))).toBe(toSender));
  test(`is ${toRecipient} to the recipient`, () => expect(brief(frameOf('recipient', steps))).toBe(toRecipient));
});

test('a status update is complete', () => {
  expect(frameOf('sender', [step('decline', { reason: 'busy', sessionId: 's1' })])).toStrictEqual({
    statusUpdate: {
      taskId: 'task-1',
      contextId: 'context-1',
      status: {
        state: 'TASK_STATE_REJECTED',
        message: {
          messageId: 'task-1-2',
          contextId: 'context-1',
          taskId: 'task-1',
          role: 'ROLE_AGENT',
          parts: [{ text: 'busy' }],
          metadata: { [EXTENSION_URI]: { author: 'codex', version: 2 } },
        },
        timestamp: '1970-01-01T00:00:02.000Z',
      },
      metadata: { [EXTENSION_URI]: { version: 2, state: 'declined', author: 'codex' } },
    },
  });
});

test('an artifact update says whether it goes on, and is no copy of the whole', () => {
  const steps = [artifact({}, { lastChunk: false }), artifact({ parts: [{ text: '2' }] }, { append: true })];
  expect(frameOf('sender', steps)).toStrictEqual({
    artifactUpdate: {
      taskId: 'task-1',
      contextId: 'context-1',
      artifact: { artifactId: 'a', parts: [{ text: '2' }] },
      append: true,
      lastChunk: true,
      metadata: { [EXTENSION_URI]: { version: 4, state: 'accepted', author: 'codex' } },
    },
  });
});

test('no frame for the sender names a session', () => {
  const steps = [step('accept', { sessionId: 's1' }), step('take_over', { sessionId: 's2' })];
  for (const until of steps.keys()) {
    expect(JSON.stringify(frameOf('sender', steps.slice(0, until + 1)))).not.toMatch(/s1|s2|session/);
  }
});
