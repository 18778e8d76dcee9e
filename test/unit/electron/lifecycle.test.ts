import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { closeBeforeQuit } from '../../../main/electron/lifecycle.ts';

// How Electron itself quits is part of test/e2e/electron-double: here is what happens in between.

/** An app as far as quitting goes: each `quit` says what it says, and ends unless it is asked to wait. */
class QuittingApp extends EventEmitter {
  ended = false;
  quit(): void {
    this.emit('before-quit');
    let waits = false;
    this.emit('will-quit', { preventDefault: () => (waits = true) });
    this.ended = !waits;
  }
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(console, 'error').mockImplementation(() => {});
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test('quitting waits until everything is closed', async () => {
  const app = new QuittingApp();
  const closing = Promise.withResolvers<void>();
  closeBeforeQuit(app, () => closing.promise, 3000);
  app.quit();
  await vi.advanceTimersByTimeAsync(2999);
  expect(app.ended).toBe(false);
  closing.resolve();
  await vi.advanceTimersByTimeAsync(0);
  expect(app.ended).toBe(true);
  expect(vi.getTimerCount()).toBe(0);
});

test('it waits no longer than that, and says so', async () => {
  const app = new QuittingApp();
  closeBeforeQuit(app, () => new Promise(() => {}), 3000);
  app.quit();
  await vi.advanceTimersByTimeAsync(3000);
  expect(app.ended).toBe(true);
  expect(console.error).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('3000 ms'));
});

test('what fails to close does not keep the app', async () => {
  const app = new QuittingApp();
  const error = new Error('disk full');
  closeBeforeQuit(app, () => Promise.reject(error), 3000);
  app.quit();
  await vi.advanceTimersByTimeAsync(0);
  expect(app.ended).toBe(true);
  expect(console.error).toHaveBeenCalledExactlyOnceWith('Closing failed:', error);
});

test('whoever asks again waits as well, and nothing is closed twice', async () => {
  const app = new QuittingApp();
  const closing = Promise.withResolvers<void>();
  const close = vi.fn<() => Promise<void>>(() => closing.promise);
  closeBeforeQuit(app, close);
  app.quit();
  app.quit();
  await vi.advanceTimersByTimeAsync(0);
  expect(app.ended).toBe(false);
  closing.resolve();
  await vi.advanceTimersByTimeAsync(0);
  expect(app.ended).toBe(true);
  expect(close).toHaveBeenCalledOnce();
});

test('whoever asks to quit is heard at once', () => {
  const app = new QuittingApp();
  const quitting = closeBeforeQuit(app, () => new Promise(() => {}));
  expect(quitting.aborted).toBe(false);
  app.quit();
  expect(quitting.aborted).toBe(true);
});

test('the last window does not take the app with it', () => {
  const app = new QuittingApp();
  closeBeforeQuit(app, () => Promise.resolve());
  // Electron quits when nobody listens
  expect(app.listenerCount('window-all-closed')).toBe(1);
});
