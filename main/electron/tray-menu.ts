import type { MenuItemConstructorOptions } from 'electron';

/** What the tray shows. */
export interface TrayState {
  /** `quitting` until what is open has been closed. */
  readonly phase: 'running' | 'quitting';
}

/** What the tray's menu can do. */
export interface TrayActions {
  readonly open: () => void;
  readonly quit: () => void;
}

/** The menu of a state. It holds every way in, as clicks on the icon itself do not arrive on every Linux desktop. */
export function trayMenu({ phase }: TrayState, { open, quit }: TrayActions): MenuItemConstructorOptions[] {
  const enabled = phase === 'running';
  return [
    { label: 'Open AgentRelay', enabled, click: open },
    { type: 'separator' },
    { label: enabled ? 'Quit' : 'Quitting…', enabled, click: quit },
  ];
}
