import { describe, expect, test } from 'vitest';
import { isFinal, readStep, updateParams, type Step } from '../../../main/worker/step.ts';
import { ARTIFACT_MEDIA_TYPE } from '../../../relay/contract/artifact.ts';

const OF = { taskId: 't1', worker: 'w1', lease: 4, round: 3, number: 2 };
const COMMON = {
  task_id: 't1',
  session_id: 'w1',
  author: 'cli',
  idempotency_key: 'lease-4-2',
  history_length: 0,
};

describe('a line of a command', () => {
  test.each<[string, Step]>([
    ['{"type":"message","text":"On it"}', { type: 'message', text: 'On it' }],
    [' {"type":"question","text":"Which?"} ', { type: 'question', text: 'Which?' }],
    ['{"type":"complete"}', { type: 'complete' }],
    ['{"type":"complete","summary":"Done"}', { type: 'complete', summary: 'Done' }],
    ['{"type":"fail","reason":"No"}', { type: 'fail', reason: 'No' }],
    ['{"type":"artifact","name":"log","text":"…"}', { type: 'artifact', name: 'log', text: '…' }],
    [
      '{"type":"artifact","artifact":{"type":"link","url":"https://a.example"}}',
      { type: 'artifact', artifact: { type: 'link', url: 'https://a.example' } },
    ],
  ])('is a step: %s', (line, step) => {
    expect(readStep(line)).toEqual({ kind: 'step', step });
  });

  test.each(['', 'Done.', '{}', '[]', 'null', '"complete"', '{"type":"done"}', '{"type":7}', '{"type":"message"'])(
    'is none of ours: %j',
    (line) => {
      expect(readStep(line)).toEqual({ kind: 'other' });
    },
  );

  test.each([
    ['{"type":"message"}', 'text: '],
    ['{"type":"message","text":""}', 'text: '],
    ['{"type":"fail"}', 'reason: '],
    ['{"type":"complete","sumary":"Done"}', 'sumary'],
    ['{"type":"artifact"}', 'artifact: has either artifact or text'],
    ['{"type":"artifact","text":"a","artifact":{"type":"link","url":"https://a.example"}}', 'has either'],
    ['{"type":"artifact","artifact":{"type":"link","url":"nowhere"}}', 'artifact.url: '],
    ['{"type":"artifact","artifact":{"type":"weather"}}', 'artifact.type: '],
  ])('is meant to be one, and is wrong: %s', (line, why) => {
    expect(readStep(line)).toEqual({ kind: 'wrong', why: expect.stringContaining(why) });
  });
});

test('a question, a result and a failure are the last word', () => {
  const types = ['message', 'artifact', 'question', 'complete', 'fail'] as const;
  const step = { message: { type: 'message', text: 'a' }, artifact: { type: 'artifact', text: 'a' } } as const;
  const last = {
    question: { type: 'question', text: 'a' },
    complete: { type: 'complete' },
    fail: { type: 'fail', reason: 'a' },
  } as const;
  expect(types.filter((type) => isFinal({ ...step, ...last }[type]))).toEqual(['question', 'complete', 'fail']);
});

describe('a step as a request', () => {
  test.each<[Step, object]>([
    [
      { type: 'message', text: 'On it' },
      { message: 'On it', kind: 'information' },
    ],
    [
      { type: 'question', text: 'Which?' },
      { transition: 'ask', message: 'Which?' },
    ],
    [
      { type: 'complete', summary: 'Fixed' },
      { transition: 'complete', message: 'Fixed' },
    ],
    [{ type: 'complete' }, { transition: 'complete', message: 'Done.' }],
    [
      { type: 'fail', reason: 'No' },
      { transition: 'fail', reason: 'No' },
    ],
    [{ type: 'artifact', text: 'words' }, { artifacts: [{ artifactId: 'artifact-3-2', parts: [{ text: 'words' }] }] }],
    [
      { type: 'artifact', id: 'mine', name: 'page', artifact: { type: 'link', url: 'https://a.example' } },
      {
        artifacts: [
          {
            artifactId: 'mine',
            name: 'page',
            parts: [{ data: { type: 'link', url: 'https://a.example' }, mediaType: ARTIFACT_MEDIA_TYPE }],
          },
        ],
      },
    ],
    [
      { type: 'artifact', artifact: { type: 'file_diff', path: 'a.ts', diff: '+1' } },
      { artifacts: [expect.objectContaining({ name: 'a.ts' })] },
    ],
  ])('%j', (step, content) => {
    expect(updateParams(step, OF)).toEqual({ ...COMMON, ...content });
  });

  test('has a key that no other step has, in this run or another one', () => {
    const key = (lease: number, number: number): unknown =>
      updateParams({ type: 'complete' }, { ...OF, lease, number })['idempotency_key'];
    expect(new Set([key(1, 1), key(1, 2), key(2, 1), key(11, 2), key(1, 12)]).size).toBe(5);
  });
});
