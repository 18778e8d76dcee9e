import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { ROOT } from '../../support/project-root.ts';
import { tempDir } from '../../support/temp-dir.ts';

// real tools are started here, and they share the machine with all other tests
vi.setConfig({ testTimeout: 120_000 });

/** The last line, and all of them, that a runner prints for these test files, with this project's reporter and nothing else of it. */
function lastLine(
  runner: 'vitest' | 'playwright',
  files: Record<string, string>,
): { status: number | null; line: string; lines: readonly string[] } {
  const dir = tempDir();
  symlinkSync(join(ROOT, 'node_modules'), join(dir, 'node_modules'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(dir, name), text);
  const reporter = join(ROOT, `test/support/${runner}-reporter.ts`);
  const [cli, args] =
    runner === 'vitest'
      ? ['vitest/vitest.mjs', ['run', '--root', dir, '--reporter', reporter]]
      : ['@playwright/test/cli.js', ['test', '--reporter', reporter]];
  mkdirSync(join(dir, 'home'));
  // this test runs under vitest, whose marks in the environment must not reach another run of it
  const env = { PATH: process.env['PATH'], HOME: join(dir, 'home'), NO_COLOR: '1' };
  const { status, stdout } = spawnSync(process.execPath, [join(ROOT, 'node_modules', cli), ...args], {
    cwd: dir,
    encoding: 'utf8',
    env,
  });
  const lines = stdout.trimEnd().split('\n');
  return { status, line: lines.at(-1) ?? '', lines };
}

const VITEST = "import { afterAll, test } from 'vitest';\n";
const PLAYWRIGHT = "import { test } from '@playwright/test';\n";
const MIXED = "test('a', () => {});\ntest('b', () => {\n  throw new Error('no');\n});\ntest.skip('c', () => {});\n";

describe("vitest's counts", () => {
  test('are what passed, failed and was skipped', () => {
    expect(lastLine('vitest', { 'a.test.ts': VITEST + MIXED })).toMatchObject({
      status: 1,
      line: '1 passed, 1 failed, 1 skipped',
    });
  });

  test('hold a file that cannot be loaded and a hook that throws as failed', () => {
    const files = {
      'good.test.ts': `${VITEST}test('a', () => {});\n`,
      'unloadable.test.ts': `${VITEST}throw new Error('no');\n`,
      'hook.test.ts': `${VITEST}test('a', () => {});\nafterAll(() => {\n  throw new Error('no');\n});\n`,
    };
    expect(lastLine('vitest', files)).toMatchObject({ status: 1, line: '2 passed, 2 failed, 0 skipped' });
  });

  test('hold each reason for which tests were skipped, once, with their number', () => {
    const because = join(ROOT, 'test/support/skip.ts');
    const text = `import { describe, test } from 'vitest';
import { because } from ${JSON.stringify(because)};
describe.skipIf(true)('a', because('no display'), () => {
  test('1', () => {});
  test('2', () => {});
});
test.skipIf(true)('b', because('no npm'), () => {});
test('c', ({ skip }) => skip('no network'));
test.skip('d', () => {});
`;
    const { lines } = lastLine('vitest', { 'a.test.ts': text });
    expect(lines.slice(-5).toSorted()).toEqual([
      '0 passed, 0 failed, 5 skipped',
      '1 skipped: no network',
      '1 skipped: no npm',
      '1 skipped: no reason is given',
      '2 skipped: no display',
    ]);
  });

  test('hold an error that nobody awaited as failed', () => {
    const stray = `${VITEST}test('a', async () => {\n  void Promise.reject(new Error('no'));\n  await new Promise((done) => setImmediate(done));\n});\n`;
    expect(lastLine('vitest', { 'a.test.ts': stray })).toMatchObject({
      status: 1,
      line: '1 passed, 1 failed, 0 skipped',
    });
  });
});

describe("Playwright's counts", () => {
  test('are what passed, failed and was skipped', () => {
    expect(lastLine('playwright', { 'a.spec.ts': PLAYWRIGHT + MIXED })).toMatchObject({
      status: 1,
      line: '1 passed, 1 failed, 1 skipped',
    });
  });

  test('hold a file that cannot be loaded, which keeps all others from running, as failed', () => {
    const files = {
      'good.spec.ts': `${PLAYWRIGHT}test('a', () => {});\n`,
      'unloadable.spec.ts': `${PLAYWRIGHT}throw new Error('no');\n`,
    };
    expect(lastLine('playwright', files)).toMatchObject({ status: 1, line: '0 passed, 1 failed, 0 skipped' });
  });

  test('hold each reason for which tests were skipped, once, with their number', () => {
    const text = `${PLAYWRIGHT}test.describe('a', () => {
  test.skip(true, 'no display');
  test('1', () => {});
  test('2', () => {});
});
test('b', () => {
  test.skip(true, 'no network');
});
test.skip('c', () => {});
`;
    const { lines } = lastLine('playwright', { 'a.spec.ts': text });
    expect(lines.slice(-4).toSorted()).toEqual([
      '0 passed, 0 failed, 4 skipped',
      '1 skipped: no network',
      '1 skipped: no reason is given',
      '2 skipped: no display',
    ]);
  });

  test('hold no tests at all as failed', () => {
    expect(lastLine('playwright', {})).toMatchObject({ status: 1, line: '0 passed, 1 failed, 0 skipped' });
  });
});
