import type { Reporter, TestModule } from 'vitest/node';
import { report } from './counts.ts';

/** Counts what vitest ran: its own summary counts neither a file that cannot be loaded nor a hook that throws. */
export default class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const states = modules.flatMap((module) => [...module.children.allTests()].map((test) => test.result().state));
    const outsideTests = modules.reduce((count, module) => count + module.errors().length, errors.length);
    const passed = states.filter((state) => state === 'passed').length;
    const failed = states.filter((state) => state === 'failed').length;
    const counts = { passed, failed: failed + outsideTests, skipped: states.length - passed - failed };
    // after vitest's own summary
    setImmediate(() => report('vitest', counts));
  }
}
