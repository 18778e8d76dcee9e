import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readOutput, type Said } from '../../../main/worker/output.ts';

interface Read {
  readonly steps: readonly string[];
  readonly faults: readonly string[];
  readonly said: Said;
}

function read(chunks: readonly (string | Buffer)[], maxBytes = 1_000): Read {
  const steps: string[] = [];
  const faults: string[] = [];
  const output = readOutput(
    maxBytes,
    (step, number) => steps.push(`${number} ${step.type}`),
    (why) => faults.push(why),
  );
  for (const chunk of chunks) output.take(Buffer.from(chunk));
  return { said: output.end(), steps, faults };
}

const line = (type: string, more: object = { text: 'words' }): string => `${JSON.stringify({ type, ...more })}\n`;

describe('text', () => {
  test.each([
    ['plain', ['All good.\n'], 'All good.'],
    ['in pieces, of which one ends inside a character', [Buffer.from([0xc3]), Buffer.from([0xa9, 0x0a])], 'é'],
    ['of many lines', ['one\n', '\ntwo\n'], 'one\n\ntwo'],
    ['that holds a step later on', ['first\n', line('complete', {})], 'first\n{"type":"complete"}'],
    ['that is JSON of somebody else', ['{"type":"report","ok":true}\n'], '{"type":"report","ok":true}'],
    ['that is not ended', ['no line feed'], 'no line feed'],
    ['that is empty', [], ''],
    ['that is only space', ['\n \n'], ''],
  ])('%s', (_what, chunks, text) => {
    expect(read(chunks)).toEqual({ said: { kind: 'text', text }, steps: [], faults: [] });
  });
});

describe('steps', () => {
  test('are handed on as they come, with their numbers', () => {
    const steps: string[] = [];
    const output = readOutput(
      1_000,
      (step, number) => steps.push(`${number} ${step.type}`),
      () => undefined,
    );
    output.take(Buffer.from(`\n${line('message')}{"type":"mess`));
    expect(steps).toEqual(['1 message']);
    output.take(Buffer.from('age","text":"more"}\n'));
    expect(steps).toEqual(['1 message', '2 message']);
    output.take(Buffer.from('{"type":"complete"}'));
    expect([output.end(), steps]).toEqual([{ kind: 'steps' }, ['1 message', '2 message', '3 complete']]);
  });

  test('end with the last word: what comes after it is not read, whatever it is', () => {
    const { steps, faults } = read([line('question'), 'nonsense\n', line('message'), 'x'.repeat(2_000)]);
    expect([steps, faults]).toEqual([['1 question'], []]);
  });

  test('that cannot be read are named by their number, and nothing after them is read', () => {
    const wrong = read([line('message'), '\n', line('message', {}), line('complete', {})]);
    expect(wrong.steps).toEqual(['1 message']);
    expect(wrong.faults).toEqual([expect.stringMatching(/^Line 2 of the command's output cannot be used: text: /)]);
    const other = read([line('message'), 'and now in words\n']);
    expect(other.faults).toEqual([
      "Line 2 of the command's output cannot be used: it is none of the lines that a worker knows.",
    ]);
  });

  test('are the same in whatever pieces they arrive', () => {
    const bytes = Buffer.from(`${line('message', { text: 'é😀' })}${line('artifact')}${line('complete', {})}`);
    fc.assert(
      fc.property(fc.array(fc.nat(bytes.length), { maxLength: 8 }), (cuts) => {
        const ends = [...cuts.toSorted((a, b) => a - b), bytes.length];
        const pieces = ends.map((end, at) => bytes.subarray(ends[at - 1] ?? 0, end));
        expect(read(pieces).steps).toEqual(['1 message', '2 artifact', '3 complete']);
      }),
    );
  });
});

test('more than it may write is a fault, in text and in steps, said once', () => {
  expect(read(['x'.repeat(600), 'x'.repeat(600), 'x']).faults).toEqual(['The command wrote more than 1000 bytes.']);
  expect(read([line('message'), ...Array.from({ length: 40 }, () => line('message'))]).faults).toEqual([
    'The command wrote more than 1000 bytes.',
  ]);
  expect(read(['x'.repeat(1_000)]).faults).toEqual([]);
});
