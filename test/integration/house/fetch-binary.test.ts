import { existsSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fetchBinary } from '../../../scripts/fetch-binary.mjs';
import { tempDir } from '../../support/temp-dir.ts';

/** An installer that does what it is told, in a process of its own. */
function setUp(program: string) {
  const folder = tempDir();
  const installer = join(folder, 'install.mjs');
  writeFileSync(installer, program);
  const noteOfFailure = join(folder, 'not-fetched');
  const said: string[] = [];
  const fetch = (seconds = 20): Promise<string | undefined> =>
    fetchBinary({ installer, seconds, noteOfFailure, say: (line) => said.push(line) });
  return { fetch, said, installer, noteOfFailure };
}

const FAILS = `import { appendFileSync } from 'node:fs';
appendFileSync(import.meta.filename + '.runs', '.');
console.error('TypeError: fetch failed\\n    at somewhere');
process.exit(1);`;

describe('fetching the binary', () => {
  it('says how long it may take, and is silent about the rest when it works', async () => {
    const { fetch, said, noteOfFailure } = setUp('console.log("progress");');
    expect(await fetch()).toBeUndefined();
    expect(said).toEqual(['Fetching the Electron binary (at most 20 s) …']);
    expect(existsSync(noteOfFailure)).toBe(false);
  });

  it('that fails says why, and how to try again', async () => {
    const { fetch, installer } = setUp(FAILS);
    expect(await fetch()).toBe(
      `the Electron binary could not be fetched (TypeError: fetch failed). To try again: node ${installer}`,
    );
  });

  it('that hangs is ended in time', async () => {
    const { fetch } = setUp('setInterval(() => {}, 1000);');
    expect(await fetch(0.5)).toMatch(/not within 0\.5 s/);
  });

  it('is not tried again on the same day after a failure, and then is', async () => {
    const { fetch, said, noteOfFailure } = setUp(FAILS);
    await fetch();
    expect(await fetch()).toMatch(/within the last day.*To try again/);
    expect(said).toHaveLength(1);
    const yesterday = Date.now() / 1000 - 25 * 60 * 60;
    utimesSync(noteOfFailure, yesterday, yesterday);
    expect(await fetch()).toMatch(/fetch failed/);
    expect(said).toHaveLength(2);
  });

  it('that works forgets the failure before it', async () => {
    const { fetch, noteOfFailure, installer } = setUp(FAILS);
    await fetch();
    const yesterday = Date.now() / 1000 - 25 * 60 * 60;
    utimesSync(noteOfFailure, yesterday, yesterday);
    writeFileSync(installer, '');
    expect(await fetch()).toBeUndefined();
    expect(existsSync(noteOfFailure)).toBe(false);
  });
});
