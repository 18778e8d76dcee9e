import type { FullConfig, Reporter, Suite, TestCase } from '@playwright/test/reporter';
import { report } from './counts.ts';

export default class CountReporter implements Reporter {
  #suite: Suite | undefined;
  #errors = 0;
  onBegin(_: FullConfig, suite: Suite): void {
    this.#suite = suite;
  }
  // errors outside tests: a config, a global set-up or a file that can't be loaded
  onError(): void {
    this.#errors++;
  }
  onExit(): Promise<void> {
    const c = { passed: 0, failed: this.#errors, skipped: 0 };
    for (const t of this.#suite?.allTests() ?? ([] as TestCase[])) {
      const o = t.outcome();
      if (o === 'expected' || o === 'flaky') c.passed++;
      else if (o === 'unexpected') c.failed++;
      else c.skipped++;
    }
    report('playwright', c);
    return Promise.resolve();
  }
}
