import { describe, expect, test } from 'vitest';
import type { Part } from '../../../relay/contract/a2a.ts';
import { artifactPart } from '../../../relay/contract/artifact.ts';
import { readableText, readableTexts, sealedPart } from '../../../relay/contract/readable-part.ts';

const SEALED = 'application/vnd.example.sealed+json';

describe('a part that nobody looks into', () => {
  test.each<Part>([
    { text: 'ciphertext', mediaType: SEALED },
    { data: { sealed: 'ciphertext' }, mediaType: SEALED },
    { data: [], mediaType: `${SEALED}; v=1` },
    { text: '<a/>', mediaType: 'application/xml' },
  ])('is text or data of a media type that is not known: %j', (part) => {
    expect(sealedPart(part)).toBe(part);
    expect(readableText(part)).toBeUndefined();
  });

  test.each<Part>([
    { text: 'words' },
    { text: 'words', mediaType: '' },
    { text: '# words', mediaType: 'text/markdown' },
    { text: 'words', mediaType: 'Text/Plain; charset=utf-8' },
    { data: { k: 1 } },
    { data: { k: 1 }, mediaType: 'application/json; charset=utf-8' },
    artifactPart({ type: 'test_command', command: 'npm test' }),
    { raw: 'AA==', mediaType: SEALED },
    { url: 'https://example.com/x', mediaType: SEALED },
  ])('is none that is known, and no file: %j', (part) => {
    expect(sealedPart(part)).toBeUndefined();
    expect(readableText(part)).toBe('text' in part ? part.text : undefined);
  });
});

test('the texts of a message are those that may be read, in order', () => {
  const parts = [{ text: 'a' }, { text: 'b', mediaType: SEALED }, { data: 1 }, { text: 'c', mediaType: 'text/plain' }];
  expect(readableTexts(parts)).toEqual(['a', 'c']);
});
