import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  watch,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { decide, decideBetween } from '../../../main/desk/trust/decide.ts';
import { NEW_TRUST } from '../../../main/desk/trust/edit-trust.ts';
import { createTrustFile, openTrustFile, TrustFileError, type TrustNow } from '../../../main/desk/trust/trust-file.ts';
import { because } from '../../support/skip.ts';
import { tempDir } from '../../support/temp-dir.ts';

const LISTED = 'version: 1\nteammates:\n  frank@acme: {}\n';

async function trustFile(text?: string) {
  const path = join(tempDir(), 'trust.yaml');
  if (text === undefined) await createTrustFile(path);
  else writeFileSync(path, text, { mode: 0o600 });
  const file = openTrustFile(path);
  onTestFinished(() => file.close());
  const act = (): string => decide(file.now().state, 'frank@acme').action;
  return { path, file, act };
}

describe('the file of a first start', () => {
  test('is for its owner alone, and is made once', async () => {
    const { path, act } = await trustFile();
    expect(readFileSync(path, 'utf8')).toBe(NEW_TRUST);
    if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600);
    writeFileSync(path, LISTED);
    await createTrustFile(path);
    expect(readFileSync(path, 'utf8')).toBe(LISTED);
    expect(act()).toBe('deliver');
  });
});

describe('a file that somebody is writing', () => {
  const FULL = 'version: 1\nblocked:\n  - frank@acme\nunknown_teammates: {policy: allow_with_default_trust}\n';
  const between = ({ state, before }: TrustNow): string =>
    before === undefined ? decide(state, 'frank@acme').action : decideBetween(before, state, 'frank@acme').action;

  test('counts together with what it said before, until it is whole', async () => {
    const { path, file } = await trustFile(FULL);
    expect(between(file.now())).toBe('reject');
    // the first half of a save: nobody is blocked in it
    writeFileSync(path, 'version: 1\nunknown_teammates: {policy: allow_with_default_trust}\nblocked:\n');
    expect(between(file.now())).toBe('hold');
    writeFileSync(path, FULL);
    expect(between(file.now())).toBe('reject');
    writeFileSync(path, LISTED);
    expect(between(file.now())).toBe('hold');
    await expect.poll(() => between(file.now())).toBe('deliver');
  });

  test('is not written over: a change of a program is made to what stands there at the last moment', async () => {
    const { path, file } = await trustFile(LISTED);
    // an editor saves while the program has its new file ready
    const watcher = watch(dirname(path), (_event, name) => {
      if (name !== 'trust.yaml.next') return;
      watcher.close();
      writeFileSync(path, `${LISTED}blocked: [eve@acme]\n`);
    });
    onTestFinished(() => watcher.close());
    const edits = Array.from({ length: 20 }, (_, n) =>
      file.edit({ kind: 'teammate', handle: `bot${n}@acme`, grants: {} }),
    );
    await Promise.all(edits);
    const text = readFileSync(path, 'utf8');
    expect(text).toContain('eve@acme');
    for (let n = 0; n < edits.length; n += 1) expect(text).toContain(`bot${n}@acme`);
  });
});

describe('what stands there now', () => {
  test('counts at once, also when an editor has put another file in its place', async () => {
    const { path, act } = await trustFile(LISTED);
    expect(act()).toBe('deliver');
    writeFileSync(path, `${LISTED}blocked: [frank@acme]\n`);
    expect(act()).toBe('reject');
    writeFileSync(`${path}~`, LISTED, { mode: 0o600 });
    renameSync(`${path}~`, path);
    expect(act()).toBe('deliver');
  });

  test('is told to those who listen', async () => {
    const { path, file } = await trustFile(LISTED);
    let heard = 0;
    const forget = file.onChange(() => void (heard += 1));
    writeFileSync(path, NEW_TRUST);
    await expect.poll(() => heard).toBe(1);
    writeFileSync(`${path}~`, LISTED, { mode: 0o600 });
    renameSync(`${path}~`, path);
    await expect.poll(() => heard).toBe(2);
    forget();
  });
});

describe('a file that is of no use holds everything', () => {
  const useless = async (spoil: (path: string) => void): Promise<string> => {
    const { path, file, act } = await trustFile(LISTED);
    spoil(path);
    expect(act()).toBe('hold');
    const { state } = file.now();
    if (state.kind === 'good') throw new Error('it was read');
    return state.errors[0]?.message ?? '';
  };

  test('when it is gone, and when it is back all is as before', async () => {
    const { path, act } = await trustFile(LISTED);
    rmSync(path);
    expect(act()).toBe('hold');
    writeFileSync(path, LISTED, { mode: 0o600 });
    expect(act()).toBe('deliver');
  });

  test('when it has an error', async () => {
    expect(await useless((path) => writeFileSync(path, 'version: 1\nteammates: 7\n'))).toMatch(/keys and values/);
  });

  test('when it is a folder', async () => {
    const message = await useless((path) => {
      rmSync(path);
      mkdirSync(path);
    });
    expect(message).toMatch(/is no file|cannot be read/);
  });

  test('when it is fifty megabytes', async () => {
    expect(await useless((path) => writeFileSync(path, Buffer.alloc(50_000_000, 35)))).toMatch(/more than/);
  });

  describe.skipIf(process.platform === 'win32')(
    'on a system with owners and modes',
    because('Windows has neither here'),
    () => {
      test('when it is a link, wherever that leads', async () => {
        const message = await useless((path) => {
          renameSync(path, `${path}.real`);
          symlinkSync(`${path}.real`, path);
        });
        expect(message).toMatch(/is a link/);
      });

      test('when others can write it', async () => {
        expect(await useless((path) => chmodSync(path, 0o620))).toMatch(/can be written by others. Run: chmod 600/);
      });
    },
  );
});

describe('a change', () => {
  test('is written whole, for its owner alone, and counts', async () => {
    const { path, file, act } = await trustFile(LISTED);
    await file.edit({ kind: 'block', handle: 'frank@acme' });
    expect(act()).toBe('reject');
    expect(readFileSync(path, 'utf8')).toBe(`${LISTED}blocked:\n  - frank@acme\n`);
    if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(existsSync(`${path}.next`)).toBe(false);
  });

  test('that comes with others is made upon theirs', async () => {
    const { file } = await trustFile(LISTED);
    const handles = Array.from({ length: 20 }, (_one, index) => `n${index}@acme`);
    await Promise.all(handles.map((handle) => file.edit({ kind: 'block', handle })));
    const { state } = file.now();
    expect(state.kind === 'good' && [...state.trust.blocked.keys()]).toEqual(handles);
  });

  test('of a file with an error is refused, and the file stays as it is', async () => {
    const broken = 'version: 1\nteammates: 7\n';
    const { path, file } = await trustFile(broken);
    const edit = file.edit({ kind: 'block', handle: 'frank@acme' });
    await expect(edit).rejects.toThrow(TrustFileError);
    await expect(edit).rejects.toMatchObject({
      findings: [{ line: 2 }],
      message: expect.stringMatching(/has an error/),
    });
    expect(readFileSync(path, 'utf8')).toBe(broken);
  });

  test('of a file that is gone is refused too', async () => {
    const { path, file } = await trustFile(LISTED);
    rmSync(path);
    await expect(file.edit({ kind: 'unknown', policy: 'reject' })).rejects.toThrow(/cannot be read/);
    expect(existsSync(path)).toBe(false);
  });

  test('to a text with an error is refused, to a good one made', async () => {
    const { path, file, act } = await trustFile(LISTED);
    await expect(file.replace('version: 2\n')).rejects.toMatchObject({ findings: [{ line: 1 }] });
    expect(file.text()).toBe(LISTED);
    await file.replace('version: 1\n');
    expect([readFileSync(path, 'utf8'), act()]).toEqual(['version: 1\n', 'hold']);
  });
});
