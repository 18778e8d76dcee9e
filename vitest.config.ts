import { defineConfig } from 'vitest/config';

export default defineConfig({
  define: { __VERSION__: JSON.stringify('0.0.0-test') },
  test: {
    pool: 'forks',
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
