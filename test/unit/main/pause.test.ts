import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { pause } from '../../../main/pause.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('ends after its time, and leaves nothing on the signal', async () => {
  const { signal } = new AbortController();
  let isOver = false;
  const pausing = pause(1_000, signal).then(() => (isOver = true));
  await vi.advanceTimersByTimeAsync(999);
  expect(isOver).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  await pausing;
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

it('ends with the signal, and leaves no timer', async () => {
  const abort = new AbortController();
  const pausing = pause(1_000, abort.signal);
  abort.abort();
  await pausing;
  expect(vi.getTimerCount()).toBe(0);
});

it('ends with the signal alone where there is no time, and at once after it', async () => {
  const abort = new AbortController();
  const pausing = pause(undefined, abort.signal);
  expect(vi.getTimerCount()).toBe(0);
  abort.abort();
  await pausing;
  await pause(1_000, abort.signal);
  expect(vi.getTimerCount()).toBe(0);
});
