import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatHandle, NAME_PATTERN } from '../../../relay/contract/handle.ts';
import { visibleHandle, visibleName } from '../../../relay/contract/visible-handle.ts';
import { HOSTILE_STRINGS } from '../../support/hostile-corpus.ts';
import { rawDangers } from '../../support/raw-dangers.ts';

const KNOWN = ['alice@acme', 'frank@acme'];

describe('visibleHandle', () => {
  it('shows a handle as it is', () => {
    const name = fc.stringMatching(NAME_PATTERN);
    fc.assert(fc.property(name, name, (one, relay) => visibleHandle(formatHandle(one, relay)) === `${one}@${relay}`));
    expect(visibleHandle('alice')).toBe('alice');
  });

  it('never lets a letter of another alphabet read as a handle', () => {
    expect(visibleHandle('\u0430lice@acme')).toBe('\u0430lice@acme ⟨looks like alice@acme⟩');
    expect(visibleHandle('frank\uff20acme')).toBe('frank\uff20acme ⟨looks like frank@acme⟩');
  });

  it('shows what hides in it, and what it is without that', () => {
    expect(visibleHandle('al\u200bice@acme')).toBe('al⟨U+200B⟩ice@acme ⟨looks like alice@acme⟩');
  });

  it('marks a handle in ASCII that passes for a known one', () => {
    expect(visibleHandle('a1ice@acme', KNOWN)).toBe('a1ice@acme ⟨looks like alice@acme⟩');
    expect(visibleHandle('frank@acrne', KNOWN)).toBe('frank@acrne ⟨looks like frank@acme⟩');
  });

  it('marks no handle for looking like itself, or for being new', () => {
    expect(visibleHandle('alice@acme', KNOWN)).toBe('alice@acme');
    expect(visibleHandle('ALICE@acme', KNOWN)).toBe('ALICE@acme');
    expect(visibleHandle('mia@acme', KNOWN)).toBe('mia@acme');
  });

  it('is one line without danger, whatever a relay calls a handle', () => {
    for (const text of HOSTILE_STRINGS) {
      const shown = visibleHandle(text, KNOWN);
      expect([rawDangers(shown), shown.includes('\n')]).toEqual([[], false]);
    }
  });
});

describe('visibleName', () => {
  it.each(['Mia', 'Zoë', 'Алиса', 'Сара', 'こんにちは', 'Acme™', 'Ελένη', 'build bot (nightly)'])(
    'shows %s as it is',
    (name) => {
      expect(visibleName(name, 'mia@acme', KNOWN)).toBe(name);
    },
  );

  it('marks the name of somebody known', () => {
    expect(visibleName('Alice', 'mallory@acme', KNOWN)).toBe('Alice ⟨looks like alice@acme⟩');
    expect(visibleName('A1ice', 'mallory@acme', KNOWN)).toBe('A1ice ⟨looks like alice@acme⟩');
    expect(visibleName('\u0410lice', 'mallory@acme', KNOWN)).toBe('\u0410lice ⟨looks like alice@acme⟩');
  });

  it('marks a name that is the handle of somebody else, known or not', () => {
    expect(visibleName('mia@acme', 'mallory@acme')).toBe('mia@acme ⟨looks like mia@acme⟩');
    expect(visibleName('mia@\u0430cme', 'mallory@acme')).toBe('mia@\u0430cme ⟨looks like mia@acme⟩');
  });

  it('marks a name that mixes alphabets, or wears Latin letters of another kind', () => {
    expect(visibleName('\u0440riya', 'x@acme')).toBe('\u0440riya ⟨looks like priya⟩');
    expect(visibleName('\uff30riya', 'x@acme')).toBe('\uff30riya ⟨looks like priya⟩');
  });

  it('marks nobody for the own name and the own handle', () => {
    expect(visibleName('Alice', 'alice@acme', KNOWN)).toBe('Alice');
    expect(visibleName('alice@acme', 'alice@acme', KNOWN)).toBe('alice@acme');
  });

  it('is one line without danger, whatever the name', () => {
    for (const text of HOSTILE_STRINGS) {
      const shown = visibleName(text, 'mallory@acme', KNOWN);
      expect([rawDangers(shown), shown.includes('\n')]).toEqual([[], false]);
    }
  });
});
