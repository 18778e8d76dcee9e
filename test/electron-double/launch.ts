import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { chromium, type Browser, type Page } from '@playwright/test';
import { atExit } from '../support/at-exit.ts';
import type { DesktopState, DriverMessage, DriverRequest, UserAction } from './driver-messages.ts';

const REGISTER = fileURLToPath(new URL('register.mjs', import.meta.url));

/** An app that runs on the double, seen and used as a person at the desktop does it. */
export class DoubleApp implements AsyncDisposable {
  readonly child: ChildProcess;
  #state: DesktopState | undefined;
  #browser: Browser | undefined;
  #lastAction = 0;
  readonly #forget = atExit(() => this.child.kill('SIGKILL'));

  /**
   * Starts a main script, with stdout and stderr piped.
   * @param entry absolute path of the built main script
   */
  constructor(entry: string, args: readonly string[], env: Readonly<Record<string, string | undefined>>) {
    this.child = fork(entry, args, { execArgv: ['--import', REGISTER], env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
    this.child.on('message', (message: DriverMessage) => {
      if (message.kind === 'state') this.#state = message.state;
    });
  }

  /** What is on the desktop, once it is as the caller waits for it. */
  async desktop(isExpected: (state: DesktopState) => boolean): Promise<DesktopState> {
    const ended = this.#ended();
    while (!this.#state || !isExpected(this.#state)) {
      const isOver = await Promise.race([once(this.child, 'message'), ended.then(() => true)]);
      if (isOver === true) throw new Error(`The app ended; the desktop was ${JSON.stringify(this.#state)}`);
    }
    return this.#state;
  }

  /** Does what a user does. Rejects when that is not possible. */
  async act(action: UserAction): Promise<void> {
    const request: DriverRequest = { id: ++this.#lastAction, action };
    const done = new Promise<string | undefined>((resolve) => {
      const listen = (message: DriverMessage): void => {
        if (message.kind !== 'done' || message.id !== request.id) return;
        this.child.off('message', listen);
        resolve(message.error);
      };
      this.child.on('message', listen);
    });
    this.child.send(request);
    const error = await done;
    if (error !== undefined) throw new Error(error);
  }

  /** The page in the one window, once it shows something. */
  async page(): Promise<Page> {
    const { devtools = '' } = await this.desktop((desktop) => (desktop.windows[0]?.url ?? '') !== '');
    this.#browser ??= await chromium.connectOverCDP(devtools);
    const pages = this.#browser.contexts().flatMap((context) => context.pages());
    // beside it there is only the blank page that Chromium starts with
    const page = pages.find((candidate) => candidate.url().startsWith('https:'));
    if (!page) throw new Error('No page of Chromium is that of the window');
    return page;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#forget();
    await this.#browser?.close();
    // it quits when nobody drives it any more, and takes Chromium with it
    if (this.child.connected) this.child.disconnect();
    await this.#ended();
  }

  async #ended(): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) await once(this.child, 'exit');
  }
}
