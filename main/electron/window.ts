import { BrowserWindow } from 'electron';
import { APP_ENTRY } from './app-url.ts';

/** The one window. Closing hides it, until the app quits. */
export interface MainWindow {
  /** Brings it to the front; makes it at the first time. */
  show(): void;
  /** Whether an id is that of its web contents. */
  owns(contentsId: number): boolean;
}

/**
 * @param preload absolute path of the built preload
 * @param quitting aborted once closing means closing
 */
export function createMainWindow(preload: string, quitting: AbortSignal): MainWindow {
  let window: BrowserWindow | undefined;

  const open = (): BrowserWindow => {
    const opened = new BrowserWindow({
      title: 'AgentRelay',
      width: 1280,
      height: 800,
      minWidth: 480,
      minHeight: 400,
      show: false,
      webPreferences: { preload, contextIsolation: true, nodeIntegration: false, sandbox: true },
    });
    opened.once('ready-to-show', () => opened.show());
    opened.on('close', (event) => {
      if (quitting.aborted) return;
      event.preventDefault();
      opened.hide();
    });
    opened.on('closed', () => {
      window = undefined;
    });
    opened.loadURL(APP_ENTRY).catch((error: unknown) => console.error('The window could not be loaded:', error));
    return opened;
  };

  return {
    show() {
      if (!window) {
        window = open();
        return;
      }
      if (window.isMinimized()) window.restore();
      window.show();
      window.focus();
    },
    owns: (contentsId) => window !== undefined && window.webContents.id === contentsId,
  };
}
