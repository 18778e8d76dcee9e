/** A line of a hunk. `oldNo` and `newNo` count from 1 and are there on the sides where the line is. */
export type DiffLine =
  | { readonly kind: 'context'; readonly oldNo: number; readonly newNo: number; readonly text: string }
  | { readonly kind: 'del'; readonly oldNo: number; readonly text: string }
  | { readonly kind: 'add'; readonly newNo: number; readonly text: string }
  /** A remark of the diff ("No newline at end of file"), or a line that is none of the others. */
  | { readonly kind: 'note'; readonly text: string };

/** A stretch of changes, with the heading that the diff gives it. */
export interface Hunk {
  readonly header: string;
  readonly lines: readonly DiffLine[];
}

/** What a diff does to one file. */
export interface FileDiff {
  /** The new path, or the old one when the file is deleted; empty when the diff names none. */
  readonly path: string;
  /** The old path, when it is another one. */
  readonly from?: string;
  readonly change: 'modified' | 'added' | 'deleted' | 'renamed';
  readonly binary: boolean;
  readonly added: number;
  readonly removed: number;
  /** Lines before the first hunk that are no heading: the text of a commit, say. */
  readonly preamble: readonly string[];
  readonly hunks: readonly Hunk[];
}

interface Draft {
  oldPath: string;
  newPath: string;
  renamed: boolean;
  binary: boolean;
  preamble: string[];
  hunks: { header: string; lines: DiffLine[] }[];
}

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;
const NOWHERE = '/dev/null';
/** Headings of git that say nothing about the content. */
const BOOKKEEPING = /^(?:index [0-9a-f]+\.\.[0-9a-f]+(?: \d+)?|(?:dis)?similarity index \d+%)$/;

/**
 * Reads a unified diff, as `diff -u` and `git diff` write it, and as people and agents write it by hand: the lengths in
 * a hunk's heading only decide what they must (whether `--- ` is a removed line or the next file). No line is ever
 * left out, so that nobody approves what they did not see. Text without one hunk gives no file at all.
 */
export function parseDiff(diff: string): readonly FileDiff[] {
  const lines = linesOf(diff);
  const files: Draft[] = [];
  let oldNo = 0;
  let newNo = 0;
  let oldEnd = 0;
  let newEnd = 0;
  lines.forEach((line, index) => {
    const file = files.at(-1);
    const hunk = file?.hunks.at(-1);
    const inside = hunk !== undefined && (oldNo < oldEnd || newNo < newEnd);
    const heading = HUNK.exec(line);
    if (heading !== null) {
      oldNo = Number(heading[1]);
      newNo = Number(heading[3]);
      oldEnd = oldNo + Number(heading[2] ?? 1);
      newEnd = newNo + Number(heading[4] ?? 1);
      (file ?? begin(files)).hunks.push({ header: line, lines: [] });
    } else if (hunk === undefined || startsFile(lines, index, inside)) {
      readHeading(files, line);
    } else if (line.startsWith('+')) {
      hunk.lines.push({ kind: 'add', newNo: newNo++, text: line.slice(1) });
    } else if (line.startsWith('-') && (inside || line !== '-- ')) {
      hunk.lines.push({ kind: 'del', oldNo: oldNo++, text: line.slice(1) });
    } else if (line.startsWith(' ') || (line === '' && inside && index < lines.length - 1)) {
      // an empty context line may have lost its space on the way
      hunk.lines.push({ kind: 'context', oldNo: oldNo++, newNo: newNo++, text: line.slice(1) });
    } else if (line !== '') {
      hunk.lines.push({ kind: 'note', text: line.replace(/^\\ /, '') });
    }
  });
  return files.map(finish).filter(({ path, hunks }) => path !== '' || hunks.length > 0);
}

/** Carriage returns stay, where they are part of a changed file; a diff that only travelled with them loses them. */
function linesOf(diff: string): readonly string[] {
  return /(?:^|[^\r])\n/.test(diff) ? diff.split('\n') : diff.split('\r\n');
}

/** Whether the heading of another file begins here. Inside of a hunk only git's own is beyond doubt. */
function startsFile(lines: readonly string[], index: number, inside: boolean): boolean {
  const line = lines[index] ?? '';
  if (line.startsWith('diff --git ')) return true;
  return !inside && line.startsWith('--- ') && lines[index + 1]?.startsWith('+++ ') === true;
}

/** Everything outside of hunks: which file comes next, and what else is said of it. */
function readHeading(files: Draft[], line: string): void {
  if (line === '' && files.length === 0) return;
  const last = files.at(-1);
  const git = /^diff --git "?a\/(.*?)"? "?b\/(.*?)"?$/s.exec(line);
  const draft = last !== undefined && goesOn(last, git !== null) ? last : begin(files);
  if (git !== null) {
    [draft.oldPath, draft.newPath] = [git[1] ?? '', git[2] ?? ''];
  } else if (line.startsWith('--- ')) {
    draft.oldPath = pathOf(line, 'a/');
  } else if (line.startsWith('+++ ')) {
    draft.newPath = pathOf(line, 'b/');
  } else if (line.startsWith('rename from ')) {
    draft.oldPath = line.slice('rename from '.length);
    draft.renamed = true;
  } else if (line.startsWith('rename to ')) {
    draft.newPath = line.slice('rename to '.length);
    draft.renamed = true;
  } else if (line.startsWith('Binary files ') || line === 'GIT binary patch') {
    draft.binary = true;
  } else if (/^new file mode \d+$/.test(line)) {
    draft.oldPath = NOWHERE;
  } else if (/^deleted file mode \d+$/.test(line)) {
    draft.newPath = NOWHERE;
  } else if (line !== '' && !BOOKKEEPING.test(line)) {
    draft.preamble.push(line);
  }
}

/** Whether a heading belongs to the file that was begun, and is not the first of the next one. */
function goesOn({ hunks, oldPath, newPath }: Draft, isFirst: boolean): boolean {
  return hunks.length === 0 && (!isFirst || (oldPath === '' && newPath === ''));
}

function begin(files: Draft[]): Draft {
  const draft: Draft = { oldPath: '', newPath: '', renamed: false, binary: false, preamble: [], hunks: [] };
  files.push(draft);
  return draft;
}

/** `--- a/src/limit.ts<tab>time`, quoted where git needs it. */
function pathOf(line: string, prefix: string): string {
  const [name = ''] = line.slice(4).split('\t');
  const path = name.trim().replace(/^"(.*)"$/, '$1');
  return path.startsWith(prefix) ? path.slice(prefix.length) : path;
}

function finish({ oldPath, newPath, renamed, binary, preamble, hunks }: Draft): FileDiff {
  const count = (kind: DiffLine['kind']): number =>
    hunks.reduce((sum, hunk) => sum + hunk.lines.filter((line) => line.kind === kind).length, 0);
  const isDeleted = newPath === NOWHERE;
  const isAdded = oldPath === NOWHERE;
  const path = isDeleted || newPath === '' ? oldPath : newPath;
  const change = isDeleted ? 'deleted' : isAdded ? 'added' : renamed ? 'renamed' : 'modified';
  const moved = !isAdded && !isDeleted && oldPath !== '' && newPath !== '' && oldPath !== newPath;
  return {
    path,
    ...(moved ? { from: oldPath } : {}),
    change,
    binary,
    added: count('add'),
    removed: count('del'),
    preamble,
    hunks,
  };
}
