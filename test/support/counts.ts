import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What came of a run of tests. */
export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** How many were skipped for each reason. */
  readonly reasons: Readonly<Record<string, number>>;
}

/** The reasons for which tests were skipped, counted; a test that gives none counts as such. */
export function countReasons(given: readonly (string | undefined)[]): Counts['reasons'] {
  const reasons: Record<string, number> = {};
  for (const reason of given) {
    const text = reason ?? 'no reason is given';
    reasons[text] = (reasons[text] ?? 0) + 1;
  }
  return reasons;
}

/**
 * Under scripts/test.mjs the counts go into a file of the folder that it names, and are summed there; a runner that was
 * started alone prints them as its last lines.
 */
export function report(runner: 'vitest' | 'playwright', counts: Counts): void {
  const folder = process.env['TEST_COUNTS'];
  if (folder === undefined) {
    const reasons = Object.entries(counts.reasons).map(([reason, count]) => `${count} skipped: ${reason}\n`);
    process.stdout.write(
      `\n${reasons.join('')}${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped\n`,
    );
  } else {
    writeFileSync(join(folder, `${runner}.json`), JSON.stringify(counts));
  }
}
