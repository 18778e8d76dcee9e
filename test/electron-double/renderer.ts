import type * as Electron from 'electron';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { CDPSession, Page } from '@playwright/test';
import { changed } from './observers.ts';
import { toElectron } from './origins.ts';
import type { FromPage, ToPage } from './page/preload-host.ts';
import { BINDING, HOST, pageScript, PRELOAD_WORLD, preloadScript } from './page/scripts.ts';
import { strict } from './strict.ts';

/** The document that sent a message. */
export interface Sender {
  /** Its main frame; null once it has gone, as in Electron. */
  readonly frame: Electron.WebFrameMain | null;
  /** Answers it; lost once it has gone. */
  reply(message: ToPage): void;
}

/** What a page tells of. Addresses are those that the app knows. */
export interface RendererEvents {
  onMessage(message: FromPage, sender: Sender): void;
  onWindowOpen(details: { url: string; frameName: string; features: string }): void;
  onCrash(): void;
}

/** A page of Chromium with a preload in a world of its own, over Chrome DevTools Protocol. */
export class Renderer {
  readonly page: Page;
  readonly cdp: CDPSession;
  #url = '';
  /** The preload's world of the document that is shown. */
  #world: number | undefined;

  private constructor(page: Page, cdp: CDPSession) {
    this.page = page;
    this.cdp = cdp;
  }

  /** @param preload absolute path of a script in one file, CommonJS */
  static async open(page: Page, preload: string | undefined, events: RendererEvents): Promise<Renderer> {
    const cdp = await page.context().newCDPSession(page);
    const renderer = new Renderer(page, cdp);
    renderer.#listen((await cdp.send('Page.getFrameTree')).frameTree.frame.id, events);
    await cdp.send('Page.enable');
    await cdp.send('Runtime.enable');
    const channel = `electron-double-${randomUUID()}-`;
    await cdp.send('Page.addScriptToEvaluateOnNewDocument', { source: pageScript(channel) });
    if (preload !== undefined) {
      await cdp.send('Runtime.addBinding', { name: BINDING, executionContextName: PRELOAD_WORLD });
      await cdp.send('Page.addScriptToEvaluateOnNewDocument', {
        source: preloadScript(channel, readFileSync(preload, 'utf8'), preload),
        worldName: PRELOAD_WORLD,
      });
    }
    return renderer;
  }

  get url(): string {
    return this.#url;
  }

  /** To the preload of the document that is shown; lost when it has none, as in Electron. */
  post(message: ToPage): void {
    if (this.#world !== undefined) this.#postTo(this.#world, message);
  }

  #listen(mainFrame: string, events: RendererEvents): void {
    const { cdp, page } = this;
    cdp.on('Page.frameNavigated', ({ frame }) => {
      if (frame.id !== mainFrame) return;
      this.#url = toElectron(frame.url);
      changed();
    });
    cdp.on('Runtime.executionContextCreated', ({ context: { id, name, auxData } }) => {
      if (name === PRELOAD_WORLD && (auxData as { frameId?: string } | undefined)?.frameId === mainFrame) {
        this.#world = id;
      }
    });
    cdp.on('Runtime.executionContextDestroyed', ({ executionContextId }) => this.#worldGone(executionContextId));
    cdp.on('Runtime.executionContextsCleared', () => this.#worldGone(this.#world));
    cdp.on('Runtime.bindingCalled', ({ name, payload, executionContextId }) => {
      if (name === BINDING) events.onMessage(JSON.parse(payload) as FromPage, this.#sender(executionContextId));
    });
    cdp.on('Page.windowOpen', ({ url, windowName, windowFeatures }) =>
      events.onWindowOpen({ url: toElectron(url), frameName: windowName, features: windowFeatures.join(',') }),
    );
    // Whoever was asked has said no; what Chromium opened all the same goes at once.
    page.on('popup', (popup) => void popup.close());
    page.on('crash', () => events.onCrash());
    page.on('pageerror', (error) => console.error('electron double: an error in the page:', error));
  }

  #sender(world: number): Sender {
    const url = this.#url;
    const isCurrent = (): boolean => this.#world === world;
    const frame = strict('WebFrameMain', { url, parent: null, isDestroyed: () => !isCurrent() }, [
      'url',
      'parent',
      'isDestroyed',
    ]) satisfies Pick<Electron.WebFrameMain, 'url' | 'parent' | 'isDestroyed'>;
    return {
      get frame() {
        return isCurrent() ? (frame as Electron.WebFrameMain) : null;
      },
      reply: (message) => {
        if (isCurrent()) this.#postTo(world, message);
      },
    };
  }

  #worldGone(world: number | undefined): void {
    if (this.#world === world) this.#world = undefined;
  }

  #postTo(world: number, message: ToPage): void {
    const expression = `${HOST}.receive(${JSON.stringify(message)})`;
    this.cdp
      .send('Runtime.evaluate', { contextId: world, expression })
      .then(({ exceptionDetails }) => {
        if (exceptionDetails) console.error('electron double: an error in the preload:', exceptionDetails.exception);
      })
      // the document went in between
      .catch(() => {});
  }
}
