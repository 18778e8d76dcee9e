import type { IconName } from '../components/icon-paths.tsx';

interface Kind {
  readonly icon: IconName;
  /** With its article, for a sentence: "with a diff and a test command". */
  readonly words: string;
}

const KINDS: Readonly<Record<string, Kind>> = {
  file_diff: { icon: 'diff', words: 'a diff' },
  file_ref: { icon: 'file', words: 'a file reference' },
  test_command: { icon: 'prompt', words: 'a test command' },
  api_contract: { icon: 'contract', words: 'an API contract' },
  link: { icon: 'link', words: 'a link' },
  test_result: { icon: 'check', words: 'a test result' },
};
const OTHER: Kind = { icon: 'data', words: 'data' };

/** The marks of a row: one icon for each kind of artifact, at most four. */
export function artifactMarks(types: readonly string[]): readonly IconName[] {
  return [...new Set(types.map((type) => kindOf(type).icon))].slice(0, 4);
}

/** The same in words; empty when there are none. */
export function artifactWords(types: readonly string[]): string {
  const words = [...new Set(types.map((type) => kindOf(type).words))];
  const last = words.pop();
  if (last === undefined) return '';
  return words.length === 0 ? `with ${last}` : `with ${words.join(', ')} and ${last}`;
}

function kindOf(type: string): Kind {
  return Object.hasOwn(KINDS, type) ? (KINDS[type] ?? OTHER) : OTHER;
}

/** A file's size: `14 bytes`, `3.2 kB`, `12 MB`. */
export function sizeWords(bytes: number): string {
  if (bytes < 1000) return bytes === 1 ? '1 byte' : `${bytes} bytes`;
  const [size, unit] = bytes < 1e6 ? [bytes / 1e3, 'kB'] : bytes < 1e9 ? [bytes / 1e6, 'MB'] : [bytes / 1e9, 'GB'];
  return `${size < 10 ? size.toFixed(1) : Math.round(size)} ${unit}`;
}

/** How many bytes a base64 text stands for. */
export function base64Bytes(raw: string): number {
  const padding = raw.endsWith('==') ? 2 : raw.endsWith('=') ? 1 : 0;
  return Math.max(0, Math.floor((raw.length * 3) / 4) - padding);
}
