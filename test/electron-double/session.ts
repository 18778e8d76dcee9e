import type * as Electron from 'electron';
import type { CDPSession } from '@playwright/test';
import { app } from './app.ts';
import { toChromium } from './origins.ts';
import { strict } from './strict.ts';

const MEMBERS = [
  'setPermissionCheckHandler',
  'setPermissionRequestHandler',
] as const satisfies readonly (keyof Electron.Session)[];

type CheckHandler = Parameters<Electron.Session['setPermissionCheckHandler']>[0];
type RequestHandler = Parameters<Electron.Session['setPermissionRequestHandler']>[0];
type Permission = Parameters<NonNullable<CheckHandler>>[1];

/** Electron's names of permissions, and the names in Chrome DevTools Protocol. */
const PERMISSIONS = {
  'clipboard-read': 'clipboard-read',
  'clipboard-sanitized-write': 'clipboard-write',
  geolocation: 'geolocation',
  notifications: 'notifications',
} as const satisfies Partial<Record<Permission, string>>;

/** The default session: who may have which permission. */
class DoubleSession implements Pick<Electron.Session, (typeof MEMBERS)[number]> {
  #check: CheckHandler = null;
  #request: RequestHandler = null;

  setPermissionCheckHandler(handler: CheckHandler): void {
    this.#check = handler;
  }

  setPermissionRequestHandler(handler: RequestHandler): void {
    this.#request = handler;
  }

  /** A handler that is missing grants, as in Electron. */
  async apply(cdp: CDPSession, contents: Electron.WebContents, url: string): Promise<void> {
    const origin = new URL(url);
    for (const [permission, name] of Object.entries(PERMISSIONS) as [keyof typeof PERMISSIONS, string][]) {
      const details = { requestingUrl: url, isMainFrame: true };
      const granted =
        (this.#check?.(contents, permission, `${origin.protocol}//${origin.host}/`, details) ?? true) ||
        (await this.#ask(contents, permission, details));
      await cdp.send('Browser.setPermission', {
        origin: new URL(toChromium(url)).origin,
        permission: { name },
        setting: granted ? 'granted' : 'denied',
      });
    }
  }

  #ask(contents: Electron.WebContents, permission: Permission, details: Electron.PermissionRequest): Promise<boolean> {
    return new Promise((resolve) => {
      if (this.#request) this.#request(contents, permission, resolve, details);
      else resolve(true);
    });
  }
}

const implementation = new DoubleSession();
const defaultSession = strict('session.defaultSession', implementation, MEMBERS);

export const session = strict(
  'session',
  {
    get defaultSession() {
      if (!app.isReady()) throw new Error('Session can only be received when app is ready');
      return defaultSession;
    },
  },
  ['defaultSession'],
);

/**
 * Lets Chromium answer a page as the handlers would. It asks nobody at the time, so they are asked beforehand.
 * @param url what the page is going to load
 */
export function applyPermissions(cdp: CDPSession, contents: Electron.WebContents, url: string): Promise<void> {
  return implementation.apply(cdp, contents, url);
}
