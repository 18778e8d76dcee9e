// npm test: format, lint, types, then vitest, then Playwright; every one of them runs, whatever came of those before it.
// The last line has the sum, which CI reads: "N passed, N failed, N skipped". With --long the tests that have a long
// form (AGENTRELAY_LONG=1) run it.
import './require-node.mjs';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Each check counts as one. */
const CHECKS = [
  { name: 'format', cli: 'oxfmt/bin/oxfmt', args: ['--check'] },
  { name: 'lint', cli: 'oxlint/bin/oxlint', args: [] },
  { name: 'types', cli: 'typescript/bin/tsc', args: ['-p', '.'] },
];
/** Each runner leaves its counts in a file (test/support/counts.ts). */
const RUNNERS = [
  { name: 'vitest', cli: 'vitest/vitest.mjs', args: ['run'] },
  { name: 'playwright', cli: '@playwright/test/cli.js', args: ['test'] },
];

const root = fileURLToPath(new URL('..', import.meta.url));
const [flag, ...more] = process.argv.slice(2);
if (more.length > 0 || (flag !== undefined && flag !== '--long')) {
  console.error('Usage: npm test, or npm run test:long. One file: npx vitest run FILE, or npx playwright test FILE.');
  process.exit(2);
}
const counts = mkdtempSync(join(tmpdir(), 'agentrelay-counts-'));
const env = { ...process.env, TEST_COUNTS: counts, ...(flag === '--long' ? { AGENTRELAY_LONG: '1' } : {}) };
const results = [...CHECKS.map(check), ...RUNNERS.map(runner)];
rmSync(counts, { recursive: true });

const sum = (key) => results.reduce((total, result) => total + result[key], 0);
const failed = sum('failed');
for (const [reason, count] of countReasons()) console.log(`${count} skipped: ${reason}`);
process.stdout.write(`\n${sum('passed')} passed, ${failed} failed, ${sum('skipped')} skipped\n`);
process.exit(failed > 0 ? 1 : 0);

/** Why tests were skipped, each reason once with the number of its tests. */
function countReasons() {
  const counts = new Map();
  for (const { reasons = {} } of results) {
    for (const [reason, count] of Object.entries(reasons)) counts.set(reason, (counts.get(reason) ?? 0) + count);
  }
  return counts;
}

function check(tool) {
  const isClean = run(tool).status === 0;
  console.log(`${tool.name}: ${isClean ? 'passed' : 'failed'}`);
  return { passed: isClean ? 1 : 0, failed: isClean ? 0 : 1, skipped: 0 };
}

function runner(tool) {
  const { status, signal } = run(tool);
  let result;
  try {
    result = JSON.parse(readFileSync(join(counts, `${tool.name}.json`), 'utf8'));
  } catch {
    console.error(`${tool.name} ended without a result (${signal ?? status})`);
    return { passed: 0, failed: 1, skipped: 0 };
  }
  // a runner can fail without a failed test: no test found, a threshold, a forgotten .only
  return status !== 0 && result.failed === 0 ? { ...result, failed: 1 } : result;
}

function run({ cli, args }) {
  const command = [join(root, 'node_modules', cli), ...args];
  return spawnSync(process.execPath, command, { cwd: root, stdio: 'inherit', env });
}
