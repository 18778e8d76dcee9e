import { expect, test } from 'vitest';
import { onAbort } from '../../../relay/operations/on-abort.ts';

function counter(): { count: number; listener: () => void } {
  const counted = { count: 0, listener: () => void counted.count++ };
  return counted;
}

test('calls the listener once, when the signal aborts', () => {
  const abort = new AbortController();
  const counted = counter();
  onAbort(abort.signal, counted.listener);
  expect(counted.count).toBe(0);
  abort.abort();
  abort.abort();
  expect(counted.count).toBe(1);
});

test('calls it at once when the signal has aborted before', () => {
  const counted = counter();
  onAbort(AbortSignal.abort(), counted.listener);
  expect(counted.count).toBe(1);
});

test('forgets it when told to', () => {
  const abort = new AbortController();
  const counted = counter();
  onAbort(abort.signal, counted.listener)();
  abort.abort();
  expect(counted.count).toBe(0);
});
