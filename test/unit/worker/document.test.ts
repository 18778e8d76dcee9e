import { describe, expect, test } from 'vitest';
import { workSchema } from '../../../main/worker/document.ts';
import { artifactPart } from '../../../relay/contract/artifact.ts';
import { EXTENSION_URI } from '../../../relay/contract/handoff.ts';
import type { Command } from '../../../relay/handoffs/command.ts';
import { projectTask } from '../../../relay/handoffs/project.ts';
import { encodeAnswer03 } from '../../../relay/wire/a2a-0.3/encode.ts';
import { create, message, says, step, thread } from '../../support/threads.ts';

const LINK = { type: 'link', url: 'https://a.example' } as const;
const ACTION = { description: 'Move it', target_files: ['a.ts'], rationale: 'Twice' };

/** What a relay answers with for a thread, as it goes over the wire. */
function answer(...steps: readonly Command[]) {
  const { handoff, events } = thread(...steps);
  const handles = { sender: 'alice@acme', recipient: 'frank@acme' };
  const task = projectTask(handoff, events, handles, 'recipient', { includeArtifacts: true });
  const wire = { task: encodeAnswer03({ kind: 'task', task }), lease: 3, attempt: 2, attempts: 5, lease_ms: 29_990 };
  return JSON.parse(JSON.stringify(wire)) as Record<string, unknown>;
}

function documentOf(...steps: readonly Command[]): Record<string, unknown> {
  return JSON.parse(workSchema.parse(answer(...steps)).document) as Record<string, unknown>;
}

describe('what a command gets', () => {
  test('says who wants what', () => {
    const first = message('Look at this', {
      parts: [{ text: 'Look at this' }, artifactPart(LINK), { text: 'please' }],
    });
    expect(documentOf(create({ message: first, summary: 'Look at this' }), step('accept'))).toMatchObject({
      task_id: 'task-1',
      sender: 'alice@acme',
      recipient: 'frank@acme',
      summary: 'Look at this',
      text: 'Look at this\nplease',
      artifacts: [LINK],
      messages: [{ from: 'sender', text: 'Look at this\nplease', artifacts: [LINK] }],
      attempt: 2,
      attempts: 5,
      task: { kind: 'task', id: 'task-1', status: { state: 'working' } },
    });
  });

  test('has the whole conversation, with the question that the sender answered', () => {
    const { text, messages } = documentOf(
      create(),
      step('accept'),
      step('ask', { message: message('which commas?') }),
      says('sender', 'all of them'),
    );
    expect(text).toBe('the parser drops commas');
    expect(messages).toEqual([
      { from: 'sender', text: 'the parser drops commas', artifacts: [] },
      { from: 'recipient', text: 'which commas?', artifacts: [] },
      { from: 'sender', text: 'all of them', artifacts: [] },
    ]);
  });

  test('has the last words of the recipient too, which A2A keeps apart', () => {
    expect(documentOf(create(), step('accept'), says('recipient', 'nearly'))['messages']).toMatchObject([
      { from: 'sender' },
      { from: 'recipient', text: 'nearly' },
    ]);
  });

  test('says what is proposed, where something is', () => {
    const proposal = create({ intent: 'propose_action', proposedAction: ACTION });
    expect(documentOf(proposal, step('accept'))).toMatchObject({ intent: 'propose_action', proposed_action: ACTION });
    expect(documentOf(create(), step('accept'))).not.toHaveProperty('proposed_action');
  });

  test('is one line', () => {
    const { document } = workSchema.parse(answer(create({ message: message('two\nlines') })));
    expect(document.indexOf('\n')).toBe(document.length - 1);
  });
});

test('what a worker needs to know is read apart from it', () => {
  const { view, document: _document, ...terms } = workSchema.parse(answer(create(), step('accept')));
  expect(terms).toEqual({ lease: 3, attempt: 2, attempts: 5, leaseMs: 29_990 });
  expect(view).toMatchObject({ task_id: 'task-1', sender: 'alice@acme', state: 'accepted' });
});

test('an answer without our metadata is none', () => {
  const { task, ...rest } = answer(create());
  const bare = { ...rest, task: { ...(task as object), metadata: { [EXTENSION_URI]: {} } } };
  expect(workSchema.safeParse(bare).success).toBe(false);
  expect(workSchema.safeParse({ ...rest, task }).success).toBe(true);
});
