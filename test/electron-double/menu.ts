import type * as Electron from 'electron';
import { refuseUnknown, strict } from './strict.ts';

/** An entry, as a user sees it. */
export interface DoubleMenuItem {
  readonly type: 'normal' | 'separator';
  readonly label: string;
  readonly enabled: boolean;
  readonly click: () => void;
}

const itemsOf = new WeakMap<object, readonly DoubleMenuItem[]>();

/** What a menu shows. */
export function menuItems(menu: object): readonly DoubleMenuItem[] {
  const items = itemsOf.get(menu);
  if (!items) throw new TypeError('electron double: this is no menu');
  return items;
}

function item(template: Electron.MenuItemConstructorOptions): DoubleMenuItem {
  refuseUnknown('MenuItem', template, ['type', 'label', 'enabled', 'click']);
  const { type = 'normal', label = '', enabled = true, click } = template;
  if (type !== 'normal' && type !== 'separator') {
    throw new Error(`electron double: menu items of type ${type} are not implemented`);
  }
  if (type === 'normal' && label === '') throw new TypeError('electron double: a menu item without a label');
  return {
    type,
    label,
    enabled,
    click: () => click?.(undefined as never, undefined, { triggeredByAccelerator: false } as Electron.KeyboardEvent),
  };
}

const MEMBERS = ['buildFromTemplate', 'setApplicationMenu'] as const satisfies readonly (keyof typeof Electron.Menu)[];

export const Menu = strict(
  'Menu',
  {
    buildFromTemplate(template: Electron.MenuItemConstructorOptions[]) {
      const menu = strict('menu', {}, []);
      itemsOf.set(menu, template.map(item));
      return menu;
    },
    setApplicationMenu(menu: object | null): void {
      if (menu) menuItems(menu);
    },
  },
  MEMBERS,
);
