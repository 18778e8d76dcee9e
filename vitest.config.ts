import { defineConfig } from 'vitest/config';

export default defineConfig({
  define: { __VERSION__: JSON.stringify('0.0.0-test') },
  test: {
    pool: 'forks',
    // a file in a process of its own would load the relay anew, which takes longer than most tests; what a test changes of
    // its process it puts back
    isolate: false,
    // by default one processor is left to vitest itself, which has next to nothing to do: of two, half the machine
    maxWorkers: '100%',
    reporters: ['default', './test/support/vitest-reporter.ts'],
    projects: [
      { extends: true, test: { name: 'unit', include: ['test/unit/**/*.test.ts'] } },
      {
        extends: true,
        test: { name: 'integration', include: ['test/integration/**/*.test.ts'], testTimeout: 20_000 },
      },
    ],
    coverage: { provider: 'v8', include: ['relay/**', 'main/**'], reporter: ['text-summary', 'lcov'] },
  },
});
