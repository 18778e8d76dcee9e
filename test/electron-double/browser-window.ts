import type * as Electron from 'electron';
import type { Page } from '@playwright/test';
import { app } from './app.ts';
import { browser } from './browser.ts';
import { routeRequests } from './network.ts';
import { changed } from './observers.ts';
import { electronEvent, EMITTER, KnownEvents, refuseUnknown, strict } from './strict.ts';
import { DoubleWebContents } from './web-contents.ts';
import { windowClosed, windowCloseRefused, windowOpened } from './windows.ts';

const MEMBERS = [
  'close',
  'destroy',
  'focus',
  'hide',
  'id',
  'isDestroyed',
  'isMinimized',
  'isVisible',
  'loadURL',
  'minimize',
  'restore',
  'show',
  'webContents',
] as const satisfies readonly (keyof Electron.BrowserWindow)[];

const OPTIONS = ['title', 'width', 'height', 'minWidth', 'minHeight', 'show', 'webPreferences'];
const PREFERENCES = ['preload', 'contextIsolation', 'nodeIntegration', 'sandbox'];

let lastId = 0;
const windows = new Set<DoubleWindow>();

/** The windows that are open. */
export function currentWindows(): readonly DoubleWindow[] {
  return [...windows];
}

/** A window: what it shows is a page of Chromium; whether it shows is only kept. */
class DoubleWindow extends KnownEvents implements Pick<Electron.BrowserWindow, (typeof MEMBERS)[number]> {
  readonly id = ++lastId;
  /** What the app gets to see. */
  readonly api: DoubleWindow;
  readonly #contents: DoubleWebContents;
  #visible: boolean;
  #minimized = false;
  #closing = false;
  #destroyed = false;

  constructor(options: Electron.BrowserWindowConstructorOptions) {
    super('BrowserWindow', ['close', 'closed', 'hide', 'minimize', 'ready-to-show', 'restore', 'show']);
    if (!app.isReady()) throw new Error('Cannot create BrowserWindow before app is ready');
    const { width = 800, height = 600, show = true, webPreferences = {} } = options;
    refuseUnknown('BrowserWindow', options, OPTIONS);
    refuseUnknown('BrowserWindow.webPreferences', webPreferences, PREFERENCES);
    const { preload, contextIsolation = true, nodeIntegration = false, sandbox = true } = webPreferences;
    if (!contextIsolation || nodeIntegration || !sandbox) {
      throw new Error('electron double: only isolated, sandboxed windows without Node are implemented');
    }
    this.api = strict<DoubleWindow>('BrowserWindow', this, [...MEMBERS, ...EMITTER], {
      isDestroyed: () => this.#destroyed,
    });
    this.#visible = show;
    this.#contents = new DoubleWebContents(newPage, preload);
    windows.add(this);
    windowOpened(this);
    changed();
    this.#contents.prepare({ width, height }, () => this.emit('ready-to-show'));
  }

  get webContents(): Electron.WebContents {
    return this.#contents.api;
  }

  loadURL(url: string): Promise<void> {
    return this.#contents.loadURL(url);
  }

  /** Leaves a minimised window where it is, as some desktops do. */
  show(): void {
    if (!this.#visible) {
      this.#visible = true;
      this.emit('show');
    }
    changed();
  }

  hide(): void {
    if (this.#visible) {
      this.#visible = false;
      this.emit('hide');
    }
    changed();
  }

  /** Only for a window that shows: no desktop gives the keyboard to another. */
  focus(): void {
    if (!this.#visible) throw new Error('electron double: a hidden window gets the focus');
  }

  minimize(): void {
    this.#minimized = true;
    this.emit('minimize');
    changed();
  }

  restore(): void {
    this.#minimized = false;
    this.emit('restore');
    changed();
  }

  isVisible(): boolean {
    return this.#visible;
  }

  isMinimized(): boolean {
    return this.#minimized;
  }

  isDestroyed(): boolean {
    return this.#destroyed;
  }

  /** What the button of the frame does as well. */
  close(): void {
    if (this.#closing) return;
    const event = electronEvent('close', {});
    this.emit('close', event);
    if (event.defaultPrevented) {
      windowCloseRefused();
      return;
    }
    this.destroy();
  }

  /** Closes it without asking. */
  destroy(): void {
    if (this.#closing) return;
    this.#closing = true;
    void this.#contents.close().then(() => {
      this.#destroyed = true;
      this.#visible = false;
      windows.delete(this);
      changed();
      this.emit('closed');
      windowClosed(this);
    });
  }
}

async function newPage(): Promise<Page> {
  const context = await browser(app.getPath('userData'));
  await routeRequests(context);
  return context.newPage();
}

/** `new BrowserWindow(options)`. */
export const BrowserWindow = strict(
  'BrowserWindow',
  class {
    constructor(options: Electron.BrowserWindowConstructorOptions = {}) {
      return new DoubleWindow(options).api;
    }

    static getAllWindows(): DoubleWindow[] {
      return [...windows].map(({ api }) => api);
    }
  },
  ['getAllWindows'],
);
