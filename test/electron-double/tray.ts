import type * as Electron from 'electron';
import { app } from './app.ts';
import { menuItems, type DoubleMenuItem } from './menu.ts';
import { changed } from './observers.ts';
import { electronEvent, EMITTER, KnownEvents, strict } from './strict.ts';

const MEMBERS = [
  'destroy',
  'isDestroyed',
  'setContextMenu',
  'setToolTip',
] as const satisfies readonly (keyof Electron.Tray)[];

const trays = new Set<DoubleTray>();

/** The icons that are in the tray. */
export function currentTrays(): readonly DoubleTray[] {
  return [...trays];
}

class DoubleTray extends KnownEvents {
  toolTip = '';
  menu: readonly DoubleMenuItem[] = [];
  #destroyed = false;

  constructor(image: Electron.NativeImage) {
    super('tray', ['click']);
    if (!app.isReady()) throw new Error('Cannot create Tray before app is ready');
    if (image.isEmpty()) throw new Error('electron double: an empty icon cannot be seen');
    trays.add(this);
    changed();
  }

  setToolTip(text: string): void {
    this.toolTip = text;
    changed();
  }

  setContextMenu(menu: object): void {
    this.menu = menuItems(menu);
    changed();
  }

  destroy(): void {
    this.#destroyed = true;
    trays.delete(this);
    changed();
  }

  isDestroyed(): boolean {
    return this.#destroyed;
  }

  /** What a click on the icon does. */
  press(): void {
    this.emit('click', electronEvent('click', {}));
  }
}

/** `new Tray(image)`. */
export const Tray = class {
  constructor(image: Electron.NativeImage) {
    const tray = new DoubleTray(image);
    return strict<DoubleTray>('Tray', tray, [...MEMBERS, ...EMITTER], { isDestroyed: () => tray.isDestroyed() });
  }
};
