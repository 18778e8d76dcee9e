import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createGate } from '../../../relay/notify/gate.ts';

/** Work that is under way until it is told to end. */
function work() {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let isRunning = false;
  return {
    run: () => {
      isRunning = true;
      return promise;
    },
    end: resolve,
    fail: reject,
    isRunning: () => isRunning,
  };
}
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('a gate', () => {
  test('lets so many of one key through, and others past them', async () => {
    const gate = createGate({ total: 3, perKey: 1 });
    const [first, second, other] = [work(), work(), work()];
    const done = [gate.run('slow', first.run), gate.run('slow', second.run), gate.run('other', other.run)];
    await turn();
    expect([first, second, other].map((one) => one.isRunning())).toEqual([true, false, true]);
    first.end('1');
    await turn();
    expect(second.isRunning()).toBe(true);
    second.end('2');
    other.end('3');
    expect(await Promise.all(done)).toEqual(['1', '2', '3']);
  });

  test('lets no more through than all together may be', async () => {
    const gate = createGate({ total: 2, perKey: 2 });
    const all = [work(), work(), work()];
    const done = all.map((one, i) => gate.run(`${i}`, one.run));
    await turn();
    expect(all.map((one) => one.isRunning())).toEqual([true, true, false]);
    for (const one of all) one.end('x');
    await Promise.all(done);
  });

  test('has room again after work that failed', async () => {
    const gate = createGate({ total: 1, perKey: 1 });
    const failing = work();
    const failed = gate.run('k', failing.run);
    failing.fail(new Error('no'));
    await expect(failed).rejects.toThrow('no');
    expect(await gate.run('k', () => Promise.resolve('yes'))).toBe('yes');
  });

  test('runs everything in the end, each key in order, whatever the limits', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 40 }),
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 1, max: 4 }),
        async (keys, total, perKey) => {
          const gate = createGate({ total, perKey });
          const started: { key: string; index: number }[] = [];
          let running = 0;
          await Promise.all(
            keys.map((key, index) =>
              gate.run(key, async () => {
                running += 1;
                expect(running).toBeLessThanOrEqual(total);
                started.push({ key, index });
                await turn();
                running -= 1;
              }),
            ),
          );
          expect(started).toHaveLength(keys.length);
          for (const key of ['a', 'b', 'c']) {
            const order = started.filter((one) => one.key === key).map(({ index }) => index);
            expect(order).toEqual(order.toSorted((x, y) => x - y));
          }
        },
      ),
      { numRuns: 30 },
    );
  });
});
