import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContext } from '@playwright/test';
import { changed } from './observers.ts';
import type { Browser } from '../support/chromium.ts';

let launched: Promise<BrowserContext> | undefined;
let endpoint: string | undefined;

/** The one Chromium, started with the first window. Its profile lies in `userData`, as Electron's does. */
export function browser(userData: string): Promise<BrowserContext> {
  launched ??= launch(join(userData, 'chromium'));
  return launched;
}

/** Where a test can attach to the same Chromium (Chrome DevTools Protocol), once it runs. */
export function devtoolsEndpoint(): string | undefined {
  return endpoint;
}

/** Ends Chromium, when it was started. */
export async function closeBrowser(): Promise<void> {
  const context = await launched?.catch(() => undefined);
  await context?.close();
}

async function launch(profile: string): Promise<BrowserContext> {
  // not before the first window: it takes half a second to load
  const { chromium } = await import('@playwright/test');
  const { executablePath, args, env } = await configuredChromium();
  const portFile = join(profile, 'DevToolsActivePort');
  rmSync(portFile, { force: true });
  const context = await chromium.launchPersistentContext(profile, {
    executablePath,
    // the port is open to every user of this machine: only where a test has use for it
    args: [...args, ...(process.connected ? ['--remote-debugging-port=0'] : [])],
    headless: !(process.env['ELECTRON_DOUBLE_HEADED'] === '1' && process.env['DISPLAY']),
    colorScheme: null,
    viewport: null,
    handleSIGHUP: false,
    handleSIGINT: false,
    handleSIGTERM: false,
    ...(env ? { env: { ...process.env, ...env } } : {}),
  });
  if (process.connected) {
    endpoint = `http://127.0.0.1:${readFileSync(portFile, 'utf8').split('\n', 1)[0]}`;
    changed();
  }
  return context;
}

/** The browser that the test runner has found already, else one found now. */
async function configuredChromium(): Promise<Browser> {
  const found = process.env['AR_TEST_BROWSER'];
  if (found) return JSON.parse(found) as Browser;
  const { findChromium } = await import('../support/chromium.ts');
  return findChromium();
}
