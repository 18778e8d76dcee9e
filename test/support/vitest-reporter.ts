import type { Reporter, TestModule } from 'vitest/node';
import { report } from './counts.ts';

export default class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const c = { passed: 0, failed: errors.length, skipped: 0 };
    for (const m of modules) {
      for (const t of m.children.allTests()) {
        const { state } = t.result();
        if (state === 'passed') c.passed++;
        else if (state === 'failed') c.failed++;
        else c.skipped++;
      }
      // a file that can't be loaded, or a hook that throws, has errors but no failed test
      c.failed += m.errors().length;
    }
    // after vitest's own summary
    setImmediate(() => report('vitest', c));
  }
}
