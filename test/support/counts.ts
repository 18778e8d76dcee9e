import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What came of a run of tests. */
export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/**
 * Under scripts/test.mjs the counts go into a file of the folder that it names, and are summed there; a runner that was
 * started alone prints them as its last line.
 */
export function report(runner: 'vitest' | 'playwright', counts: Counts): void {
  const folder = process.env['TEST_COUNTS'];
  if (folder === undefined) {
    process.stdout.write(`\n${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped\n`);
  } else {
    writeFileSync(join(folder, `${runner}.json`), JSON.stringify(counts));
  }
}
