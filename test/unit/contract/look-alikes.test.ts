import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NAME_PATTERN } from '../../../relay/contract/handle.ts';
import { LOOK_ALIKE_LETTERS } from '../../../relay/contract/look-alike-letters.ts';
import { asRead, disguised, skeleton } from '../../../relay/contract/look-alikes.ts';

describe('the letters that look like those of handles', () => {
  it('are no ASCII, and each looks like one character only', () => {
    const letters = Object.values(LOOK_ALIKE_LETTERS).flatMap((all) => Array.from(all));
    expect(letters.filter((letter) => /[\0-\x7f]/.test(letter))).toEqual([]);
    expect(new Set(letters).size).toBe(letters.length);
  });

  it('stand for characters that a handle may hold', () => {
    for (const model of Object.keys(LOOK_ALIKE_LETTERS)) expect(model).toMatch(/^[a-z0-9._-]$/);
  });
});

describe('asRead', () => {
  it.each([
    ['\u0430lice@\u0430cme', 'alice@acme'],
    ['\u0391lice', 'alice'],
    ['\uff41\uff4c\uff49\uff43\uff45\uff20acme', 'alice@acme'],
    ['\u{1d41a}\u{1d425}\u{1d422}\u{1d41c}\u{1d41e}', 'alice'],
    ['al\u200bi\u202ece', 'alice'],
    ['\u00e1lice', 'alice'],
    ['\u0412\u041e\u0412', 'bob'],
    ['ops\u2010team', 'ops-team'],
  ])('reads %j as %j', (text, read) => {
    expect(asRead(text)).toBe(read);
  });

  it('leaves every handle as it is', () => {
    fc.assert(fc.property(fc.stringMatching(NAME_PATTERN), (name) => asRead(name) === name));
  });

  it('leaves letters that look like no other', () => {
    expect(asRead('\u043b\u0434\u3042')).toBe('\u043b\u0434\u3042');
  });
});

describe('skeleton', () => {
  it('is the same for names that pass for each other, in ASCII too', () => {
    for (const [one, other] of [
      ['a1ice', 'alice'],
      ['b0b', 'bob'],
      ['frank@acrne', 'frank@acme'],
      ['vvalter', 'walter'],
      ['\u0430lice', 'alice'],
    ] as const) {
      expect(skeleton(one)).toBe(skeleton(other));
    }
  });

  it('is another one for other names', () => {
    expect(skeleton('alice')).not.toBe(skeleton('alicia'));
    expect(skeleton('mia')).not.toBe(skeleton('mio'));
  });
});

describe('disguised', () => {
  it('finds a word in any letters, and no other word', () => {
    const pattern = new RegExp(`^${disguised('ends')}$`, 'iu');
    for (const word of ['ends', 'ENDS', '\u0435nds', '\u0435\u0578d\u0455']) expect(word).toMatch(pattern);
    for (const word of ['end', 'sends', 'anda']) expect(word).not.toMatch(pattern);
  });
});
