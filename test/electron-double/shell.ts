import type * as Electron from 'electron';
import { changed } from './observers.ts';
import { strict } from './strict.ts';

const MEMBERS = ['openExternal'] as const satisfies readonly (keyof Electron.Shell)[];

const opened: string[] = [];

/** What the app has handed to the system, in order. Nothing is opened. */
export function openedExternally(): readonly string[] {
  return opened;
}

const implementation: Pick<Electron.Shell, (typeof MEMBERS)[number]> = {
  openExternal(url) {
    opened.push(new URL(url).href);
    changed();
    return Promise.resolve();
  },
};

export const shell = strict('shell', implementation, MEMBERS);
