import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseDiff, type DiffLine, type FileDiff } from '../../../renderer/diff/parse.ts';
import { diffRows, rowCount } from '../../../renderer/diff/rows.ts';
import { cpuTime } from '../wire/cpu-time.ts';

const GIT = `diff --git a/src/limit.ts b/src/limit.ts
index 12ab34c..56de78f 100644
--- a/src/limit.ts
+++ b/src/limit.ts
@@ -18,4 +18,5 @@ export function rateLimit(store, opts)
   const key = opts.keyOf(req);
-  const bucket = await store.take(key);
+  const bucket = await store.take(key).catch((cause) => {
+    log.warn({ key, cause });
   if (bucket.remaining < 0) {
   }
@@ -40 +41 @@
-old
+new
`;
const lines = (file: FileDiff | undefined): readonly DiffLine[] => (file?.hunks ?? []).flatMap((hunk) => hunk.lines);
const only = (diff: string): FileDiff | undefined => {
  const files = parseDiff(diff);
  expect(files).toHaveLength(1);
  return files[0];
};

describe('a diff of git', () => {
  it('has a path, counts, hunks, and a number for every line on every side where it is', () => {
    const file = only(GIT);
    expect(file).toMatchObject({
      path: 'src/limit.ts',
      change: 'modified',
      binary: false,
      added: 3,
      removed: 2,
      preamble: [],
    });
    expect(file?.hunks.map(({ header }) => header)).toEqual([
      '@@ -18,4 +18,5 @@ export function rateLimit(store, opts)',
      '@@ -40 +41 @@',
    ]);
    expect(lines(file)).toEqual([
      { kind: 'context', oldNo: 18, newNo: 18, text: '  const key = opts.keyOf(req);' },
      { kind: 'del', oldNo: 19, text: '  const bucket = await store.take(key);' },
      { kind: 'add', newNo: 19, text: '  const bucket = await store.take(key).catch((cause) => {' },
      { kind: 'add', newNo: 20, text: '    log.warn({ key, cause });' },
      { kind: 'context', oldNo: 20, newNo: 21, text: '  if (bucket.remaining < 0) {' },
      { kind: 'context', oldNo: 21, newNo: 22, text: '  }' },
      { kind: 'del', oldNo: 40, text: 'old' },
      { kind: 'add', newNo: 41, text: 'new' },
    ]);
  });

  it('may be about many files', () => {
    const other = GIT.replaceAll('limit.ts', 'other.ts');
    expect(parseDiff(GIT + other).map(({ path }) => path)).toEqual(['src/limit.ts', 'src/other.ts']);
  });

  it('says what happens to a file as a whole', () => {
    const added =
      'diff --git a/n.ts b/n.ts\nnew file mode 100644\nindex 0000000..12ab34c\n--- /dev/null\n+++ b/n.ts\n@@ -0,0 +1 @@\n+x\n';
    const deleted =
      'diff --git a/o.ts b/o.ts\ndeleted file mode 100644\n--- a/o.ts\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n';
    const renamed = 'diff --git a/o.ts b/n.ts\nsimilarity index 100%\nrename from o.ts\nrename to n.ts\n';
    const binary =
      'diff --git a/i.png b/i.png\nindex 1234567..89abcde 100644\nBinary files a/i.png and b/i.png differ\n';
    expect(only(added)).toMatchObject({ path: 'n.ts', change: 'added', added: 1, removed: 0 });
    expect(only(deleted)).toMatchObject({ path: 'o.ts', change: 'deleted', added: 0, removed: 1 });
    expect(only(renamed)).toMatchObject({ path: 'n.ts', from: 'o.ts', change: 'renamed', hunks: [] });
    expect(only(binary)).toMatchObject({ path: 'i.png', binary: true });
  });

  it('of an empty file, or of a mode only, is not lost', () => {
    expect(only('diff --git a/e b/e\nnew file mode 100644\nindex 0000000..e69de29\n')).toMatchObject({
      path: 'e',
      change: 'added',
    });
    expect(only('diff --git a/run.sh b/run.sh\nold mode 100644\nnew mode 100755\n')).toMatchObject({
      path: 'run.sh',
      preamble: ['old mode 100644', 'new mode 100755'],
    });
  });

  it('may have paths with spaces and quotes', () => {
    expect(only('--- "a/a b.ts"\n+++ "b/a b.ts"\n@@ -1 +1 @@\n-x\n+y\n')?.path).toBe('a b.ts');
    expect(only('--- a/a b.ts\t2026-05-12\n+++ b/a b.ts\t2026-05-12\n@@ -1 +1 @@\n-x\n+y\n')?.path).toBe('a b.ts');
  });

  it('shows the text of the commit that it travels with', () => {
    const mail = `From 12ab\nSubject: [PATCH] Fail closed\n\n${GIT}-- \n2.43.0\n`;
    const file = only(mail);
    expect(file?.preamble).toEqual(['From 12ab', 'Subject: [PATCH] Fail closed']);
    expect(lines(file).slice(-2)).toEqual([
      { kind: 'note', text: '-- ' },
      { kind: 'note', text: '2.43.0' },
    ]);
  });
});

describe('a plain unified diff', () => {
  it('needs no heading of git', () => {
    expect(only('--- old.txt\n+++ new.txt\n@@ -1 +1 @@\n-a\n+b\n')).toMatchObject({
      path: 'new.txt',
      from: 'old.txt',
      added: 1,
    });
  });

  it('needs no heading at all', () => {
    expect(only('@@ -1 +1 @@\n-a\n+b\n')).toMatchObject({ path: '', added: 1, removed: 1 });
  });

  it('may be about many files, too', () => {
    const one = '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n';
    expect(parseDiff(one + one.replaceAll('/x', '/y')).map(({ path, added }) => [path, added])).toEqual([
      ['x', 1],
      ['y', 1],
    ]);
  });

  it('knows a removed line that looks like a heading', () => {
    const file = only('--- a/q.sql\n+++ b/q.sql\n@@ -1,2 +1,2 @@\n--- drop it\n+++ keep it\n context\n');
    expect(lines(file)).toEqual([
      { kind: 'del', oldNo: 1, text: '-- drop it' },
      { kind: 'add', newNo: 1, text: '++ keep it' },
      { kind: 'context', oldNo: 2, newNo: 2, text: 'context' },
    ]);
  });

  it('says where a file ends without a line end', () => {
    const file = only('@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file\n');
    expect(lines(file).map(({ kind }) => kind)).toEqual(['del', 'note', 'add', 'note']);
    expect(lines(file)[1]).toEqual({ kind: 'note', text: 'No newline at end of file' });
  });

  it('may have lost the space of an empty line on the way', () => {
    expect(lines(only('@@ -1,3 +1,3 @@\n a\n\n-b\n+c\n'))[1]).toEqual({
      kind: 'context',
      oldNo: 2,
      newNo: 2,
      text: '',
    });
  });

  it('that travelled with CRLF line ends loses them', () => {
    expect(lines(only('@@ -1 +1 @@\r\n-a\r\n+b\r\n'))).toEqual([
      { kind: 'del', oldNo: 1, text: 'a' },
      { kind: 'add', newNo: 1, text: 'b' },
    ]);
  });

  it('that changes line ends keeps them, for they are the change', () => {
    expect(lines(only('@@ -1 +1 @@\n-a\r\n+a\n'))).toEqual([
      { kind: 'del', oldNo: 1, text: 'a\r' },
      { kind: 'add', newNo: 1, text: 'a' },
    ]);
  });
});

describe('a diff with wrong lengths in its headings, as they are written by hand', () => {
  it('shows all its lines when the lengths are too small', () => {
    expect(only('@@ -1,1 +1,1 @@\n-a\n+b\n+c\n+d\n')).toMatchObject({ added: 3, removed: 1 });
  });

  it('starts the next hunk where it starts, when they are too large', () => {
    const file = only('@@ -1,9 +1,9 @@\n-a\n+b\n@@ -20,9 +20,9 @@\n-c\n+d\n');
    expect(file?.hunks.map((hunk) => hunk.lines.length)).toEqual([2, 2]);
  });

  it('starts the next file of git where it starts', () => {
    expect(parseDiff(`@@ -1,9 +1,9 @@\n-a\n+b\n${GIT}`).map(({ path }) => path)).toEqual(['', 'src/limit.ts']);
  });
});

describe('what is no diff', () => {
  it('gives no file, so that it can be shown as it is', () => {
    for (const text of ['', 'just text', 'const a = 1;\nconst b = 2;\n', '+ a\n- b\n', '\n\n']) {
      expect(parseDiff(text)).toEqual([]);
    }
  });
});

describe('any diff', () => {
  const body = fc.array(fc.tuple(fc.constantFrom(' ', '+', '-'), fc.stringMatching(/^[a-z+\- @]{0,12}$/)), {
    minLength: 1,
    maxLength: 40,
  });

  it('gives back every line that a hunk has, whatever its heading claims', () => {
    fc.assert(
      fc.property(body, fc.nat({ max: 60 }), fc.nat({ max: 60 }), (rows, oldCount, newCount) => {
        // without git's headings, only right lengths can tell a removed line from the next file's name
        const safe = rows.filter(([sign, text]) => !(sign + text).startsWith('--') && !(sign + text).startsWith('++'));
        const diff = [`@@ -1,${oldCount} +1,${newCount} @@`, ...safe.map(([sign, text]) => sign + text), ''].join('\n');
        const shown = lines(parseDiff(diff)[0]).map((line) =>
          line.kind === 'note' ? line.text : `${{ context: ' ', add: '+', del: '-' }[line.kind]}${line.text}`,
        );
        expect(shown).toEqual(safe.map(([sign, text]) => sign + text));
      }),
    );
  });

  it('of right lengths is read to the letter', () => {
    fc.assert(
      fc.property(body, (rows) => {
        const count = (other: string): number => rows.filter(([sign]) => sign !== other).length;
        const diff = [`@@ -1,${count('+')} +1,${count('-')} @@`, ...rows.map(([sign, text]) => sign + text), ''].join(
          '\n',
        );
        expect(lines(parseDiff(diff)[0]).map(({ text }) => text)).toEqual(rows.map(([, text]) => text));
      }),
    );
  });

  it('is read without an error, whatever it is', () => {
    fc.assert(fc.property(fc.string(), (text) => Array.isArray(parseDiff(text))));
  });

  it('of a hundred thousand lines is read in no time to speak of', () => {
    const many = Array.from({ length: 50_000 }, (_, index) => `-old ${index}\n+new ${index}`).join('\n');
    const file = only(`@@ -1,50000 +1,50000 @@\n${many}\n`);
    expect(file).toMatchObject({ added: 50_000, removed: 50_000 });
  });
});

describe('a diff of 1 MB', () => {
  const DIFFS: Readonly<Record<string, string>> = {
    'a heading with many paths': `diff --git a/${' b/'.repeat(300_000)}\rx\n@@ -1 +1 @@\n-a\n+b\n`,
    'many small files': '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n'.repeat(25_000),
    'many hunks': `--- a/x\n+++ b/x\n${'@@ -1 +1 @@\n-a\n+b\n'.repeat(45_000)}`,
    'two long lines': `--- a/x\n+++ b/x\n@@ -1 +1 @@\n-${'a b '.repeat(110_000)}\n+${'b a '.repeat(110_000)}\n`,
    'many lines': `@@ -1,60000 +1,60000 @@\n${'-foo\n'.repeat(90_000)}${'+bar\n'.repeat(90_000)}`,
    digits: `@@ -${'1'.repeat(450_000)} +${'1'.repeat(450_000)} @\n`,
    'carriage returns': `--- a/x\r\n+++ b/x\r\n${'\r'.repeat(900_000)}`,
  };

  it.each(Object.entries(DIFFS))('of %s does not take long to read', (_, diff) => {
    expect(cpuTime(() => parseDiff(diff).map(diffRows))).toBeLessThan(3_000);
  });

  it('has as many rows as it says, before they are made', () => {
    for (const file of Object.values(DIFFS).flatMap(parseDiff).slice(0, 100))
      expect(rowCount(file)).toBe(diffRows(file).length);
  });
});
