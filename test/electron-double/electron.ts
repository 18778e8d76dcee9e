/**
 * What `import … from 'electron'` gets. A name that is not exported here fails where it is imported.
 * README.md says what it proves, and what it cannot.
 */
import './drivers.ts';

export { app } from './app.ts';
export { BrowserWindow } from './browser-window.ts';
export { ipcMain } from './ipc-main.ts';
export { Menu } from './menu.ts';
export { nativeImage } from './native-image.ts';
export { protocol } from './protocol.ts';
export { session } from './session.ts';
export { shell } from './shell.ts';
export { Tray } from './tray.ts';
