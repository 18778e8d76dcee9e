import type * as Electron from 'electron';
import type { Page, Request as PageRequest } from '@playwright/test';
import { app } from './app.ts';
import { received } from './ipc-main.ts';
import { toChromium, toElectron } from './origins.ts';
import type { FromPage } from './page/preload-host.ts';
import { decode, encode } from './page/wire.ts';
import { Renderer, type Sender } from './renderer.ts';
import { applyPermissions } from './session.ts';
import { electronEvent, EMITTER, KnownEvents, strict } from './strict.ts';

const MEMBERS = [
  'executeJavaScript',
  'forcefullyCrashRenderer',
  'getURL',
  'id',
  'isDestroyed',
  'loadURL',
  'send',
  'setWindowOpenHandler',
] as const satisfies readonly (keyof Electron.WebContents)[];

const EVENTS = [
  'destroyed',
  'did-start-navigation',
  'preload-error',
  'render-process-gone',
  // never: a stock Chromium has no such element
  'will-attach-webview',
  'will-frame-navigate',
  'will-navigate',
  // never: a protocol handler that redirects is refused
  'will-redirect',
];

type OpenHandler = Parameters<Electron.WebContents['setWindowOpenHandler']>[0];

let lastId = 0;

/** What a window shows. */
export class DoubleWebContents extends KnownEvents implements Pick<Electron.WebContents, (typeof MEMBERS)[number]> {
  readonly id = ++lastId;
  /** What the app gets to see. */
  readonly api: Electron.WebContents;
  readonly #opening: Promise<Renderer>;
  #renderer: Renderer | undefined;
  #loading = '';
  #destroyed = false;
  #openHandler: OpenHandler | undefined;

  /** @param newPage makes the page in Chromium */
  constructor(newPage: () => Promise<Page>, preload: string | undefined) {
    super('webContents', EVENTS);
    this.api = strict<DoubleWebContents>('webContents', this, [...MEMBERS, ...EMITTER], {
      isDestroyed: () => this.#destroyed,
    }) as unknown as Electron.WebContents;
    app.emit('web-contents-created', electronEvent('web-contents-created', {}), this.api);
    this.#opening = this.#open(newPage, preload);
  }

  isDestroyed(): boolean {
    return this.#destroyed;
  }

  getURL(): string {
    return this.#renderer?.url ?? '';
  }

  setWindowOpenHandler(handler: OpenHandler): void {
    this.#openHandler = handler;
  }

  send(channel: string, ...args: unknown[]): void {
    const message = { op: 'message', channel, args: encode(args) } as const;
    this.#renderer?.post(message);
  }

  async executeJavaScript(code: string): Promise<unknown> {
    return (await this.#opening).page.evaluate(code);
  }

  forcefullyCrashRenderer(): void {
    // never answered: what would answer is gone
    void this.#renderer?.cdp.send('Page.crash').catch(() => {});
  }

  /** Loads an address on behalf of the app: nobody is asked. */
  async loadURL(url: string): Promise<void> {
    const { cdp, page } = await this.#opening;
    await applyPermissions(cdp, this.api, url);
    this.#loading = toChromium(url);
    try {
      await page.goto(this.#loading);
    } catch (error) {
      throw new Error(`ERR_FAILED (-2) loading '${url}'`, { cause: error });
    } finally {
      this.#loading = '';
    }
  }

  /** Gives the page its size, and tells when its first document can be shown. Neither comes when it goes before. */
  prepare(size: Electron.Size, onFirstDocument: () => void): void {
    this.#opening
      .then(async ({ page }) => {
        page.once('domcontentloaded', onFirstDocument);
        await page.setViewportSize(size);
      })
      .catch(() => {});
  }

  /** Resolves when the page is gone. */
  async close(): Promise<void> {
    // a page that Chromium could not open is closed already
    await this.#opening.then(({ page }) => page.close()).catch(() => {});
    this.#destroyed = true;
    this.emit('destroyed');
  }

  /** Whether its page may go where it wants to: the app may refuse. */
  mayNavigate(request: PageRequest): boolean {
    const isMainFrame = request.frame().parentFrame() === null;
    const details = { url: toElectron(request.url()), isMainFrame, isSameDocument: false };
    if (!isMainFrame || request.url() !== this.#loading) {
      for (const name of isMainFrame ? ['will-frame-navigate', 'will-navigate'] : ['will-frame-navigate']) {
        const event = electronEvent(name, details);
        this.emit(name, event);
        if (event.defaultPrevented) return false;
      }
    }
    this.emit('did-start-navigation', electronEvent('did-start-navigation', details));
    return true;
  }

  async #open(newPage: () => Promise<Page>, preload: string | undefined): Promise<Renderer> {
    const page = await newPage();
    contentsOf.set(page, this);
    this.#renderer = await Renderer.open(page, preload, {
      onMessage: (message, sender) => void this.#received(message, sender),
      onWindowOpen: (details) => this.#openWindow(details),
      onCrash: () => {
        const details = { reason: 'crashed', exitCode: 5 };
        this.emit('render-process-gone', electronEvent('render-process-gone', {}), details);
      },
    });
    return this.#renderer;
  }

  async #received(message: FromPage, from: Sender): Promise<void> {
    const event = strict(
      'the event of ipcMain',
      {
        sender: this.api,
        get senderFrame() {
          return from.frame;
        },
      },
      ['sender', 'senderFrame'],
    ) as Electron.IpcMainInvokeEvent & Electron.IpcMainEvent;
    switch (message.op) {
      case 'send':
        received.send(event, message.channel, decode(message.args) as unknown[]);
        break;
      case 'invoke': {
        const { id, channel } = message;
        const reply = await received.invoke(event, channel, decode(message.args) as unknown[]);
        from.reply(
          'error' in reply
            ? { op: 'refuse', id, error: `Error invoking remote method '${channel}': ${reply.error}` }
            : { op: 'reply', id, result: encode(reply.result) },
        );
        break;
      }
      case 'preload-error':
        console.error('Unable to load preload script:', message.text);
        this.emit('preload-error', electronEvent('preload-error', {}), '', new Error(message.text));
    }
  }

  #openWindow(details: { url: string; frameName: string; features: string }): void {
    if (!this.#openHandler) throw new Error('electron double: a page opens a window and nobody has decided about it');
    const { action } = this.#openHandler({
      ...details,
      disposition: 'new-window',
      referrer: { url: this.getURL(), policy: 'default' },
    });
    if (action !== 'deny') throw new Error('electron double: windows that a page opens are not implemented');
  }
}

const contentsOf = new WeakMap<Page, DoubleWebContents>();

/** The contents that a page of Chromium belongs to; undefined for what a page has opened. */
export function contentsOfPage(page: Page): DoubleWebContents | undefined {
  return contentsOf.get(page);
}
