import { expect } from '@playwright/test';
import { ABSENT, hosts } from '../../electron-double/contract/hosts.ts';

for (const { name, test, absent } of hosts) {
  test.describe(`a window in ${name}`, () => {
    test.skip(absent, ABSENT);

    test('a new document starts a navigation, a move within the document does not', async ({ inMain }) => {
      const documents = await inMain(async (_electron, { open }) => {
        const { webContents } = await open();
        const started: string[] = [];
        webContents.on('did-start-navigation', ({ url, isMainFrame, isSameDocument }) => {
          if (isMainFrame && !isSameDocument) started.push(url);
        });
        await webContents.executeJavaScript(`location.hash = 'here'`);
        await webContents.executeJavaScript(`history.pushState({}, '', '/there')`);
        await webContents.loadURL('app://contract/index.html');
        return started;
      });
      expect(documents).toEqual(['app://contract/index.html']);
    });

    test('where a page wants to go can be refused; where the app goes is not asked', async ({ inMain }) => {
      const seen = await inMain(async (_electron, { open }) => {
        const { webContents } = await open();
        const asked = new Promise<string>((resolve) => {
          webContents.on('will-navigate', (event) => {
            event.preventDefault();
            resolve(event.url);
          });
        });
        await webContents.loadURL('app://contract/index.html?by-the-app');
        await webContents.executeJavaScript(`void (location.href = 'https://example.com/away')`);
        return [await asked, webContents.getURL(), (await webContents.executeJavaScript('window.pageRan')) as unknown];
      });
      expect(seen).toEqual(['https://example.com/away', 'app://contract/index.html?by-the-app', true]);
    });

    test('whether a page opens a window is decided by the app', async ({ inMain }) => {
      const seen = await inMain(async ({ BrowserWindow }, { open }) => {
        const { webContents } = await open();
        const asked: string[] = [];
        const both = new Promise<void>((resolve) => {
          webContents.setWindowOpenHandler(({ url }) => {
            if (asked.push(url) === 2) resolve();
            return { action: 'deny' };
          });
        });
        await webContents.executeJavaScript(`void window.open('https://example.com/script')`, true);
        await webContents.executeJavaScript(`document.querySelector('#outside').click()`, true);
        await both;
        return [asked, BrowserWindow.getAllWindows().length];
      });
      expect(seen).toEqual([['https://example.com/script', 'https://example.com/link'], 1]);
    });

    test('a page has the permissions that the handlers grant', async ({ inMain }) => {
      const states = await inMain(async ({ session }, { open }) => {
        session.defaultSession.setPermissionRequestHandler((_contents, _permission, done) => done(false));
        session.defaultSession.setPermissionCheckHandler(
          (_contents, permission, _origin, { requestingUrl }) =>
            permission === 'notifications' && (requestingUrl ?? '').startsWith('app://contract/'),
        );
        const { webContents } = await open();
        const state = (permission: string): Promise<string> =>
          webContents.executeJavaScript(
            `navigator.permissions.query({ name: '${permission}' }).then(({ state }) => state)`,
          ) as Promise<string>;
        return [await state('notifications'), await state('geolocation')];
      });
      expect(states).toEqual(['granted', 'denied']);
    });

    test('a window whose closing is prevented can be hidden and shown again', async ({ inMain }) => {
      const seen = await inMain(async (_electron, { open }) => {
        const window = await open();
        window.show();
        window.once('close', (event) => {
          event.preventDefault();
          window.hide();
        });
        window.close();
        const hidden = [window.isDestroyed(), window.isVisible()];
        window.show();
        return [hidden, window.isVisible(), (await window.webContents.executeJavaScript('window.pageRan')) as unknown];
      });
      expect(seen).toEqual([[false, false], true, true]);
    });

    test('a closed window is of no more use', async ({ inMain }) => {
      const seen = await inMain(async (_electron, { open, failure }) => {
        const window = await open();
        const { webContents } = window;
        const gone = Promise.all([
          new Promise<void>((resolve) => webContents.on('destroyed', resolve)),
          new Promise<void>((resolve) => window.on('closed', resolve)),
        ]);
        window.close();
        await gone;
        return [
          window.isDestroyed(),
          webContents.isDestroyed(),
          failure(() => window.show()),
          failure(() => webContents.send('event')),
        ];
      });
      const destroyed = 'TypeError: Object has been destroyed';
      expect(seen).toEqual([true, true, destroyed, destroyed]);
    });

    test('a page that crashes is reported', async ({ inMain }) => {
      const reason = await inMain(async (_electron, { open }) => {
        const { webContents } = await open();
        const gone = new Promise<string>((resolve) => {
          webContents.on('render-process-gone', (_event, details) => resolve(details.reason));
        });
        webContents.forcefullyCrashRenderer();
        return gone;
      });
      expect(['crashed', 'killed']).toContain(reason);
    });
  });
}
