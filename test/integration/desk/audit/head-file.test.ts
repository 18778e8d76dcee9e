import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createHeadFile } from '../../../../main/desk/audit/head-file.ts';
import { GENESIS, type Head } from '../../../../main/desk/audit/seal.ts';
import { tempDir } from '../../../support/temp-dir.ts';

const HEAD: Head = { seq: 41, hash: 'ab'.repeat(32) };

describe('the file that says where the log ends', () => {
  it('holds what was written last', () => {
    const path = join(tempDir(), 'audit-head');
    const file = createHeadFile(path, 'key');
    expect(file.read()).toBe('missing');
    file.write(GENESIS);
    expect(file.read()).toEqual(GENESIS);
    file.write(HEAD);
    expect(createHeadFile(path, 'key').read()).toEqual(HEAD);
  });

  it('is always of one length, and the same file', () => {
    const path = join(tempDir(), 'audit-head');
    const file = createHeadFile(path, 'key');
    file.write(GENESIS);
    const before = statSync(path);
    file.write({ ...HEAD, seq: Number.MAX_SAFE_INTEGER });
    const after = statSync(path);
    expect([after.size, after.ino]).toEqual([before.size, before.ino]);
  });

  it('is not believed with another key', () => {
    const path = join(tempDir(), 'audit-head');
    createHeadFile(path, 'key').write(HEAD);
    expect(createHeadFile(path, 'another').read()).toBe('invalid');
  });

  it('is not believed where any of its characters is another one', () => {
    const path = join(tempDir(), 'audit-head');
    const file = createHeadFile(path, 'key');
    file.write(HEAD);
    const text = readFileSync(path, 'utf8');
    for (let at = 0; at < text.length; at += 1) {
      writeFileSync(path, `${text.slice(0, at)}${text[at] === '0' ? '1' : '0'}${text.slice(at + 1)}`);
      expect([at, file.read()]).toEqual([at, 'invalid']);
    }
    for (const other of ['', text.slice(0, -1), `${text} `]) {
      writeFileSync(path, other);
      expect(file.read()).toBe('invalid');
    }
  });

  it('takes the whole place of what stood there', () => {
    const path = join(tempDir(), 'audit-head');
    writeFileSync(path, 'x'.repeat(4_000));
    const file = createHeadFile(path, 'key');
    file.write(HEAD);
    expect(file.read()).toEqual(HEAD);
  });

  it('that is a folder is an error, and no missing file', () => {
    const path = join(tempDir(), 'audit-head');
    mkdirSync(path);
    expect(() => createHeadFile(path, 'key').read()).toThrow('EISDIR');
  });
});
