import type { FullConfig, Reporter, Suite, TestCase } from '@playwright/test/reporter';
import { countReasons, report } from './counts.ts';

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
    const tests = this.#suite?.allTests() ?? [];
    const failed = tests.filter((test) => test.outcome() === 'unexpected').length;
    const skipped = tests.filter((test) => test.outcome() === 'skipped');
    report('playwright', {
      passed: tests.length - failed - skipped.length,
      failed: failed + this.#errorsOutsideTests,
      skipped: skipped.length,
      reasons: countReasons(skipped.map(skipReason)),
    });
    return Promise.resolve();
  }
}

/** `test.skip(condition, reason)` and `test.fixme` leave it as an annotation, of the test or of its run. */
function skipReason({ annotations, results }: TestCase): string | undefined {
  const all = [...annotations, ...results.flatMap((result) => result.annotations)];
  return all.find(({ type }) => type === 'skip' || type === 'fixme')?.description;
}
