import { defineConfig } from '@playwright/test';
import { findChromium } from './test/support/chromium.ts';

// Found (or fetched) once, in the main process; the workers, which read this file again, get it from the environment.
const browser = process.env['AR_TEST_BROWSER']
  ? (JSON.parse(process.env['AR_TEST_BROWSER']) as Awaited<ReturnType<typeof findChromium>>)
  : await findChromium();
process.env['AR_TEST_BROWSER'] = JSON.stringify(browser);

export default defineConfig({
  testDir: 'test/e2e',
  outputDir: 'test-results/e2e',
  fullyParallel: true,
  workers: 2,
  // each test starts an app and a browser of its own, on machines that may be busy with other things
  timeout: 90_000,
  expect: { timeout: 20_000 },
  forbidOnly: !!process.env['CI'],
  reporter: [['list'], ['./test/support/playwright-reporter.ts']],
  use: {
    browserName: 'chromium',
    headless: true,
    launchOptions: {
      executablePath: browser.executablePath,
      args: browser.args,
      ...(browser.env ? { env: { ...(process.env as Record<string, string>), ...browser.env } } : {}),
    },
    // no trace: it copies the page at each step, also of tests that pass, which a quarter of their time went into
    screenshot: 'only-on-failure',
  },
});
