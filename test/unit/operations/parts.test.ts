import { describe, expect, test } from 'vitest';
import type { Message, Part } from '../../../relay/contract/a2a.ts';
import { artifactPart } from '../../../relay/contract/artifact.ts';
import { isEmptyMessage, isPlainText, summarize } from '../../../relay/operations/parts.ts';

const message = (...parts: readonly Part[]): Message => ({ messageId: 'm', role: 'ROLE_USER', parts });
const diff = artifactPart({ type: 'file_diff', diff: '+x' });

describe('the line that stands for a handoff', () => {
  test.each<readonly [string, readonly Part[], string]>([
    ['the first line of text', [{ text: 'Rate limiter returns 500\n\nmore' }], 'Rate limiter returns 500'],
    ['without the blank around it', [{ text: '\n \n\t Look here \n' }], 'Look here'],
    ['of the first part that has one', [diff, { text: ' ' }, { text: 'words' }], 'words'],
    ['a file by its name', [{ raw: 'AA==', filename: 'trace.har' }], 'trace.har'],
    ['an artifact by its type', [diff], 'file_diff'],
    ['anything else by its media type', [{ data: 1, mediaType: 'application/x-odd' }], 'application/x-odd'],
    ['and never what is sealed', [{ text: 'key', mediaType: 'application/x-sealed' }], 'application/x-sealed'],
    ['or honestly', [{ data: 1 }], '(no text)'],
  ])('is %s', (_name, parts, summary) => {
    expect(summarize(message(...parts))).toBe(summary);
  });

  test('is cut at 240 characters, and never inside one', () => {
    expect(summarize(message({ text: 'x'.repeat(240) }))).toBe('x'.repeat(240));
    expect(summarize(message({ text: 'x'.repeat(241) }))).toBe(`${'x'.repeat(239)}…`);
    const cut = summarize(message({ text: `${'x'.repeat(238)}🔑🔑🔑` }));
    expect(cut).toBe(`${'x'.repeat(238)}…`);
    expect(cut.isWellFormed()).toBe(true);
  });
});

test('a message is empty when it has no word and nothing else', () => {
  expect(isEmptyMessage(message({ text: '' }, { text: '' }))).toBe(true);
  expect(isEmptyMessage(message({ text: '' }, diff))).toBe(false);
  expect(isEmptyMessage(message({ text: ' ' }))).toBe(false);
});

test('only words are plain text', () => {
  expect(isPlainText(message({ text: 'a' }, { text: 'b' }))).toBe(true);
  expect(isPlainText(message({ text: 'a' }, { url: 'https://example.com/x' }))).toBe(false);
});
