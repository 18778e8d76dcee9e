import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { hosts } from '../../electron-double/contract/hosts.ts';
import { processesWith } from '../../support/processes.ts';

// What only the double promises: it refuses what it cannot stand for, and leaves nothing behind.

const [{ test }] = hosts;
// some start an app and a browser
test.describe.configure({ timeout: 60_000 });

test('what the double lacks is refused by name', async ({ inMain }) => {
  const failures = await inMain(async (electron, { failure, open }) => {
    const { app, BrowserWindow, ipcMain, Menu, nativeImage, shell } = electron;
    const window = await open();
    return [
      failure(() => app.getLocale()),
      failure(() => window.setFullScreen(true)),
      failure(() => window.webContents.openDevTools()),
      failure(() => ipcMain.handleOnce('x', () => {})),
      failure(() => nativeImage.createEmpty()),
      failure(() => shell.beep()),
      failure(() => (app.name = 'Other')),
      failure(() => app.on('child-process-gone', () => {})),
      failure(() => new BrowserWindow({ frame: false })),
      failure(() => new BrowserWindow({ webPreferences: { nodeIntegration: true } })),
      failure(() => Menu.buildFromTemplate([{ label: 'Paste', role: 'paste' }])),
    ].map((text) => text.replace('Error: electron double: ', ''));
  });
  expect(failures).toEqual([
    'app.getLocale is not implemented',
    'BrowserWindow.setFullScreen is not implemented',
    'webContents.openDevTools is not implemented',
    'ipcMain.handleOnce is not implemented',
    'nativeImage.createEmpty is not implemented',
    'shell.beep is not implemented',
    'app.name cannot be set',
    "app never emits 'child-process-gone'",
    'BrowserWindow: option frame is not implemented',
    'only isolated, sandboxed windows without Node are implemented',
    'MenuItem: option role is not implemented',
  ]);
});

test('an icon that nobody would see is refused', async ({ inMain }) => {
  const failures = await inMain(({ nativeImage, Tray }, { failure }) => [
    failure(() => new Tray(nativeImage.createFromPath('/nowhere.png'))),
  ]);
  expect(failures).toEqual(['Error: electron double: an empty icon cannot be seen']);
});

test('no folder of the user is handed out', async ({ apps }) => {
  const run = apps.start({ before: ({ app }) => void app.getPath('home') });
  await expect(run.end()).rejects.toThrow("app.getPath('home') is not implemented");
});

test('no request of a page leaves the process', async ({ inMain }) => {
  const seen = await inMain(async (_electron, { open }) => {
    const { webContents } = await open();
    return webContents.executeJavaScript(`Promise.all(
      ['https://example.com/', 'http://127.0.0.1:9/', 'app://contract/page.js', '/missing'].map((url) =>
        fetch(url).then(({ status }) => status, () => 'refused')))`) as Promise<unknown>;
  });
  expect(seen).toEqual(['refused', 'refused', 'refused', 404]);
});

test('an app that has ended leaves no process, no lock and no temporary file', async ({ apps }) => {
  await apps.run({
    before: ({ app }) => void app.requestSingleInstanceLock(),
    ready: async ({ app }, { open }) => {
      await open();
      app.quit();
    },
  });
  await expect.poll(() => processesWith(apps.home)).toEqual([]);
  expect(readdirSync(join(apps.home, 'userData'))).toEqual(['chromium']);
  expect(readdirSync(apps.tmp)).toEqual([]);
});

test('an app that was killed leaves no Chromium', async ({ apps }) => {
  const run = apps.start({
    ready: async (_electron, { open, say }) => {
      await open();
      say('open');
    },
  });
  await run.next();
  expect(processesWith(apps.home)).not.toEqual([]);
  run.child.kill('SIGKILL');
  await expect.poll(() => processesWith(apps.home)).toEqual([]);
});
