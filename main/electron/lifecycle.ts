/** How long quitting waits for what is open, in milliseconds: a logout does not wait much longer. */
export const CLOSE_CAP_MS = 3000;

/** The part of Electron's `app` that quitting is about. */
interface Quittable {
  on(event: 'before-quit' | 'window-all-closed', listener: () => void): unknown;
  on(event: 'will-quit', listener: (event: { preventDefault(): void }) => void): unknown;
  quit(): void;
}

/**
 * Keeps the app alive without a window, and lets quitting wait until everything is closed, but no longer than
 * `capMs`. Call it once, before the app is ready.
 * @param close closes what is open; what it throws is written to stderr, and the app quits all the same
 * @returns aborted from the moment that somebody asks to quit
 */
export function closeBeforeQuit(app: Quittable, close: () => Promise<void>, capMs = CLOSE_CAP_MS): AbortSignal {
  const quitting = new AbortController();
  app.on('before-quit', () => quitting.abort());
  // Electron quits with the last window unless somebody listens; the tray outlives windows.
  app.on('window-all-closed', () => {});
  let closing: 'not yet' | 'under way' | 'done' = 'not yet';
  app.on('will-quit', (event) => {
    if (closing === 'done') return;
    event.preventDefault();
    // Ctrl-C in a terminal asks twice: once itself, and once by npm
    if (closing === 'under way') return;
    closing = 'under way';
    void settled(close(), capMs).then(() => {
      closing = 'done';
      app.quit();
    });
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
