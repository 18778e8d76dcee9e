import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseDiff } from '../../../renderer/diff/parse.ts';
import { diffRows, type DiffRow } from '../../../renderer/diff/rows.ts';

const rows = (diff: string): readonly DiffRow[] => parseDiff(diff).flatMap(diffRows);
/** Lines with what is marked in brackets. */
const marked = (diff: string): readonly string[] =>
  rows(diff).map((row) =>
    'spans' in row ? row.spans.map(({ text, changed }) => (changed ? `[${text}]` : text)).join('') : row.text,
  );

describe('the rows of a diff', () => {
  it('are its headings, lines and remarks, in order', () => {
    const shown = rows(
      'old mode 100644\n--- a/x\n+++ b/x\n@@ -3,2 +3,2 @@ fn\n keep\n-a\n+b\n\\ No newline at end of file\n',
    );
    expect(shown.map(({ kind }) => kind)).toEqual(['note', 'hunk', 'context', 'del', 'add', 'note']);
    expect(shown[2]).toMatchObject({ oldNo: 3, newNo: 3 });
    expect(shown[3]).toMatchObject({ oldNo: 4 });
    expect(shown[4]).toMatchObject({ newNo: 4 });
  });
});

describe('what is marked in a line', () => {
  it('is what differs from the line that it replaces', () => {
    expect(
      marked(
        '@@ -1 +1 @@\n-  const bucket = await store.take(key);\n+  const bucket = await store.take(key).catch(x);\n',
      ),
    ).toEqual([
      '@@ -1 +1 @@',
      '  const bucket = await store.take(key);',
      '  const bucket = await store.take(key)[.catch(x)];',
    ]);
  });

  it('is nothing where two lines have little in common', () => {
    expect(marked('@@ -1 +1 @@\n-throw new Error(reason);\n+return 429;\n').slice(1)).toEqual([
      'throw new Error(reason);',
      'return 429;',
    ]);
  });

  it('is nothing where only the indentation is common', () => {
    expect(marked('@@ -1 +1 @@\n-            alpha\n+            omega beta\n').slice(1)).toEqual([
      '            alpha',
      '            omega beta',
    ]);
  });

  it('compares the first with the first, the second with the second', () => {
    expect(marked('@@ -1,2 +1,3 @@\n-alpha one\n-beta two\n+alpha 1\n+beta 2\n+gamma\n').slice(1)).toEqual([
      'alpha [one]',
      'beta [two]',
      'alpha [1]',
      'beta [2]',
      'gamma',
    ]);
  });

  it('does not reach over a line that stays', () => {
    expect(marked('@@ -1,2 +1,2 @@\n-alpha one\n stays\n+alpha 1\n').slice(1)).toEqual([
      'alpha one',
      'stays',
      'alpha 1',
    ]);
  });

  it('starts anew with the next removed line', () => {
    expect(marked('@@ -1,2 +1,2 @@\n-alpha one\n+alpha 1\n-beta two\n+beta 2\n').slice(1)).toEqual([
      'alpha [one]',
      'alpha [1]',
      'beta [two]',
      'beta [2]',
    ]);
  });

  it('leaves every line as it was', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[ab (]{0,20}$/), fc.stringMatching(/^[ab (]{0,20}$/), (before, after) => {
        const [, del, add] = rows(`@@ -1 +1 @@\n-${before}\n+${after}\n`);
        const text = (row: DiffRow | undefined): string =>
          row !== undefined && 'spans' in row ? row.spans.map((span) => span.text).join('') : '?';
        expect([text(del), text(add)]).toEqual([before, after]);
      }),
    );
  });
});
