import { describe, expect, test } from 'vitest';
import { artifactPart, ARTIFACT_MEDIA_TYPE } from '../../../relay/contract/artifact.ts';
import { blank, evolve, replay } from '../../../relay/handoffs/evolve.ts';
import { carryOut } from '../../../relay/handoffs/carry-out.ts';
import { artifact, create, handoffIn, message, PARTIES, receipt, says, step, thread } from '../../support/threads.ts';

describe('the snapshot after the first message', () => {
  test('is pending, and all of it is there', () => {
    expect(thread().handoff).toStrictEqual({
      ...PARTIES,
      state: 'pending',
      version: 1,
      summary: 'the parser drops commas',
      artifactTypes: [],
      bornLive: false,
      replyOnly: false,
      lastActor: 'sender',
      lastVersion: 1,
      receipts: {
        sender: { offered: 0, surfaced: 0, acked: 0, held: false },
        recipient: { offered: 0, surfaced: 0, acked: 0, held: false },
      },
      createdAt: 1_000,
      updatedAt: 1_000,
      statusAt: 1_000,
    });
  });

  test('names the types of its artifacts in order, each once, unknown ones too', () => {
    const link = artifactPart({ type: 'link', url: 'https://acme.example/1' });
    const diff = artifactPart({ type: 'file_diff', diff: '+1' });
    const unknown = { data: { type: 'sketch' }, mediaType: ARTIFACT_MEDIA_TYPE };
    const foreign = { data: { type: 'not_ours' } };
    const first = message('see', { parts: [link, { text: 'and' }, diff, link, unknown, foreign] });
    expect(thread(create({ message: first })).handoff.artifactTypes).toEqual(['link', 'file_diff', 'sketch']);
  });

  test('keeps intent and birth as a pairing, and leaves the proposal in its event', () => {
    const proposedAction = { description: 'rename', target_files: ['a.ts'], rationale: 'clearer' };
    const said = { intent: 'propose_action', bornLive: true } as const;
    const { handoff, events } = thread(create({ ...said, proposedAction }));
    expect(handoff).toMatchObject(said);
    expect(events[0]).toMatchObject({ proposedAction });
    expect(JSON.stringify(handoff)).not.toContain('clearer');
  });
});

test('the types of what came along are shown in a list: a few, in a word each', () => {
  const parts = Array.from({ length: 100 }, (_none, index) => ({
    data: { type: `${index}`.padEnd(1000, 'x') },
    mediaType: ARTIFACT_MEDIA_TYPE,
  }));
  const { artifactTypes } = thread(create({ message: message('all of it', { parts }) })).handoff;
  expect(artifactTypes).toHaveLength(32);
  expect(artifactTypes[0]).toBe('0'.padEnd(64, 'x'));
});

describe('why it ended', () => {
  test.each([
    ['decline', { reason: 'after the release\nnot before' }, 'after the release'],
    ['decline', { message: message('no time') }, 'no time'],
    ['decline', { reason: 'x'.repeat(1000) }, `${'x'.repeat(239)}…`],
    ['decline', {}, undefined],
  ] as const)('%s with %j is kept in a line', (transition, said, reason) => {
    expect(thread(step(transition, said)).handoff.reason).toBe(reason);
  });

  test('is kept of a failure, and nothing of a completion', () => {
    expect(thread(step('accept'), step('fail', { reason: 'no disk' })).handoff.reason).toBe('no disk');
    expect(thread(step('accept'), step('complete', { message: message('done') })).handoff.reason).toBeUndefined();
  });
});

describe('times', () => {
  test('the state’s is that of the last change of state', () => {
    const { handoff } = thread(step('accept'), says('sender', 'and?'), artifact(), says('recipient', 'soon'));
    expect(handoff).toMatchObject({ createdAt: 1_000, statusAt: 2_000, updatedAt: 5_000 });
  });

  test('an answer changes the state', () => {
    const { handoff } = thread(step('accept'), step('ask'), says('sender', 'the first'));
    expect(handoff).toMatchObject({ state: 'accepted', statusAt: 4_000 });
  });

  test('do not go back when the clock does', () => {
    const before = handoffIn('accepted');
    const { handoff, events } = carryOut(before, [says('recipient', 'hm'), step('complete')], 3);
    expect(events.map(({ at }) => at)).toEqual([before.updatedAt, before.updatedAt]);
    expect(handoff).toMatchObject({ updatedAt: before.updatedAt, statusAt: before.updatedAt });
  });
});

describe('reply_only', () => {
  test('is remembered', () => {
    expect(thread(step('reply_only', { message: message('42') })).handoff).toMatchObject({
      state: 'completed',
      replyOnly: true,
    });
  });

  test('is not the way that others complete', () => {
    expect(handoffIn('completed').replyOnly).toBe(false);
  });
});

describe('replaying a log', () => {
  test('gives the snapshot', () => {
    const { handoff, events } = thread(
      receipt('recipient', 'surfaced', 1),
      step('accept', { sessionId: 's1' }),
      step('ask'),
      says('sender', 'the first'),
      step('take_over', { sessionId: 's2' }),
      artifact(),
      step('complete'),
      receipt('sender', 'acked', 99),
    );
    expect(replay(PARTIES, events)).toStrictEqual(handoff);
  });

  test('of no events gives a handoff of version 0', () => {
    expect(replay(PARTIES, [])).toStrictEqual(blank(PARTIES));
  });

  test('changes neither the snapshot nor the event it starts from', () => {
    const { handoff, events } = thread(step('accept', { sessionId: 's1' }));
    const copies = structuredClone({ handoff, events });
    for (const event of events) evolve(handoff, event);
    expect({ handoff, events }).toStrictEqual(copies);
  });
});
