import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { ROOT } from '../../support/project-root.ts';
import { tempDir } from '../../support/temp-dir.ts';

// real tools are started here, and they share the machine with all other tests
vi.setConfig({ testTimeout: 120_000 });

/** What each tool that `npm test` runs does: its exit code, and for the two runners the counts that they leave. */
interface Tools {
  readonly oxfmt: number;
  readonly oxlint: number;
  readonly tsc: number;
  readonly vitest: Outcome;
  readonly playwright: Outcome;
}
interface Outcome {
  readonly exit: number;
  readonly counts?: {
    readonly passed: number;
    readonly failed: number;
    readonly skipped: number;
    readonly reasons?: Readonly<Record<string, number>>;
  };
}
const ALL_WELL: Tools = {
  oxfmt: 0,
  oxlint: 0,
  tsc: 0,
  vitest: { exit: 0, counts: { passed: 100, failed: 0, skipped: 2 } },
  playwright: { exit: 0, counts: { passed: 10, failed: 0, skipped: 0 } },
};

/** Runs the real script in a project whose tools are one-liners that do as they are told. */
function npmTest(tools: Tools, args: readonly string[] = []) {
  const project = tempDir();
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    writeFileSync(join(project, path), text);
  };
  const says = (name: string, exit: number): string =>
    `console.log(${JSON.stringify(name)}, ...process.argv.slice(2), process.env.AGENTRELAY_LONG ?? ''); process.exitCode = ${exit};`;
  const counted = (name: string, { exit, counts }: Outcome): string =>
    counts === undefined
      ? says(name, exit)
      : `require('node:fs').writeFileSync(process.env.TEST_COUNTS + '/${name}.json', '${JSON.stringify(counts)}'); ${says(name, exit)}`;
  for (const script of ['test.mjs', 'require-node.mjs']) {
    mkdirSync(join(project, 'scripts'), { recursive: true });
    copyFileSync(join(ROOT, 'scripts', script), join(project, 'scripts', script));
  }
  write('node_modules/oxfmt/bin/oxfmt', says('oxfmt', tools.oxfmt));
  write('node_modules/oxlint/bin/oxlint', says('oxlint', tools.oxlint));
  write('node_modules/typescript/bin/tsc', says('tsc', tools.tsc));
  write(
    'node_modules/vitest/vitest.mjs',
    `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url); ${counted('vitest', tools.vitest)}`,
  );
  write('node_modules/@playwright/test/cli.js', counted('playwright', tools.playwright));
  const temp = join(project, 'tmp');
  mkdirSync(temp);
  const { AGENTRELAY_LONG: _, ...env } = process.env;
  const { status, stdout } = spawnSync(process.execPath, ['scripts/test.mjs', ...args], {
    cwd: project,
    encoding: 'utf8',
    env: { ...env, TMPDIR: temp },
  });
  const lines = stdout.trimEnd().split('\n');
  return { status, lines, last: lines.at(-1), leftBehind: readdirSync(temp) };
}

describe('npm test', () => {
  test('runs format, lint, types, vitest and Playwright, in this order', () => {
    const { lines } = npmTest(ALL_WELL);
    expect(
      lines.filter((line) => /^(oxfmt|oxlint|tsc|vitest|playwright) /.test(line)).map((line) => line.trim()),
    ).toEqual(['oxfmt --check', 'oxlint', 'tsc -p .', 'vitest run', 'playwright test']);
  });

  test('ends with one line that sums everything, and counts each check as one', () => {
    const { status, last } = npmTest(ALL_WELL);
    expect(last).toBe('113 passed, 0 failed, 2 skipped');
    expect(status).toBe(0);
  });

  test('says before it why tests were skipped, each reason once with the number of its tests', () => {
    const vitest = {
      exit: 0,
      counts: { passed: 100, failed: 0, skipped: 3, reasons: { 'no npm': 1, 'no display': 2 } },
    };
    const playwright = { exit: 0, counts: { passed: 10, failed: 0, skipped: 4, reasons: { 'no display': 4 } } };
    expect(npmTest({ ...ALL_WELL, vitest, playwright }).lines.slice(-4)).toEqual([
      '1 skipped: no npm',
      '6 skipped: no display',
      '',
      '113 passed, 0 failed, 7 skipped',
    ]);
  });

  test.each(['oxfmt', 'oxlint', 'tsc'] as const)('fails when %s does, and still runs the rest', (check) => {
    const { status, last } = npmTest({ ...ALL_WELL, [check]: 1 });
    expect(last).toBe('112 passed, 1 failed, 2 skipped');
    expect(status).toBe(1);
  });

  test('fails when a test does', () => {
    const vitest = { exit: 1, counts: { passed: 98, failed: 2, skipped: 2 } };
    const { status, last } = npmTest({ ...ALL_WELL, vitest });
    expect(last).toBe('111 passed, 2 failed, 2 skipped');
    expect(status).toBe(1);
  });

  test('fails when a runner fails although no test did', () => {
    const playwright = { exit: 1, counts: { passed: 10, failed: 0, skipped: 0 } };
    expect(npmTest({ ...ALL_WELL, playwright })).toMatchObject({ status: 1, last: '113 passed, 1 failed, 2 skipped' });
  });

  test('fails when a runner leaves no counts, even with exit code 0', () => {
    expect(npmTest({ ...ALL_WELL, vitest: { exit: 0 } })).toMatchObject({
      status: 1,
      last: '13 passed, 1 failed, 0 skipped',
    });
  });

  test('asks for the long forms with --long, and only then', () => {
    expect(npmTest(ALL_WELL, ['--long']).lines).toContain('vitest run 1');
    expect(npmTest(ALL_WELL).lines).toContain('vitest run ');
  });

  test('refuses what it does not know before it runs anything', () => {
    expect(npmTest(ALL_WELL, ['--lnog'])).toMatchObject({ status: 2, lines: [''] });
  });

  test('leaves no file behind', () => {
    expect(npmTest(ALL_WELL).leftBehind).toEqual([]);
  });
});
