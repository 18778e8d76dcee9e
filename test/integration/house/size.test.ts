import { describe, expect, test } from 'vitest';
import { filesUnder, lineCount } from './source-files.ts';

const PRODUCT = filesUnder(['relay', 'main', 'renderer'], ['.ts', '.tsx']);
const TESTS = filesUnder(['test'], ['.ts', '.tsx', '.mjs', '.cjs']);
const OTHER = filesUnder(['scripts', 'renderer', 'bin'], ['.mjs', '.ts', '.css', '.html', 'agentrelay']);

const total = (files: typeof PRODUCT): number => files.reduce((sum, { text }) => sum + lineCount(text), 0);

describe('the code', () => {
  test('has more lines of test than of what is tested, by a fifth at least', () => {
    expect(total(TESTS) / total(PRODUCT)).toBeGreaterThanOrEqual(1.2);
  });

  test('has no file that nobody wants to open', () => {
    const long = [...PRODUCT, ...TESTS, ...OTHER].filter(({ text }) => lineCount(text) >= 500);
    expect(long.map(({ path, text }) => `${path}: ${lineCount(text)} lines`)).toEqual([]);
  });

  test('has kebab-case names', () => {
    const others = [...PRODUCT, ...TESTS, ...OTHER].filter(({ path }) => !/^[a-z0-9./-]+$/.test(path));
    expect(others.map(({ path }) => path)).toEqual([]);
  });
});
