import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isOwnFolder, openDataFolder, privateFolder, writePrivateFile } from '../../../main/files.ts';
import { openLogFile } from '../../../main/log-file.ts';
import { fileSecretStore } from '../../../main/secrets.ts';
import { StartError, unusable } from '../../../main/start-error.ts';
import { tempDir } from '../../support/temp-dir.ts';

const modeOf = (path: string): number => statSync(path).mode & 0o777;

describe('the data folder', () => {
  it('is made with everything above it, for the user alone', async () => {
    const home = join(tempDir(), 'a', 'b');
    expect(await openDataFolder(home)).toBe(home);
    expect(modeOf(home)).toBe(0o700);
  });

  it('is closed to others when it was open to them and is empty, or is a data folder', async () => {
    for (const name of [undefined, 'relay.db']) {
      const home = tempDir();
      if (name !== undefined) writeFileSync(join(home, name), '');
      chmodSync(home, 0o755);
      await openDataFolder(home);
      expect(modeOf(home)).toBe(0o700);
    }
  });

  it('is never a folder that serves others: its mode stays as it is', async () => {
    const home = tempDir();
    writeFileSync(join(home, 'index.html'), '');
    chmodSync(home, 0o755);
    await expect(openDataFolder(home)).rejects.toThrow(StartError);
    expect(modeOf(home)).toBe(0o755);
  });

  it('may be reached by a link, and is then what the link leads to', async () => {
    const folder = tempDir();
    mkdirSync(join(folder, 'real'));
    symlinkSync('real', join(folder, 'link'));
    expect(await openDataFolder(join(folder, 'link'))).toBe(join(folder, 'real'));
  });

  it('is no file, and that is said with what to do', async () => {
    const path = join(tempDir(), 'file');
    writeFileSync(path, '');
    await expect(openDataFolder(path)).rejects.toThrow(StartError);
    await expect(openDataFolder(path)).rejects.toThrow(/--home/);
  });
});

describe('a folder in it', () => {
  it('is refused where it is a link that somebody put there', async () => {
    const folder = tempDir();
    mkdirSync(join(folder, 'elsewhere'), { mode: 0o755 });
    symlinkSync('elsewhere', join(folder, 'run'));
    await expect(privateFolder(join(folder, 'run'))).rejects.toThrow(StartError);
    expect(modeOf(join(folder, 'elsewhere'))).toBe(0o755);
  });

  it('is closed to others when it is open to them', async () => {
    const path = join(tempDir(), 'run');
    mkdirSync(path);
    chmodSync(path, 0o777);
    await privateFolder(path);
    expect(modeOf(path)).toBe(0o700);
  });
});

describe('a runtime folder', () => {
  it("is of use where it is there, and this user's", async () => {
    const folder = tempDir();
    writeFileSync(join(folder, 'file'), '');
    symlinkSync(folder, join(folder, 'link'));
    expect(await isOwnFolder(folder)).toBe(true);
    expect(await isOwnFolder(join(folder, 'link'))).toBe(true);
    expect(await isOwnFolder(join(folder, 'file'))).toBe(false);
    expect(await isOwnFolder(join(folder, 'missing'))).toBe(false);
    // root's, or another's where root runs the tests: nobody owns /proc/1 and this process both
    expect(await isOwnFolder(process.getuid?.() === 0 ? nobodysFolder(folder) : '/')).toBe(false);
  });
});

function nobodysFolder(parent: string): string {
  const folder = join(parent, 'of-nobody');
  mkdirSync(folder);
  chownSync(folder, 65534, 65534);
  return folder;
}

describe('what cannot be used', () => {
  const told = (code: string): string =>
    unusable('/data/config.json', Object.assign(new Error('no'), { code })).message;

  it.each([
    ['ENOSPC', /room/],
    ['ENOENT', /cannot be made there.*--home/],
    ['EROFS', /writable.*--home/],
    ['EACCES', /writable.*--home/],
    ['EISDIR', /Move away/],
    ['SQLITE_NOTADB', /Move away/],
  ])('for %s says what to do', (code, advice) => {
    expect(told(code)).toMatch(advice);
    expect(told(code)).toContain(`/data/config.json cannot be used (${code})`);
  });

  it('keeps a sentence that says it already', () => {
    const said = new StartError('Move it away.');
    expect(unusable('/data', said)).toBe(said);
  });
});

describe('a file in it', () => {
  it('is replaced as a whole, for the user alone, and leaves nothing beside it', async () => {
    const folder = tempDir();
    const path = join(folder, 'token');
    writeFileSync(path, 'a much longer text than the next', { mode: 0o644 });
    writeFileSync(`${path}.next`, 'what a crash left', { mode: 0o644 });
    await writePrivateFile(path, 'new');
    expect(readFileSync(path, 'utf8')).toBe('new');
    expect(modeOf(path)).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['token']);
  });

  it('is not written where a folder stands in its way, and that one stays', async () => {
    for (const name of ['token', 'token.next']) {
      const folder = tempDir();
      mkdirSync(join(folder, name, 'precious'), { recursive: true });
      await expect(writePrivateFile(join(folder, 'token'), 'new')).rejects.toThrow(StartError);
      expect(readdirSync(join(folder, name))).toEqual(['precious']);
    }
  });

  it('is not written through a link that somebody put there', async () => {
    const folder = tempDir();
    writeFileSync(join(folder, 'precious'), 'text');
    for (const name of ['token', 'token.next']) symlinkSync('precious', join(folder, name));
    await writePrivateFile(join(folder, 'token'), 'new');
    expect(readFileSync(join(folder, 'precious'), 'utf8')).toBe('text');
    expect(lstatSync(join(folder, 'token')).isFile()).toBe(true);
  });
});

describe('secrets', () => {
  it('are found again by their names, after another start too', async () => {
    const path = join(tempDir(), 'secrets.json');
    const store = fileSecretStore(path);
    expect(await store.get('frank')).toBeUndefined();
    await store.set('frank', 'one');
    await store.set('mia', 'two');
    await store.set('frank', 'three');
    expect(await store.get('frank')).toBe('three');
    expect(await fileSecretStore(path).get('mia')).toBe('two');
    expect(modeOf(path)).toBe(0o600);
  });

  it('that are written at once are all kept', async () => {
    const store = fileSecretStore(join(tempDir(), 'secrets.json'));
    const names = Array.from({ length: 10 }, (_, i) => `agent-${i}`);
    await Promise.all(names.map((name) => store.set(name, name)));
    expect(await Promise.all(names.map((name) => store.get(name)))).toEqual(names);
  });

  it('have no names that every object has', async () => {
    expect(await fileSecretStore(join(tempDir(), 'secrets.json')).get('constructor')).toBeUndefined();
  });

  it.each(['', '{', '[]', '{"frank":1}'])('in a file that holds %j are neither read nor written over', async (text) => {
    const path = join(tempDir(), 'secrets.json');
    writeFileSync(path, text);
    const store = fileSecretStore(path);
    await expect(store.get('frank')).rejects.toThrow(StartError);
    await expect(store.set('frank', 'x')).rejects.toThrow(/backup/);
    expect(readFileSync(path, 'utf8')).toBe(text);
  });
});

describe('the log', () => {
  const lines = (folder: string, name = 'agentrelay.log'): readonly string[] =>
    readFileSync(join(folder, name), 'utf8')
      .split('\n')
      .filter((line) => line !== '');

  it('is JSON lines, for the user alone, all there when it is closed', async () => {
    const folder = tempDir();
    const log = openLogFile(folder, 'info');
    for (let i = 0; i < 100; i += 1) log.logger.info({ i }, 'said');
    log.logger.debug('not wanted');
    await log.close();
    expect(lines(folder).map((line) => (JSON.parse(line) as { i: number }).i)).toEqual(
      Array.from({ length: 100 }, (_, i) => i),
    );
    expect(modeOf(join(folder, 'agentrelay.log'))).toBe(0o600);
  });

  it('goes on where the last start ended', async () => {
    const folder = tempDir();
    for (const message of ['first', 'second']) {
      const log = openLogFile(folder, 'info');
      log.logger.info(message);
      await log.close();
    }
    expect(lines(folder)).toHaveLength(2);
  });

  it('is put aside when it has grown large, and only so many are kept', async () => {
    const folder = tempDir();
    for (const age of [1, 2, 3, 4, 5]) {
      writeFileSync(join(folder, 'agentrelay.log'), `${age}`.repeat(5 * 1024 * 1024 + 1));
      await openLogFile(folder, 'info').close();
    }
    expect(readdirSync(folder).toSorted()).toEqual([
      'agentrelay.log',
      'agentrelay.log.1',
      'agentrelay.log.2',
      'agentrelay.log.3',
    ]);
    expect([1, 2, 3].map((age) => readFileSync(join(folder, `agentrelay.log.${age}`), 'utf8')[0])).toEqual([
      '5',
      '4',
      '3',
    ]);
    expect(statSync(join(folder, 'agentrelay.log')).size).toBe(0);
  });

  it('holds no secret that stands under its name', async () => {
    const folder = tempDir();
    const log = openLogFile(folder, 'info');
    log.logger.info({
      apiKey: 'ar_1',
      token: 'ar_2',
      account: { apiKey: 'ar_3' },
      req: { headers: { authorization: 'ar_4' } },
    });
    await log.close();
    expect(readFileSync(join(folder, 'agentrelay.log'), 'utf8')).not.toContain('ar_');
  });

  it('that cannot be opened is said with what to do', () => {
    const folder = tempDir();
    mkdirSync(join(folder, 'agentrelay.log'));
    expect(() => openLogFile(folder, 'info')).toThrow(StartError);
    expect(() => openLogFile(folder, 'info')).toThrow(/agentrelay\.log/);
  });
});
