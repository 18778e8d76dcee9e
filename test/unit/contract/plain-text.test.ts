import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { visibleLine, visibleText } from '../../../relay/contract/plain-text.ts';

describe('visibleText', () => {
  it('leaves ordinary text as it is, whatever the script', () => {
    for (const text of ['Fix the parser', 'naïve café', 'こんにちは', 'مرحبا', 'a\tb\nc', '€ – „x“']) {
      expect(visibleText(text)).toBe(text);
    }
  });

  it('shows an ANSI sequence instead of letting it through', () => {
    expect(visibleText('\u001b[2Jgone\u001b]0;title\u0007')).toBe('␛[2Jgone␛]0;title␇');
  });

  it('shows C1 controls, which some terminals obey like an escape', () => {
    expect(visibleText('\u009b31m')).toBe('⟨U+009B⟩31m');
  });

  it('shows a direction override, so that a file name cannot read backwards', () => {
    expect(visibleText('invoice\u202Efdp.exe')).toBe('invoice⟨U+202E⟩fdp.exe');
  });

  it('shows zero-width characters, so that two names that look alike do not', () => {
    expect(visibleText('al\u200Bice\uFEFF')).toBe('al⟨U+200B⟩ice⟨U+FEFF⟩');
  });

  it('shows text hidden in tag characters', () => {
    expect(visibleText('ok\u{E0068}\u{E0069}')).toBe('ok⟨U+E0068⟩⟨U+E0069⟩');
  });

  it('keeps emoji whole, joiners and variation selectors included', () => {
    for (const emoji of ['👩‍💻', '👩🏽‍💻', '❤️', '1️⃣', '👨‍👩‍👧']) expect(visibleText(emoji)).toBe(emoji);
  });

  it('shows a joiner that joins no emoji', () => {
    expect(visibleText('a\u200Db')).toBe('a⟨U+200D⟩b');
  });

  it('reads a line end of Windows as one, and shows a lone carriage return', () => {
    expect(visibleText('a\r\nb')).toBe('a\nb');
    expect(visibleText('safe\revil')).toBe('safe␍evil');
  });

  it('replaces half surrogates', () => {
    expect(visibleText('a\ud83d')).toBe('a\ufffd');
  });

  it('lets no control code through, whatever the text, and changes nothing the second time', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const shown = visibleText(text);
        expect(shown).not.toMatch(/[^\P{Cc}\n\t]|[\u202A-\u202E\u2066-\u2069\u200B]/u);
        expect(visibleText(shown)).toBe(shown);
      }),
    );
  });
});

describe('visibleLine', () => {
  it('is always one line', () => {
    expect(visibleLine('  first\n\n second\tthird\u2028 ')).toBe('first second third⟨U+2028⟩');
  });
});
