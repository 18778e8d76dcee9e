import type { Reporter, TestCase, TestModule } from 'vitest/node';
import { countReasons, report } from './counts.ts';
import type {} from './skip.ts';

/** Counts what vitest ran: its own summary counts neither a file that cannot be loaded nor a hook that throws. */
export default class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const outsideTests = modules.reduce((count, module) => count + module.errors().length, errors.length);
    const passed = tests.filter((test) => test.result().state === 'passed').length;
    const failed = tests.filter((test) => test.result().state === 'failed').length;
    const skipped = tests.filter((test) => !['passed', 'failed'].includes(test.result().state));
    const counts = {
      passed,
      failed: failed + outsideTests,
      skipped: skipped.length,
      reasons: countReasons(skipped.map(skipReason)),
    };
    // after vitest's own summary
    setImmediate(() => report('vitest', counts));
  }
}

/** What stands beside `skipIf` (skip.ts), or was given to `context.skip`. */
function skipReason(test: TestCase): string | undefined {
  const result = test.result();
  return (result.state === 'skipped' ? result.note : undefined) ?? test.meta().skipReason;
}
