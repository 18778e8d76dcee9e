import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from '@playwright/test';
import { fetchChromium } from './fetch-chromium.ts';

/** How to start a Chromium. */
export interface Browser {
  readonly executablePath: string;
  readonly args: string[];
  /** What it needs in its environment, over what is there. */
  readonly env?: Readonly<Record<string, string>>;
}

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const WELL_KNOWN = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];
const ARGS = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/**
 * A Chromium for the tests: the one at $CHROMIUM_PATH, an installed Chromium or Chrome, Playwright's own, else one from
 * the npm registry, kept in the user's cache. `CHROMIUM_PATH=fetch` asks for the last. None of it needs root.
 */
export async function findChromium(): Promise<Browser> {
  const explicit = process.env['CHROMIUM_PATH'];
  if (explicit === 'fetch') return fetched();
  if (explicit !== undefined && explicit !== '') {
    if (!isExecutable(explicit)) throw new Error(`CHROMIUM_PATH=${explicit} is not an executable file`);
    return found(explicit);
  }
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const candidates = [...NAMES.flatMap((name) => folders.map((folder) => join(folder, name))), ...WELL_KNOWN];
  const installed = candidates.find(isExecutable);
  if (installed !== undefined) return found(installed);
  const own = chromium.executablePath();
  return existsSync(own) ? found(own) : fetched();
}

/** Chromium's sandbox refuses root, which is what containers run as. */
function found(executablePath: string): Browser {
  return { executablePath, args: process.getuid?.() === 0 ? [...ARGS, '--no-sandbox'] : ARGS };
}

async function fetched(): Promise<Browser> {
  const { executablePath, env } = await fetchChromium();
  return { executablePath, args: [...ARGS, '--no-sandbox', '--headless=shell'], env };
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
