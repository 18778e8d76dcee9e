import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { claimDataFolder } from '../../../main/instance.ts';
import { privateFolder } from '../../../main/files.ts';
import { StartError } from '../../../main/start-error.ts';
import { acquireFileLock } from '../../../relay/store/sqlite/file-lock.ts';
import { readInstance, startProcess } from '../../support/app-process.ts';
import { tempDir } from '../../support/temp-dir.ts';

describe('a second start on the same data folder', { timeout: 60_000 }, () => {
  it('prints an address of the first one that opens its window, and ends with exit code 0', async () => {
    const home = tempDir();
    const first = startProcess({ home });
    const [, origin, used] = await first.waitFor(/^Window +(\S+)\/#(\S+)[^]*^Ready$/m);
    const second = startProcess({ home });
    expect((await second.ended).code).toBe(0);
    const [, token] = /^Window {2}\S+\/#(\S+)\n$/.exec(second.stdout()) ?? [];
    expect(second.stdout()).toBe(`Window  ${origin}/#${token}\n`);
    expect(second.stderr()).toMatch(/^AgentRelay already runs here\.$/m);
    expect(token).not.toBe(used);
    const entered = await fetch(`${origin}/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: String(origin) },
      body: JSON.stringify({ token }),
    });
    expect(entered.status).toBe(200);
    expect(readInstance(home).pid).toBe(first.pid);
  });

  it('waits while the first one is still starting: of many at once, one runs and all others show it', async () => {
    const home = tempDir();
    const starts = Array.from({ length: 4 }, () => startProcess({ home }));
    const said = await Promise.all(starts.map((start) => start.waitFor(/^Window .*\n/m)));
    expect(said).toHaveLength(4);
    const owner = readInstance(home).pid;
    const others = starts.filter((start) => start.pid !== owner);
    expect(others).toHaveLength(3);
    for (const other of others) {
      expect((await other.ended).code).toBe(0);
      expect(other.stdout()).not.toContain('Ready');
    }
  });

  it('takes over when the first one was killed, replacing what that one left', async () => {
    const home = tempDir();
    const first = startProcess({ home });
    await first.waitFor(/^Ready$/m);
    const before = readInstance(home);
    first.kill('SIGKILL');
    await first.ended;
    expect(existsSync(before.socket)).toBe(true);

    const second = startProcess({ home });
    await second.waitFor(/^Ready$/m);
    expect(readInstance(home)).toMatchObject({ pid: second.pid, socket: before.socket });
    second.kill('SIGTERM');
    expect((await second.ended).code).toBe(0);
    expect(readdirSync(join(home, 'run'))).toEqual([]);
  });

  it('waits for one that neither answers nor goes, and takes over when that one goes', async () => {
    const home = tempDir();
    await privateFolder(join(home, 'run'));
    const release = acquireFileLock(join(home, 'run/owner.lock'));
    const start = startProcess({ home });
    await start.waitForError(/Starting/);
    release?.();
    await start.waitFor(/^Ready$/m);
    expect(readInstance(home).pid).toBe(start.pid);
  });
});

describe('a data folder whose owner does not answer', { timeout: 60_000 }, () => {
  async function occupied(): Promise<string> {
    const home = tempDir();
    await privateFolder(join(home, 'run'));
    expect(acquireFileLock(join(home, 'run/owner.lock'))).toBeDefined();
    return home;
  }

  it('is an error that says what to do, after a while', async () => {
    const claim = claimDataFolder(await occupied(), undefined, 0);
    await expect(claim).rejects.toThrow(StartError);
    await expect(claim).rejects.toThrow(/does not answer/);
  });

  it.each([
    ['instance.json', '{'],
    ['instance.json', '{"pid":1}'],
    ['token', ''],
    ['token', '\n'],
  ])('is told apart, and soon, from one whose run/%s holds %j', async (name, text) => {
    const home = tempDir();
    const first = startProcess({ home });
    await first.waitFor(/^Ready$/m);
    writeFileSync(join(home, 'run', name), text);
    const began = Date.now();
    const second = startProcess({ home });
    expect((await second.ended).code).toBe(1);
    expect(second.stderr()).toMatch(/^Another AgentRelay uses .* is damaged\. End it, and start again\.$/m);
    expect(second.stderr()).not.toMatch(/^\s+at /m);
    expect(Date.now() - began).toBeLessThan(15_000);
    first.kill('SIGTERM');
    expect((await first.ended).code).toBe(0);
    const third = startProcess({ home });
    await third.waitFor(/^Ready$/m);
  });

  it('is not waited for when the start is called off', async () => {
    const end = new AbortController();
    const claim = claimDataFolder(await occupied(), end.signal);
    end.abort();
    await expect(claim).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('is asked again while its files still tell of one that was killed', async () => {
    const home = await occupied();
    writeFileSync(join(home, 'run/token'), 'old');
    writeFileSync(
      join(home, 'run/instance.json'),
      JSON.stringify({
        pid: 1,
        version: '0',
        shell: 'browser',
        relay: { url: 'http://127.0.0.1:1', name: 'acme', id: 'x' },
        socket: join(home, 'run/mcp.sock'),
      }),
    );
    await expect(claimDataFolder(home, undefined, 0)).rejects.toThrow(/does not answer/);
  });
});

describe('a data folder that cannot be used as it is', { timeout: 60_000 }, () => {
  /** What a start says of it, with the exit code 1. */
  async function refusal(home: string): Promise<string> {
    const start = startProcess({ home });
    expect(await start.ended).toEqual({ code: 1, signal: null });
    expect(start.stdout()).toBe('');
    const [, ...said] = start.stderr().trimEnd().split('\n');
    expect(said).toHaveLength(1);
    return String(said[0]);
  }

  it.each(['run/owner.lock', 'run/token', 'run/instance.json', 'config.json', 'config.json.next', 'secrets.json.next'])(
    'says what to do with a folder in the place of %s',
    async (name) => {
      const home = tempDir();
      await privateFolder(join(home, 'run'));
      mkdirSync(join(home, name), { recursive: true });
      expect(await refusal(home)).toMatch(
        new RegExp(`${name.replace('.', '\\.')} cannot be (?:used|read).* (?:Move|Restore) `),
      );
    },
  );

  it.each(['run', 'logs'])('says what to do with a file in the place of %s/', async (name) => {
    const home = tempDir();
    writeFileSync(join(home, name), '');
    expect(await refusal(home)).toMatch(/must be a folder of its own\. Move /);
  });

  it('says what to do with a lock that is none', async () => {
    const home = tempDir();
    await privateFolder(join(home, 'run'));
    writeFileSync(join(home, 'run/owner.lock'), 'no lock'.repeat(1000));
    expect(await refusal(home)).toMatch(/owner\.lock cannot be used .* Move /);
  });

  it('says what to do when it is no folder', async () => {
    for (const home of ['/dev/null', '/dev/null/data']) {
      expect(await refusal(home)).toMatch(/^\/dev\/null\S* cannot be used .*--home/);
    }
  });
});
