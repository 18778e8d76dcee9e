import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

/** Under scripts/test.mjs the counts go into a file and are summed there; alone, they are the last line, which CI reads. */
export function report(runner: string, c: Counts): void {
  const dir = process.env['TEST_COUNTS'];
  if (dir) {
    mkdirSync(dir, { recursive: true });
    writeFileSync(join(dir, `${runner}.json`), JSON.stringify(c));
  } else {
    process.stdout.write(`\n${c.passed} passed, ${c.failed} failed, ${c.skipped} skipped\n`);
  }
}
