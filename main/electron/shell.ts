import { join } from 'node:path';
import { app, Menu, protocol } from 'electron';
import { startApp, type RunningApp } from '../app.ts';
import { commandLine } from '../command-line.ts';
import { defaultDataFolder, thisMachine, type Settings } from '../settings.ts';
import { listStaticFiles, type StaticFile } from '../static-files.ts';
import { printLine, RUNS_ALREADY } from '../start-lines.ts';
import { serveWindow } from './app-protocol.ts';
import { APP_SCHEME } from './app-url.ts';
import { serveDesk } from './ipc.ts';
import { closeBeforeQuit } from './lifecycle.ts';
import { secureWindows } from './security.ts';
import { createTray } from './tray.ts';
import { createMainWindow, type MainWindow } from './window.ts';

/** What stands for the window's address. */
export const WINDOW = 'Electron';

// this file ends up in out/main
const OUT = join(import.meta.dirname, '..');
const PRELOAD = join(OUT, 'preload', 'index.cjs');
const RENDERER = join(OUT, 'renderer');
const TRAY_ICONS = join(OUT, '..', 'assets', 'tray');

/**
 * Starts the app and shows it in a window and in the tray, until it quits. Fails as `startApp` does. The caller holds
 * the single-instance lock of `settings.home`.
 */
export async function runShell(settings: Settings): Promise<void> {
  // a second start may ask for the window before it is there
  const { promise: window, resolve: windowIsThere } = Promise.withResolvers<MainWindow>();
  const openWindow = async (): Promise<string> => {
    (await window).show();
    return WINDOW;
  };
  const bringUp = (): void => {
    openWindow().catch((error: unknown) => console.error('The window could not be shown:', error));
  };
  app.on('second-instance', bringUp);
  app.on('activate', bringUp);
  const close = async (): Promise<void> => {
    const started = await starting.catch(() => undefined);
    if (started?.kind === 'started') await started.app.close();
  };
  const quitting = closeBeforeQuit(app, close);
  const files = listStaticFiles(RENDERER);
  const line = commandLine({
    root: join(OUT, '..'),
    packaged: app.isPackaged,
    home: settings.home,
    defaultHome: defaultDataFolder(thisMachine()),
    platform: process.platform,
  });
  const starting = files.then(() =>
    startApp({ ...settings, shell: 'electron', commandLine: line, openWindow, signal: quitting }),
  );
  try {
    const [started] = await Promise.all([starting, app.whenReady()]);
    if (quitting.aborted) return;
    if (started.kind === 'already_running') {
      console.error(RUNS_ALREADY);
      printLine('Window', started.window);
      app.exit(0);
    } else {
      windowIsThere(show(started.app, await files, settings, quitting));
    }
  } catch (error) {
    // quitting ends a start that is under way
    if (quitting.aborted) return;
    await close();
    throw error;
  }
}

/** Puts up the window and the tray of an app that has started. */
function show(
  { desk, logger, notices, relayUrl, socketPath }: RunningApp,
  files: ReadonlyMap<string, StaticFile>,
  { headless }: Settings,
  quitting: AbortSignal,
): MainWindow {
  for (const notice of notices) console.error(notice);

  protocol.handle(APP_SCHEME, serveWindow(files));
  secureWindows();
  // Elsewhere than on macOS, where it holds copy and paste, the default menu only offers what the window has no use for.
  if (process.platform !== 'darwin') Menu.setApplicationMenu(null);
  const mainWindow = createMainWindow(PRELOAD, quitting);
  serveDesk(desk, (contentsId) => mainWindow.owns(contentsId), logger);
  const tray = createTray(TRAY_ICONS, { open: () => mainWindow.show(), quit: () => app.quit() });
  tray.render({ phase: 'running' });
  // The app holds on to the tray through this: an icon goes when its object is collected.
  app.on('before-quit', () => tray.render({ phase: 'quitting' }));
  if (!headless) mainWindow.show();

  printLine('Relay', relayUrl);
  printLine('Window', WINDOW);
  printLine('MCP', socketPath);
  printLine('Ready');
  return mainWindow;
}
