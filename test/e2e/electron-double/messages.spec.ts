import type * as Electron from 'electron';
import { expect } from '@playwright/test';
import { ABSENT, hosts } from '../../electron-double/contract/hosts.ts';

for (const { name, test, absent } of hosts) {
  test.describe(`what crosses to a page in ${name}`, () => {
    test.skip(absent, ABSENT);

    test('a channel has one handler, and a scheme too', async ({ inMain }) => {
      const failures = await inMain(({ ipcMain, protocol }, { failure }) => {
        ipcMain.handle('taken', () => 1);
        return [
          failure(() => ipcMain.handle('taken', () => 2)),
          failure(() => protocol.handle('app', () => new Response())),
        ];
      });
      expect(failures).toEqual([
        "Error: Attempted to register a second handler for 'taken'",
        'Error: Failed to register protocol: app',
      ]);
    });

    test('of an error only its text crosses to the page', async ({ inMain }) => {
      const failures = await inMain(async ({ ipcMain }, { open }) => {
        ipcMain.handle('fails', () => Promise.reject(Object.assign(new RangeError('too far'), { code: 7 })));
        const { webContents } = await open();
        const failure = (channel: string): Promise<unknown> =>
          webContents.executeJavaScript(
            `bridge.invoke('${channel}').catch((e) => [e.message, e.code, e instanceof RangeError])`,
          );
        return [await failure('fails'), await failure('unknown')];
      });
      expect(failures).toEqual([
        ["Error invoking remote method 'fails': RangeError: too far", null, false],
        ["Error invoking remote method 'unknown': Error: No handler registered for 'unknown'", null, false],
      ]);
    });

    test('what crosses is copied, and what cannot be copied is refused', async ({ inMain }) => {
      const seen = await inMain(async ({ ipcMain }, { open, failure }) => {
        ipcMain.handle('echo', (_event, value: { at: Date }) => ({ ...value, wasDate: value.at instanceof Date }));
        ipcMain.handle('function', () => () => {});
        const { webContents } = await open();
        return {
          copied: (await webContents.executeJavaScript(`(async () => {
            const back = await bridge.invoke('echo', { at: new Date(5), gone: undefined, list: [1, null] });
            return [back.at instanceof Date, back.at.getTime(), back.wasDate, 'gone' in back, back.list];
          })()`)) as unknown,
          answer: (await webContents.executeJavaScript(`bridge.invoke('function').catch(() => 'refused')`)) as unknown,
          message: failure(() => webContents.send('event', () => {})),
        };
      });
      expect(seen).toEqual({
        copied: [true, 5, true, true, [1, null]],
        answer: 'refused',
        message: expect.stringContaining('could not be cloned'),
      });
    });

    test('the bridge cannot be changed, replaced or exposed twice', async ({ inMain }) => {
      const seen = await inMain(async (_electron, { open }) => {
        const { webContents } = await open();
        return webContents.executeJavaScript(`(() => {
          'use strict';
          const refused = (act) => { try { act(); return false; } catch { return true; } };
          const text = (act) => { try { return act(); } catch (e) { return e.message; } };
          return {
            works: [bridge.add(1, 2), bridge.nested.list[1], bridge.apply((n) => n + 1, 1)],
            throws: [text(() => bridge.throws()), text(() => bridge.again())],
            refused: [
              refused(() => { bridge.add = 1; }), refused(() => { bridge.nested.list.push(3); }),
              refused(() => { window.bridge = 1; }), refused(() => { delete window.bridge; }),
            ],
          };
        })()`) as Promise<unknown>;
      });
      expect(seen).toEqual({
        works: [3, 2, 2],
        throws: ['from the preload', 'Cannot bind an API on top of an existing property on the window object'],
        refused: [true, true, true, true],
      });
    });

    test('the page sees nothing of Node or Electron, and nothing inline runs', async ({ inMain }) => {
      const seen = await inMain(async (_electron, { open }) => {
        const { webContents } = await open();
        return webContents.executeJavaScript(
          `[typeof require, typeof process, typeof module, typeof ipcRenderer,
            Object.getOwnPropertyNames(window).filter((key) => /electron/i.test(key)), window.pageRan, window.inlineRan]`,
        ) as Promise<unknown>;
      });
      expect(seen).toEqual(['undefined', 'undefined', 'undefined', 'undefined', [], true, null]);
    });

    test('events arrive in order, until the page unsubscribes', async ({ inMain }) => {
      const seen = await inMain(async (_electron, { open }) => {
        const { webContents } = await open();
        await webContents.executeJavaScript(`(() => {
          window.got = [];
          window.off = bridge.on('tick', (n) => got.push(n));
          window.first = new Promise((done) => bridge.on('first', done));
          window.second = new Promise((done) => bridge.on('second', done));
        })()`);
        for (let n = 1; n <= 50; n++) webContents.send('tick', n);
        webContents.send('first');
        const first: unknown = await webContents.executeJavaScript('first.then(() => { off(); return got; })');
        webContents.send('tick', 51);
        webContents.send('second');
        return [first, (await webContents.executeJavaScript('second.then(() => got.length)')) as unknown];
      });
      expect(seen).toEqual([Array.from({ length: 50 }, (_, i) => i + 1), 50]);
    });

    test('a message says who sent it, as long as that document is there', async ({ inMain }) => {
      const seen = await inMain(async ({ ipcMain }, { open }) => {
        const received = new Promise<Electron.IpcMainEvent>((resolve) => ipcMain.once('hello', resolve));
        const { webContents } = await open();
        await webContents.executeJavaScript(`bridge.send('hello')`);
        const event = await received;
        const { senderFrame } = event;
        const before = [
          event.sender === webContents,
          senderFrame?.parent,
          senderFrame?.url,
          senderFrame?.isDestroyed(),
        ];
        await webContents.loadURL('app://other/index.html');
        return [before, event.senderFrame === null || event.senderFrame.isDestroyed()];
      });
      expect(seen).toEqual([[true, null, 'app://contract/index.html', false], true]);
    });

    test('a preload that throws is reported', async ({ inMain }) => {
      const message = await inMain(async ({ BrowserWindow }, { preloads }) => {
        const window = new BrowserWindow({ show: false, webPreferences: { preload: preloads.throwing } });
        const failed = new Promise<string>((resolve) => {
          window.webContents.on('preload-error', (_event, _path, error) => resolve(error.message));
        });
        await window.loadURL('app://contract/index.html');
        return failed;
      });
      expect(message).toContain('this preload throws');
    });
  });
}
