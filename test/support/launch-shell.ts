import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Browser, Page } from '@playwright/test';
import { DoubleApp } from '../electron-double/launch.ts';
import { atExit } from './at-exit.ts';
import { ROOT } from './project-root.ts';

/** The shells that show the window: the same scenario runs on each. */
export const SHELLS = ['browser', 'electron-double'] as const;
export type ShellName = (typeof SHELLS)[number];

/** A running app and its window. Disposing of it kills what still runs. */
export interface Shell extends AsyncDisposable {
  readonly page: Page;
  /** What it said at the start, by the first word of each line: `Relay`, `Window`, `MCP`. */
  readonly lines: ReadonlyMap<string, string>;
  /** Quits as a user does, by the tray or by Ctrl-C. Resolves with the exit code. */
  quit(): Promise<number | null>;
}

/**
 * Starts the built app as frank@acme on a data folder, and opens its window.
 * @param browser where the window of the browser shell opens
 */
export function launchShell(name: ShellName, home: string, browser: Browser): Promise<Shell> {
  return name === 'browser' ? launchBrowserShell(home, browser) : launchElectronDouble(home);
}

async function launchBrowserShell(home: string, browser: Browser): Promise<Shell> {
  const entry = join(ROOT, 'out/main/browser.js');
  const child = spawn(process.execPath, [entry, '--headless', '--home', home, '--port', '0'], {
    env: environment(),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const forget = atExit(() => child.kill('SIGKILL'));
  const lines = await startLines(child);
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(lines.get('Window') ?? '');
  return {
    page,
    lines,
    quit: () => {
      child.kill('SIGINT');
      return exitCode(child);
    },
    async [Symbol.asyncDispose]() {
      forget();
      await context.close();
      child.kill('SIGKILL');
      await exitCode(child);
    },
  };
}

/** The Electron shell on the double; also to be used as a person uses the desktop around the window. */
export async function launchElectronDouble(
  home: string,
  args: readonly string[] = [],
): Promise<Shell & { readonly app: DoubleApp }> {
  const app = startElectronDouble(home, args);
  const lines = await startLines(app.child);
  return {
    app,
    page: await app.page(),
    lines,
    quit: async () => {
      const code = exitCode(app.child);
      await app.act({ do: 'choose-tray-item', label: 'Quit' });
      return code;
    },
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  };
}

/** Starts the Electron shell on the double, and waits for nothing. */
export function startElectronDouble(home: string, args: readonly string[] = []): DoubleApp {
  return new DoubleApp(join(ROOT, 'out/main/index.js'), ['--home', home, '--port', '0', ...args], environment());
}

/** What an app says until it is ready, or ends in order. */
export async function startLines(child: ChildProcess): Promise<ReadonlyMap<string, string>> {
  if (!child.stdout || !child.stderr) throw new Error('The output of the app is not piped');
  const lines = new Map<string, string>();
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  for await (const line of createInterface({ input: child.stdout })) {
    const [word = '', text = ''] = line.split(/ +/, 2);
    lines.set(word, text);
    if (word === 'Ready') return lines;
  }
  const code = await exitCode(child);
  if (code !== 0) throw new Error(`The app ended with ${code}: ${errors}`);
  return lines;
}

async function exitCode(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return child.exitCode;
}

/** The test's own environment, without what would make a start behave otherwise. */
function environment(): Record<string, string | undefined> {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('AGENTRELAY_'));
  return { ...Object.fromEntries(own), AGENTRELAY_HANDLE: 'frank', AGENTRELAY_NAME: 'acme' };
}
