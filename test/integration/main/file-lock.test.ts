import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { acquireFileLock } from '../../../relay/store/sqlite/file-lock.ts';
import { run, type TestProcess } from '../../support/app-process.ts';
import { ROOT } from '../../support/project-root.ts';
import { tempDir } from '../../support/temp-dir.ts';

/** Runs a program that has `acquireFileLock`, in a process of its own. */
function inProcess(program: string, path: string): TestProcess {
  const url = JSON.stringify(new URL(`file://${join(ROOT, 'relay/store/sqlite/file-lock.ts')}`).href);
  const source = `const { acquireFileLock } = await import(${url}); const path = ${JSON.stringify(path)};\n${program}`;
  return run(process.execPath, ['--expose-gc', '--input-type=module', '--eval', source]);
}

/** Keeps nothing of the lock, as a caller may who never gives it back. */
const HOLD = `acquireFileLock(path); setInterval(() => {}, 1000); setImmediate(() => { gc(); console.log('held'); });`;

describe('a file lock', () => {
  it('is had by one at a time', () => {
    const path = join(tempDir(), 'owner.lock');
    const release = acquireFileLock(path);
    expect(release).toBeDefined();
    expect(acquireFileLock(path)).toBeUndefined();
    release?.();
    expect(acquireFileLock(path)).toBeDefined();
  });

  it('is readable to the user alone, and leaves no file when it is given back', () => {
    const folder = tempDir();
    const release = acquireFileLock(join(folder, 'owner.lock'));
    expect(readdirSync(folder)).toEqual(['owner.lock']);
    expect(statSync(join(folder, 'owner.lock')).mode & 0o777).toBe(0o600);
    release?.();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('given back twice is not taken from the next holder', () => {
    const path = join(tempDir(), 'owner.lock');
    const release = acquireFileLock(path);
    release?.();
    expect(acquireFileLock(path)).toBeDefined();
    release?.();
    expect(existsSync(path)).toBe(true);
    expect(acquireFileLock(path)).toBeUndefined();
  });

  it('holds against another process until that one is gone, even by kill -9', { timeout: 60_000 }, async () => {
    const path = join(tempDir(), 'owner.lock');
    const holder = inProcess(HOLD, path);
    await holder.waitFor(/held/);
    expect(acquireFileLock(path)).toBeUndefined();
    holder.kill('SIGKILL');
    await holder.ended;
    expect(existsSync(path)).toBe(true);
    expect(acquireFileLock(path)).toBeDefined();
  });

  it('fails as the system does where its folder is missing', () => {
    expect(() => acquireFileLock(join(tempDir(), 'missing', 'owner.lock'))).toThrow(/ENOENT/);
  });

  it('is never had by two of many that come and go at once', { timeout: 60_000 }, async () => {
    const folder = tempDir();
    // mkdir fails when the folder is there: so it would show a second holder
    const program = `
      import { mkdirSync, rmdirSync } from 'node:fs';
      for (let had = 0; had < 100; ) {
        const release = acquireFileLock(path);
        if (release === undefined) { await new Promise((resolve) => setTimeout(resolve, 1)); continue; }
        mkdirSync(path + '.inside');
        await new Promise((resolve) => setImmediate(resolve));
        rmdirSync(path + '.inside');
        release();
        had += 1;
      }`;
    const racers = Array.from({ length: 6 }, () => inProcess(program, join(folder, 'owner.lock')));
    const ends = await Promise.all(racers.map(async (racer) => ({ ...(await racer.ended), error: racer.stderr() })));
    for (const end of ends) expect(end).toMatchObject({ code: 0 });
    expect(readdirSync(folder)).toEqual([]);
  });
});
