import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createAttendance } from '../../../relay/hub/attendance.ts';
import { createPresence } from '../../../relay/hub/presence.ts';

const BOT = 7;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function observed() {
  const presence = createPresence();
  const changes: boolean[] = [];
  presence.onChange((_agent, isConnected) => changes.push(isConnected));
  return { changes, attendance: createAttendance(presence, 100) };
}

test('who leaves and comes back soon has not been away', () => {
  const { changes, attendance } = observed();
  for (let call = 0; call < 5; call++) {
    const leave = attendance.enter(BOT);
    vi.advanceTimersByTime(1_000);
    leave();
    vi.advanceTimersByTime(99);
  }
  expect(changes).toEqual([true]);
});

test('who stays away is', () => {
  const { changes, attendance } = observed();
  attendance.enter(BOT)();
  vi.advanceTimersByTime(100);
  expect(changes).toEqual([true, false]);
});

test('one that lingers does not outlast another that is there', () => {
  const { changes, attendance } = observed();
  const stay = attendance.enter(BOT);
  attendance.enter(BOT)();
  vi.advanceTimersByTime(1_000);
  expect(changes).toEqual([true]);
  stay();
  vi.advanceTimersByTime(100);
  expect(changes).toEqual([true, false]);
});

test('nobody lingers after the end, and no timer is left', () => {
  const { changes, attendance } = observed();
  attendance.enter(BOT)();
  attendance.close();
  expect(changes).toEqual([true, false]);
  expect(vi.getTimerCount()).toBe(0);
});
