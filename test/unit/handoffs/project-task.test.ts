import { describe, expect, test } from 'vitest';
import type { Task } from '../../../relay/contract/a2a.ts';
import { EXTENSION_URI, handoffViewSchema, type ThreadEvent } from '../../../relay/contract/handoff.ts';
import { replay } from '../../../relay/handoffs/evolve.ts';
import { mergeArtifacts, projectTask, taskState } from '../../../relay/handoffs/project.ts';
import {
  artifact,
  create,
  handoffIn,
  message,
  PARTIES,
  receipt,
  says,
  step,
  thread,
  type RecipientSays,
} from '../../support/threads.ts';
import type { Command } from '../../../relay/handoffs/command.ts';

const HANDLES = { sender: 'alice@acme', recipient: 'frank@acme' };
const ALL = { includeArtifacts: true };

function taskOf(...steps: readonly (Command | RecipientSays)[]): Task {
  const { handoff, events } = thread(...steps);
  return projectTask(handoff, events, HANDLES, 'sender', ALL);
}

function historyTexts({ history = [] }: Task): readonly string[] {
  return history.flatMap(({ parts }) => parts.map((part) => ('text' in part ? part.text : '')));
}

function statusText({ status }: Task): string | undefined {
  const part = status.message?.parts[0];
  return part !== undefined && 'text' in part ? part.text : undefined;
}

/** A thread with everything in it that may or may not leave a message behind. */
const BUSY = thread(
  receipt('recipient', 'surfaced', 1),
  says('recipient', 'looking'),
  says('recipient', 'still looking'),
  says('sender', 'thanks'),
  step('accept', { sessionId: 's1' }),
  step('ask', { message: message('which commas?'), sessionId: 's1' }),
  says('sender', 'all of them'),
  artifact({}, { lastChunk: false }),
  says('recipient', 'half way'),
  artifact({ parts: [{ text: ', and done' }] }, { append: true }),
  step('complete', { message: message('fixed') }),
  receipt('sender', 'acked', 99),
);

describe('the state', () => {
  test.each([
    ['pending', 'TASK_STATE_SUBMITTED'],
    ['accepted', 'TASK_STATE_WORKING'],
    ['input_required', 'TASK_STATE_INPUT_REQUIRED'],
    ['completed', 'TASK_STATE_COMPLETED'],
    ['failed', 'TASK_STATE_FAILED'],
    ['declined', 'TASK_STATE_REJECTED'],
    ['cancelled', 'TASK_STATE_CANCELED'],
  ] as const)('%s is %s', (state, expected) => {
    expect(taskState(state)).toBe(expected);
    expect(projectTask(handoffIn(state), [], HANDLES, 'sender', ALL).status.state).toBe(expected);
  });

  test('has the time at which it came about', () => {
    expect(taskOf(step('accept'), says('sender', 'and?')).status.timestamp).toBe('1970-01-01T00:00:02.000Z');
  });
});

describe('messages', () => {
  test('are each shown exactly once, wherever the thread is looked at', () => {
    for (const seen of BUSY.events.keys()) {
      const events = BUSY.events.slice(0, seen + 1);
      const task = projectTask(replay(PARTIES, events), events, HANDLES, 'sender', ALL);
      const shown = [...historyTexts(task), ...(statusText(task) === undefined ? [] : [statusText(task)])];
      expect(shown).toEqual(events.flatMap(textsOf));
    }
  });

  test('of the recipient are the status until something supersedes them', () => {
    const asked = [step('accept'), step('ask', { message: message('which?') })];
    expect(statusText(taskOf(...asked))).toBe('which?');
    expect(historyTexts(taskOf(...asked))).not.toContain('which?');
    const answered = taskOf(...asked, says('sender', 'both'));
    expect(answered.status).not.toHaveProperty('message');
    expect(historyTexts(answered)).toEqual(['the parser drops commas', 'which?', 'both']);
  });

  test('are superseded by a step without words, too', () => {
    const task = taskOf(step('accept', { message: message('on it') }), step('complete'));
    expect(task.status).not.toHaveProperty('message');
    expect(historyTexts(task)).toEqual(['the parser drops commas', 'on it']);
  });

  test('are superseded neither by artifacts nor by receipts', () => {
    const task = taskOf(step('accept', { message: message('on it') }), artifact(), receipt('sender', 'acked', 99));
    expect(statusText(task)).toBe('on it');
  });

  test('of the sender never are the status', () => {
    const task = taskOf(step('cancel', { message: message('never mind') }));
    expect(task.status).not.toHaveProperty('message');
    expect(historyTexts(task)).toEqual(['the parser drops commas', 'never mind']);
  });

  test('are made of a reason where nothing else was said', () => {
    const task = taskOf(step('decline', { reason: 'no time this week' }));
    expect(task.status.message).toMatchObject({
      messageId: 'task-1-2',
      role: 'ROLE_AGENT',
      parts: [{ text: 'no time this week' }],
    });
    expect(statusText(taskOf(step('decline', { reason: 'busy', message: message('sorry') })))).toBe('sorry');
  });

  test('carry the ids of the task, the role of who wrote them, and who that was', () => {
    const odd = message('hm', {
      role: 'ROLE_AGENT',
      taskId: 'another',
      contextId: 'elsewhere',
      extensions: ['urn:x'],
      referenceTaskIds: ['task-0'],
      metadata: { theirs: [1], [EXTENSION_URI]: { kind: 'information', author: 'human', version: 77 } },
    });
    expect(taskOf(create({ message: odd, author: 'codex' })).history).toStrictEqual([
      {
        messageId: 'id of hm',
        contextId: 'context-1',
        taskId: 'task-1',
        role: 'ROLE_USER',
        parts: [{ text: 'hm' }],
        metadata: { theirs: [1], [EXTENSION_URI]: { kind: 'information', author: 'codex', version: 1 } },
        extensions: ['urn:x'],
        referenceTaskIds: ['task-0'],
      },
    ]);
  });

  test('of a strange make in their metadata are no trouble', () => {
    const odd = message('hm', { metadata: { [EXTENSION_URI]: 'a text' } });
    expect(taskOf(create({ message: odd })).history?.[0]?.metadata).toEqual({
      [EXTENSION_URI]: { author: 'human', version: 1 },
    });
  });
});

describe('historyLength', () => {
  const texts = historyTexts(projectTask(BUSY.handoff, BUSY.events, HANDLES, 'sender', ALL));

  test.each([
    [undefined, texts],
    [1, texts.slice(-1)],
    [3, texts.slice(-3)],
    [texts.length, texts],
    [1e9, texts],
  ])('%s', (historyLength, expected) => {
    const options = historyLength === undefined ? ALL : { ...ALL, historyLength };
    expect(historyTexts(projectTask(BUSY.handoff, BUSY.events, HANDLES, 'sender', options))).toEqual(expected);
  });

  test('0 leaves the history out and the status as it is', () => {
    const task = projectTask(BUSY.handoff, BUSY.events, HANDLES, 'sender', { ...ALL, historyLength: 0 });
    expect(task).not.toHaveProperty('history');
    expect(statusText(task)).toBe('fixed');
  });
});

describe('artifacts', () => {
  test('are joined from their chunks, in the order of their beginnings', () => {
    const task = taskOf(
      artifact({ artifactId: 'a', name: 'log', parts: [{ text: '1' }] }, { lastChunk: false }),
      artifact({ artifactId: 'b', parts: [{ text: 'x' }] }),
      artifact(
        { artifactId: 'a', parts: [{ text: '2' }], description: 'of the build' },
        { append: true, lastChunk: false },
      ),
      artifact({ artifactId: 'a', parts: [{ text: '3' }, { text: '4' }] }, { append: true }),
    );
    expect(task.artifacts).toStrictEqual([
      {
        artifactId: 'a',
        name: 'log',
        description: 'of the build',
        parts: [{ text: '1' }, { text: '2' }, { text: '3' }, { text: '4' }],
      },
      { artifactId: 'b', parts: [{ text: 'x' }] },
    ]);
  });

  test('replace what was there, unless they are appended', () => {
    const task = taskOf(artifact({ name: 'draft', parts: [{ text: '1' }] }), artifact({ parts: [{ text: '2' }] }));
    expect(task.artifacts).toStrictEqual([{ artifactId: 'a', parts: [{ text: '2' }] }]);
  });

  // with a copy of what is there for each chunk this would take a minute
  test('are joined from a hundred thousand chunks, each a part as it was sent', () => {
    const chunks = Array.from({ length: 100_000 }, (_none, index): ThreadEvent => ({
      kind: 'artifact',
      version: index + 2,
      actor: 'recipient',
      author: 'codex',
      at: 0,
      artifact: { artifactId: 'reply', parts: [{ text: `${index} ` }] },
      append: index > 0,
      lastChunk: false,
    }));
    const [reply, ...more] = mergeArtifacts(chunks);
    expect(more).toEqual([]);
    expect(reply?.parts).toHaveLength(100_000);
    expect(reply?.parts.at(-1)).toEqual({ text: '99999 ' });
  });

  test('begin with whatever chunk comes first', () => {
    const task = taskOf(artifact({ parts: [{ text: '2' }] }, { append: true }));
    expect(task.artifacts).toStrictEqual([{ artifactId: 'a', parts: [{ text: '2' }] }]);
  });

  test('are left out on request, and when there are none', () => {
    expect(projectTask(BUSY.handoff, BUSY.events, HANDLES, 'sender', { includeArtifacts: false })).not.toHaveProperty(
      'artifacts',
    );
    expect(taskOf()).not.toHaveProperty('artifacts');
  });
});

describe('the view of a party', () => {
  test.each(['sender', 'recipient'] as const)('is what the contract says, for the %s', (viewer) => {
    const task = projectTask(BUSY.handoff, BUSY.events, HANDLES, viewer, ALL);
    const view = handoffViewSchema.parse(task.metadata?.[EXTENSION_URI]);
    expect(task.metadata).toEqual({ [EXTENSION_URI]: view });
    expect(view).toMatchObject({
      ...HANDLES,
      task_id: 'task-1',
      role: viewer,
      state: 'completed',
      version: 13,
      last_actor: 'recipient',
      last_version: 12,
      receipts: BUSY.handoff.receipts,
    });
  });

  test('tells the session to the recipient alone', () => {
    for (const seen of BUSY.events.keys()) {
      const events = BUSY.events.slice(0, seen + 1);
      const handoff = replay(PARTIES, events);
      expect(JSON.stringify(projectTask(handoff, events, HANDLES, 'sender', ALL))).not.toMatch(/s1|session/);
    }
    const own = projectTask(BUSY.handoff, BUSY.events, HANDLES, 'recipient', ALL);
    expect(own.metadata).toMatchObject({ [EXTENSION_URI]: { session_id: 's1' } });
  });

  test('has a proposal where it was made: with the first message, and nowhere else', () => {
    const proposedAction = { description: 'rename', target_files: ['a.ts'], rationale: 'clearer' };
    const { handoff, events } = thread(create({ intent: 'propose_action', proposedAction }), says('sender', 'and?'));
    const task = projectTask(handoff, events, HANDLES, 'recipient', ALL);
    const proposals = task.history?.map(({ metadata }) => metadata?.[EXTENSION_URI]);
    expect(proposals).toMatchObject([{ proposed_action: proposedAction }, {}]);
    expect(JSON.stringify(task).split('clearer')).toHaveLength(2);
  });

  test('is JSON: nothing in it is undefined', () => {
    const proposedAction = { description: 'rename', target_files: ['a.ts'], rationale: 'clearer' };
    for (const first of [create(), create({ intent: 'propose_action', proposedAction })]) {
      const { handoff, events } = thread(first, step('accept'));
      const task = projectTask(handoff, events, HANDLES, 'sender', ALL);
      expect(JSON.parse(JSON.stringify(task))).toStrictEqual(task);
    }
  });
});

function textsOf(event: ThreadEvent): readonly string[] {
  if (event.kind === 'artifact' || event.kind === 'receipt') return [];
  return (event.message?.parts ?? []).map((part) => ('text' in part ? part.text : ''));
}
