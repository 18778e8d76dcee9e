import { devtoolsEndpoint } from './browser.ts';
import { currentWindows } from './browser-window.ts';
import type { DesktopState, DriverMessage, DriverRequest, UserAction } from './driver-messages.ts';
import { observe } from './observers.ts';
import { openedExternally } from './shell.ts';
import { currentTrays } from './tray.ts';

// What a person does with a mouse, and sees: for a test which has forked this process.

function desktop(): DesktopState {
  return {
    windows: currentWindows().map((window) => ({
      visible: window.isVisible(),
      minimized: window.isMinimized(),
      url: window.api.webContents.getURL(),
    })),
    trays: currentTrays().map(({ toolTip, menu }) => ({
      toolTip,
      menu: menu.map(({ type, label, enabled }) => ({ type, label, enabled })),
    })),
    opened: openedExternally(),
    devtools: devtoolsEndpoint(),
  };
}

function act(action: UserAction): void {
  switch (action.do) {
    case 'click-tray':
      there('tray icon', currentTrays()[0]).press();
      break;
    case 'choose-tray-item': {
      const { menu } = there('tray icon', currentTrays()[0]);
      const item = there(
        `item "${action.label}"`,
        menu.find(({ label }) => label === action.label),
      );
      if (!item.enabled) throw new Error(`The item "${action.label}" is disabled`);
      item.click();
      break;
    }
    case 'close-window':
      there('window', currentWindows()[0]).close();
      break;
    case 'minimize-window':
      there('window', currentWindows()[0]).minimize();
  }
}

function there<T>(what: string, value: T | undefined): T {
  if (value === undefined) throw new Error(`There is no ${what}`);
  return value;
}

function send(message: DriverMessage): void {
  if (process.connected) process.send?.(message);
}

let announced = false;
observe(() => {
  if (announced) return;
  announced = true;
  setImmediate(() => {
    announced = false;
    send({ kind: 'state', state: desktop() });
  });
});

if (process.connected) {
  process.on('message', ({ id, action }: DriverRequest) => {
    try {
      act(action);
      send({ kind: 'done', id });
    } catch (error) {
      send({ kind: 'done', id, error: String(error) });
    }
  });
}
