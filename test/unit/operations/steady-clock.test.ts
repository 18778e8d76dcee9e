import { expect, test } from 'vitest';
import { steadyClock } from '../../../relay/operations/steady-clock.ts';

test('begins with the time of the clock, and counts what has passed, whatever the clock shows', () => {
  let clock = 1_000_000;
  let ticks = 50;
  const steady = steadyClock(
    () => clock,
    () => ticks,
  );
  expect(steady()).toBe(1_000_000);
  ticks += 250.4;
  expect(steady()).toBe(1_000_250);
  clock -= 900_000;
  expect(steady()).toBe(1_000_250);
  clock += 9_000_000;
  ticks += 0.2;
  expect(steady()).toBe(1_000_251);
});
