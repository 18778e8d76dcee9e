/** A window, as far as quitting is concerned with it. */
export interface OpenWindow {
  close(): void;
}

const open = new Set<OpenWindow>();
let lastClosed = (): void => {};
let closeRefused = (): void => {};

/** Tells the app what becomes of windows. */
export function watchWindows(onLastClosed: () => void, onCloseRefused: () => void): void {
  lastClosed = onLastClosed;
  closeRefused = onCloseRefused;
}

export function openWindows(): readonly OpenWindow[] {
  return [...open];
}

export function windowOpened(window: OpenWindow): void {
  open.add(window);
}

/** A listener of `close` prevented it. */
export function windowCloseRefused(): void {
  closeRefused();
}

export function windowClosed(window: OpenWindow): void {
  open.delete(window);
  if (open.size === 0) lastClosed();
}
