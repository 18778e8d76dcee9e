import type { App } from 'electron';

/** How long quitting waits for what is open, in milliseconds: a logout does not wait much longer. */
export const CLOSE_CAP_MS = 3000;

/**
 * Keeps the app alive without a window, and lets quitting wait until everything is closed, but no longer than
 * `capMs`. Call it once, before the app is ready.
 * @param close closes what is open; what it throws is written to stderr, and the app quits all the same
 * @returns aborted from the moment that somebody asks to quit
 */
export function closeBeforeQuit(
  app: Pick<App, 'on' | 'once' | 'quit'>,
  close: () => Promise<void>,
  capMs = CLOSE_CAP_MS,
): AbortSignal {
  const quitting = new AbortController();
  app.on('before-quit', () => quitting.abort());
  // Electron quits with the last window unless somebody listens; the tray outlives windows.
  app.on('window-all-closed', () => {});
  app.once('will-quit', (event) => {
    event.preventDefault();
    void settled(close(), capMs).then(() => app.quit());
  });
  return quitting.signal;
}

async function settled(closing: Promise<void>, capMs: number): Promise<void> {
  const cap = Promise.withResolvers<void>();
  const timer = setTimeout(() => {
    console.error(`Not everything is closed after ${capMs} ms; quitting all the same.`);
    cap.resolve();
  }, capMs);
  try {
    await Promise.race([closing, cap.promise]);
  } catch (error) {
    console.error('Closing failed:', error);
  } finally {
    clearTimeout(timer);
  }
}
