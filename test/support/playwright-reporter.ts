import type { FullConfig, Reporter, Suite } from '@playwright/test/reporter';
import { report } from './counts.ts';

/** Counts what Playwright ran. A test that passed at its second try has passed. */
export default class CountReporter implements Reporter {
  #suite: Suite | undefined;
  #errorsOutsideTests = 0;

  onBegin(_config: FullConfig, suite: Suite): void {
    this.#suite = suite;
  }

  /** A configuration, a global set-up or a file that cannot be loaded. */
  onError(): void {
    this.#errorsOutsideTests++;
  }

  onExit(): Promise<void> {
    const outcomes = this.#suite?.allTests().map((test) => test.outcome()) ?? [];
    const failed = outcomes.filter((outcome) => outcome === 'unexpected').length;
    const skipped = outcomes.filter((outcome) => outcome === 'skipped').length;
    report('playwright', {
      passed: outcomes.length - failed - skipped,
      failed: failed + this.#errorsOutsideTests,
      skipped,
    });
    return Promise.resolve();
  }
}
