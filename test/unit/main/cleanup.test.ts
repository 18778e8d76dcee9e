import { expect, it } from 'vitest';
import { Cleanup } from '../../../main/cleanup.ts';

it('takes down in the opposite order, each step after the one before has ended', async () => {
  const done: string[] = [];
  const cleanup = new Cleanup();
  cleanup.add(() => void done.push('first'));
  cleanup.add(async () => {
    await Promise.resolve();
    done.push('second');
  });
  await cleanup.run();
  expect(done).toEqual(['second', 'first']);
});

it('takes every step although one fails, then fails as that one did', async () => {
  const done: string[] = [];
  const cleanup = new Cleanup();
  cleanup.add(() => void done.push('first'));
  cleanup.add(() => {
    throw new Error('second');
  });
  await expect(cleanup.run()).rejects.toThrow('second');
  expect(done).toEqual(['first']);
});

it('takes down once, however often it is asked', async () => {
  let count = 0;
  const cleanup = new Cleanup();
  cleanup.add(() => void count++);
  await Promise.all([cleanup.run(), cleanup.run()]);
  await cleanup.run();
  expect(count).toBe(1);
});
