import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { HOSTILE_STRINGS, hostilePieces, SENDABLE_STRINGS } from '../../support/hostile-corpus.ts';
import { ROOT } from '../../support/project-root.ts';
import { rawDangers, rawDangersIn } from '../../support/raw-dangers.ts';

describe('the hostile corpus', () => {
  it('has at least 200 strings, all different', () => {
    expect(new Set(HOSTILE_STRINGS).size).toBe(HOSTILE_STRINGS.length);
    expect(HOSTILE_STRINGS.length).toBeGreaterThanOrEqual(200);
  });

  it('is written in ASCII, so that its source hides nothing', () => {
    const folder = join(ROOT, 'test/support/hostile');
    for (const file of readdirSync(folder)) expect(readFileSync(join(folder, file), 'latin1')).toMatch(/^[\n -~]*$/);
  });

  it('comes in pieces for fields of any size, and nothing short is left out', () => {
    const pieces = hostilePieces(256);
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(256);
    for (const text of SENDABLE_STRINGS.filter(({ length }) => length <= 256)) {
      expect(pieces.some((piece) => piece.includes(text))).toBe(true);
    }
  });
});

describe('the oracle', () => {
  it('finds what is raw', () => {
    const dangers = (text: string) => rawDangers(text).join(' ');
    expect(dangers('\u001b[31mred')).toBe('U+001B');
    expect(dangers('a\u009bb\u007f')).toBe('U+009B U+007F');
    expect(dangers('invoice\u202efdp.exe')).toBe('U+202E');
    expect(dangers('al\u200bice')).toBe('U+200B');
    expect(dangers('x\u{e0041}\u{e0100}\ufe0f')).toBe('U+E0041 U+E0100 U+FE0F');
    expect(dangers('a\ud800\u2028\uffff')).toBe('U+D800 U+2028 U+FFFF');
    expect(dangers(`a${'\u0301'.repeat(9)}`)).toBe('U+0301');
  });

  it('finds most of the corpus raw', () => {
    // the rest is plain text with a plan: markup, frames, boundaries
    expect(HOSTILE_STRINGS.filter((text) => rawDangers(text).length > 0).length).toBeGreaterThan(180);
  });

  it('looks into every member and every name', () => {
    expect(rawDangersIn({ a: [{ b: 'ok' }, 1, null] })).toEqual([]);
    expect(rawDangersIn({ a: [{ b: '\u202e' }] })).toEqual(['U+202E']);
    expect(rawDangersIn({ '\u200b': true })).toEqual(['U+200B']);
  });

  it('lets ordinary text pass, and emoji', () => {
    expect(rawDangers('na\u00efve caf\u00e9\n\t\u3053\u3093 \u0645\u0631')).toEqual([]);
    expect(rawDangers('\u{1F469}\u200D\u{1F4BB} \u2764\uFE0F')).toEqual([]);
    expect(rawDangers('\u{1F469}\u200D')).toEqual(['U+200D']);
  });
});
