import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Menu, nativeImage, Tray, type NativeImage } from 'electron';
import { trayMenu, type TrayActions, type TrayState } from './tray-menu.ts';

/** The icon in the system's tray. Keep it: what is collected takes its icon with it. */
export interface TrayView {
  /** Shows a state. Does nothing when it shows it already. */
  render(state: TrayState): void;
}

/**
 * Puts the icon into the tray. Call it when the app is ready.
 * @param folder where the icons are
 */
export function createTray(folder: string, actions: TrayActions): TrayView {
  const tray = new Tray(trayIcon(folder));
  tray.setToolTip('AgentRelay');
  tray.on('click', actions.open);
  let shown: TrayState['phase'] | undefined;
  return {
    render(state) {
      if (state.phase === shown) return;
      shown = state.phase;
      tray.setContextMenu(Menu.buildFromTemplate(trayMenu(state, actions)));
    },
  };
}

/** The mark at 100 and at 200 %. Its grey is readable on light and on dark bars; macOS looks at its alpha alone. */
function trayIcon(folder: string): NativeImage {
  const icon = nativeImage.createFromPath(join(folder, 'idle-16.png'));
  const large = readFileSync(join(folder, 'idle-32.png'));
  icon.addRepresentation({ scaleFactor: 2, dataURL: `data:image/png;base64,${large.toString('base64')}` });
  icon.setTemplateImage(true);
  return icon;
}
