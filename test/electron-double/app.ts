import type * as Electron from 'electron';
import { statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { closeBrowser } from './browser.ts';
import { changed } from './observers.ts';
import { SingleInstance } from './single-instance.ts';
import { electronEvent, EMITTER, KnownEvents, strict } from './strict.ts';
import { openWindows, watchWindows } from './windows.ts';

const MEMBERS = [
  'enableSandbox',
  'exit',
  'getPath',
  'isPackaged',
  'isReady',
  'quit',
  'requestSingleInstanceLock',
  'setAppUserModelId',
  'setPath',
  'whenReady',
] as const satisfies readonly (keyof Electron.App)[];

const EVENTS = [
  'activate',
  'before-quit',
  'quit',
  'ready',
  'second-instance',
  'web-contents-created',
  'will-quit',
  'window-all-closed',
];

/** From the first line of the main script to the exit code, in the order in which Electron does it. */
class DoubleApp extends KnownEvents implements Pick<Electron.App, (typeof MEMBERS)[number]> {
  readonly isPackaged = false;
  #ready = false;
  #quitting = false;
  #exiting = false;
  #userData: string | undefined;
  #instance: SingleInstance | undefined;
  #secondHasSpoken: Promise<void> = Promise.resolve();
  readonly #whenReady = Promise.withResolvers<void>();
  // Node ends when nothing is left to do, Electron when it is told to.
  readonly #alive = setInterval(() => {}, 2 ** 30);

  constructor() {
    super('app', EVENTS);
    watchWindows(
      () => this.#lastWindowClosed(),
      () => {
        this.#quitting = false;
      },
    );
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => this.quit());
    // whoever drives this process is gone
    process.on('disconnect', () => this.quit());
    // Electron does not wait for what the main script waits for.
    setImmediate(() => this.#becomeReady());
  }

  isReady(): boolean {
    return this.#ready;
  }

  whenReady(): Promise<void> {
    return this.#whenReady.promise;
  }

  /** The folder that was set. There is no default: a test never touches the user's own profile. */
  getPath(name: string): string {
    if (name !== 'userData') throw new Error(`electron double: app.getPath('${name}') is not implemented`);
    if (this.#userData === undefined) {
      throw new Error('electron double: userData is asked for before app.setPath has set it');
    }
    return this.#userData;
  }

  setPath(name: string, path: string): void {
    if (name !== 'userData') throw new Error(`electron double: app.setPath('${name}') is not implemented`);
    if (!isAbsolute(path)) throw new Error('Path must be absolute');
    if (!statSync(path).isDirectory()) throw new Error(`${path} is not a folder`);
    if (this.#instance) throw new Error('electron double: userData is set after the lock that depends on it');
    this.#userData = path;
  }

  enableSandbox(): void {
    if (this.#ready) throw new Error('app.enableSandbox() can only be called before app is ready');
  }

  setAppUserModelId(): void {
    if (process.platform !== 'win32') throw new Error('electron double: app.setAppUserModelId exists on Windows only');
  }

  requestSingleInstanceLock(data: Record<PropertyKey, unknown> = {}): boolean {
    this.#instance ??= new SingleInstance(this.getPath('userData'));
    const acquired = this.#instance.acquire((second) => {
      const event = electronEvent('second-instance', {});
      this.emit('second-instance', event, second.argv, second.cwd, second.data);
    });
    if (!acquired) {
      this.#secondHasSpoken = this.#instance.notifyOwner({ argv: process.argv, cwd: process.cwd(), data });
    }
    return acquired;
  }

  quit(): void {
    if (this.#quitting || this.#exiting) return;
    const event = electronEvent('before-quit', {});
    this.emit('before-quit', event);
    if (event.defaultPrevented) return;
    this.#quitting = true;
    const windows = openWindows();
    if (windows.length === 0) this.#willQuit();
    for (const window of windows) {
      if (this.#quitting) window.close();
    }
  }

  exit(code = 0): void {
    void this.#exit(code);
  }

  #becomeReady(): void {
    if (this.#exiting) return;
    // Throws when nobody has set it: Electron would open the user's own profile now.
    this.getPath('userData');
    this.#ready = true;
    changed();
    this.emit('ready', electronEvent('ready', {}), {});
    this.#whenReady.resolve();
  }

  #lastWindowClosed(): void {
    if (this.#exiting) return;
    if (this.#quitting) this.#willQuit();
    else if (!this.emit('window-all-closed')) this.quit();
  }

  #willQuit(): void {
    const event = electronEvent('will-quit', {});
    this.emit('will-quit', event);
    if (event.defaultPrevented) this.#quitting = false;
    else void this.#exit(0);
  }

  async #exit(code: number): Promise<void> {
    if (this.#exiting) return;
    this.#exiting = true;
    this.emit('quit', electronEvent('quit', {}), code);
    await Promise.all([closeBrowser(), this.#secondHasSpoken]);
    this.#instance?.release();
    clearInterval(this.#alive);
    process.exit(code);
  }
}

export const app = strict('app', new DoubleApp(), [...MEMBERS, ...EMITTER]);
