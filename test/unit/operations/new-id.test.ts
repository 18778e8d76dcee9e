import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createIdSource } from '../../../relay/operations/new-id.ts';

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

test('an id is a UUID of version 7 that begins with its time', () => {
  const id = createIdSource(() => 0x0199_0000_0001, randomBytes)();
  expect(id).toMatch(UUID_V7);
  expect(Number.parseInt(id.slice(0, 13).replace('-', ''), 16)).toBe(0x0199_0000_0001);
});

test('whatever the clock does, each id is greater than the one before it', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -5, max: 5 }), { minLength: 300, maxLength: 600 }), (steps) => {
      let now = 1_800_000_000_000;
      const next = createIdSource(() => now, randomBytes);
      const ids = steps.map((step) => {
        now += step;
        return next();
      });
      expect(ids).toEqual(ids.toSorted());
      expect(new Set(ids).size).toBe(ids.length);
    }),
    { numRuns: 50 },
  );
});

test('100,000 ids of one millisecond are in order, and random draws are shared', () => {
  let draws = 0;
  const next = createIdSource(
    () => 1_800_000_000_000,
    (bytes) => {
      draws += 1;
      return randomBytes(bytes);
    },
  );
  let before = '';
  for (let n = 0; n < 100_000; n++) {
    const id = next();
    if (id <= before) expect.fail(`${id} comes after ${before}`);
    before = id;
  }
  expect(draws).toBeLessThan(400);
});

test('two sources at the same time make different ids', () => {
  const [a, b] = [createIdSource(() => 1, randomBytes), createIdSource(() => 1, randomBytes)];
  expect(a()).not.toBe(b());
});
