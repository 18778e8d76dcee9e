import type * as Electron from 'electron';
import { app } from './app.ts';
import { menuItems, type DoubleMenuItem } from './menu.ts';
import { changed } from './observers.ts';
import { electronEvent, EMITTER, KnownEvents, strict } from './strict.ts';

const MEMBERS = ['setContextMenu', 'setToolTip'] as const satisfies readonly (keyof Electron.Tray)[];

const trays: DoubleTray[] = [];

/** The icons that are in the tray. */
export function currentTrays(): readonly DoubleTray[] {
  return trays;
}

class DoubleTray extends KnownEvents implements Pick<Electron.Tray, (typeof MEMBERS)[number]> {
  toolTip = '';
  menu: readonly DoubleMenuItem[] = [];

  constructor(image: Electron.NativeImage) {
    super('tray', ['click']);
    if (!app.isReady()) throw new Error('Cannot create Tray before app is ready');
    if (image.isEmpty()) throw new Error('electron double: an empty icon cannot be seen');
    trays.push(this);
    changed();
  }

  setToolTip(text: string): void {
    this.toolTip = text;
    changed();
  }

  setContextMenu(menu: object | null): void {
    this.menu = menu ? menuItems(menu) : [];
    changed();
  }

  /** What a click on the icon does. */
  press(): void {
    this.emit('click', electronEvent('click', {}));
  }
}

/** `new Tray(image)`. */
export const Tray = class {
  constructor(image: Electron.NativeImage) {
    return strict<DoubleTray>('Tray', new DoubleTray(image), [...MEMBERS, ...EMITTER]);
  }
};
