import { app, session, shell, type Event, type WebContents } from 'electron';
import { isAppUrl, isSafeExternal } from './app-url.ts';
import { isPermitted } from './permissions.ts';

/**
 * Shuts what the window never needs: other pages, windows of its own, embedded views and permissions. Safe links go to
 * the system's browser (Electron's security checklist, items 5 and 12 to 15). Call it when the app is ready, before
 * the first window.
 */
export function secureWindows(): void {
  app.on('web-contents-created', (_event, contents) => guard(contents));
  session.defaultSession.setPermissionRequestHandler((_contents, permission, answer, details) =>
    answer(isPermitted(permission, details.requestingUrl)),
  );
  session.defaultSession.setPermissionCheckHandler((_contents, permission, _origin, details) =>
    isPermitted(permission, details.requestingUrl),
  );
}

function guard(contents: WebContents): void {
  const stay = (event: Event<{ readonly url: string }>): void => {
    if (!isAppUrl(event.url)) event.preventDefault();
  };
  contents.on('will-navigate', stay);
  contents.on('will-frame-navigate', stay);
  contents.on('will-redirect', stay);
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(({ url }) => {
    if (isSafeExternal(url)) {
      // not inside the handler, which holds up the page
      setImmediate(() => {
        shell.openExternal(url).catch((error: unknown) => console.error(`Could not open ${url}:`, error));
      });
    }
    return { action: 'deny' };
  });
}
