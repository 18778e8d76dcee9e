import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { visibleLine, visibleText } from '../../../relay/contract/plain-text.ts';
import { bodyBlocks, codeSpans } from '../../../renderer/text/blocks.ts';
import { linkTarget } from '../../../renderer/text/link-target.ts';
import { markHidden } from '../../../renderer/text/marks.ts';
import { cutAt, FIRST_PAGE, NEXT_PAGE, pagesOf, piecesOf, type Page } from '../../../renderer/text/pages.ts';
import { textsBelow } from '../../../renderer/text/subject.ts';
import { cpuTime } from '../wire/cpu-time.ts';

/** Text with its marks in angle brackets. */
const shown = (text: string): string =>
  markHidden(text)
    .map((piece) => ('text' in piece ? piece.text : `<${piece.mark}${piece.count === 1 ? '' : `*${piece.count}`}>`))
    .join('');

describe('hidden characters', () => {
  it('are shown by the names that people know', () => {
    expect(shown('invoice\u202Egnp.exe')).toBe('invoice<RLO>gnp.exe');
    expect(shown('pay\u200Bpal')).toBe('pay<ZWSP>pal');
    expect(shown('\u001B[31mred')).toBe('<ESC>[31mred');
    expect(shown('\uFEFFstart')).toBe('<BOM>start');
    expect(shown('a\u2066b\u2069')).toBe('a<LRI>b<PDI>');
  });

  it('are shown by number where they have no name', () => {
    expect(shown('a\u{E0041}')).toBe('a<U+E0041>');
    expect(shown('a\u0001')).toBe('a<U+0001>');
  });

  it('of one kind in a row are one mark', () => {
    expect(shown('a\u200B\u200B\u200B\u202Eb')).toBe('a<ZWSP*3><RLO>b');
  });

  it('say in words and by number what they are', () => {
    expect(markHidden('\u202E')).toEqual([{ mark: 'RLO', name: 'right-to-left override, U+202E', count: 1 }]);
  });

  it('are not found in ordinary text, in tabs, line ends and emoji', () => {
    for (const text of ['Grüße\n\tan 東京 🎉', '👩‍👩‍👧 ❤️ 1️⃣', 'שלום']) expect(markHidden(text)).toEqual([{ text }]);
  });

  it('cannot ride on a digit', () => {
    expect(shown('1\uFE0F2\uFE0F')).toBe('1<U+FE0F>2<U+FE0F>');
  });

  it('do not include the line ends of Windows, but a lone carriage return', () => {
    expect(shown('a\r\nb\rc')).toBe('a\nb<CR>c');
  });

  it('are all that is taken out', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const kept = markHidden(text).map((piece) => ('text' in piece ? piece.text : ''));
        expect(kept.join('').length).toBeLessThanOrEqual(text.length);
        expect(kept.join('')).not.toMatch(/[\u202A-\u202E\u2066-\u2069\u200B\u200E\u200F]/);
      }),
    );
  });
});

describe('the body of a message', () => {
  it('is prose as it was typed', () => {
    expect(bodyBlocks('One line.\n\n  Another, **not bold**.')).toEqual([
      { kind: 'prose', text: 'One line.\n\n  Another, **not bold**.' },
    ]);
  });

  it('has code in fences, with its language', () => {
    expect(bodyBlocks('See:\n\n```ts\nconst a = 1;\n\nconst b = 2;\n```\n\nOk?')).toEqual([
      { kind: 'prose', text: 'See:' },
      { kind: 'code', language: 'ts', text: 'const a = 1;\n\nconst b = 2;' },
      { kind: 'prose', text: 'Ok?' },
    ]);
  });

  it('may have fences of tildes, and longer ones around shorter ones', () => {
    expect(bodyBlocks('~~~\na\n~~~')).toEqual([{ kind: 'code', language: '', text: 'a' }]);
    expect(bodyBlocks('````md\n```\nb\n```\n````')).toEqual([{ kind: 'code', language: 'md', text: '```\nb\n```' }]);
  });

  it('does not end a fence with one that has words behind it', () => {
    expect(bodyBlocks('```\na\n```ts\nb\n```')).toEqual([{ kind: 'code', language: '', text: 'a\n```ts\nb' }]);
  });

  it('keeps what is behind a fence that nobody closes: text that is still being written has such', () => {
    expect(bodyBlocks('```\nconst a')).toEqual([{ kind: 'code', language: '', text: 'const a' }]);
  });

  it('takes inline code with three backticks for what it is', () => {
    expect(bodyBlocks('```a``` b')).toEqual([{ kind: 'prose', text: '```a``` b' }]);
    expect(codeSpans('```a``` b')).toEqual([
      { text: 'a', code: true },
      { text: ' b', code: false },
    ]);
  });

  it('may be empty', () => {
    expect(bodyBlocks('')).toEqual([]);
    expect(bodyBlocks('\n\n')).toEqual([]);
  });

  it('loses no word of anything', () => {
    const letters = (text: string): string => text.replace(/[^a-z]/g, '');
    fc.assert(
      fc.property(fc.stringMatching(/^[ab`~\n ]{0,60}$/), (body) => {
        const all = bodyBlocks(body).map((block) => (block.kind === 'code' ? block.language + block.text : block.text));
        expect(letters(all.join(''))).toBe(letters(body));
      }),
    );
  });
});

describe('code spans', () => {
  it('are between backticks of one length', () => {
    expect(codeSpans('call `store.take()` or ``a`b``.')).toEqual([
      { text: 'call ', code: false },
      { text: 'store.take()', code: true },
      { text: ' or ', code: false },
      { text: 'a`b', code: true },
      { text: '.', code: false },
    ]);
  });

  it('do not reach over a line, and a lone backtick is one', () => {
    expect(codeSpans('a `b\nc` d')).toEqual([{ text: 'a `b\nc` d', code: false }]);
    expect(codeSpans('it costs 5` only')).toEqual([{ text: 'it costs 5` only', code: false }]);
  });

  it('give one space on both sides to the backticks', () => {
    expect(codeSpans('`` `a` ``')).toEqual([{ text: '`a`', code: true }]);
    expect(codeSpans('`   `')).toEqual([{ text: '   ', code: true }]);
  });

  it('are those that a pattern finds, which takes too long on long lines', () => {
    const PATTERN = /(?<!`)(`+)(?!`)([^\n]+?)(?<!`)\1(?!`)/g;
    fc.assert(
      fc.property(fc.stringMatching(/^[a`\n]{0,40}$/), (text) => {
        const found = Array.from(text.matchAll(PATTERN), ([, , code]) => code);
        expect(codeSpans(text).flatMap((span) => (span.code ? [span.text] : []))).toEqual(found);
      }),
    );
  });
});

describe('a long body', () => {
  const pages = (text: string): readonly Page[] => pagesOf(bodyBlocks(text));
  const textOf = (all: readonly Page[]): string => all.flatMap(({ blocks }) => blocks.map(({ text }) => text)).join('');

  it('is drawn in pages of 20 kB or 400 lines at first', () => {
    expect(pages('word '.repeat(3_000))).toHaveLength(1);
    const [first, second, ...rest] = pages('word '.repeat(100_000));
    expect(first?.length).toBeGreaterThan(FIRST_PAGE * 0.99);
    expect(first?.length).toBeLessThanOrEqual(FIRST_PAGE);
    expect(second?.length).toBeGreaterThan(NEXT_PAGE * 0.99);
    expect(rest.length).toBeLessThan(20);
    expect(pages('a\n'.repeat(10_000))[0]?.length).toBeLessThanOrEqual(800);
  });

  it('is cut at the ends of lines, and code goes on as code', () => {
    const all = pages(['Look:', '```ts', ...Array.from({ length: 5_000 }, () => 'const a = 1;'), '```'].join('\n'));
    const blocks = all.flatMap((page) => page.blocks);
    expect(blocks.map(({ continues }) => continues)).toEqual([false, false, ...all.slice(1).map(() => true)]);
    for (const block of blocks.slice(1)) expect(block.text).toMatch(/^const a = 1;[^]*const a = 1;\n?$/);
    expect(blocks.slice(1).every((block) => block.kind === 'code' && block.language === 'ts')).toBe(true);
  });

  it('has all of the text on its pages', () => {
    const piece = fc.oneof(
      fc.constantFrom('\n', ' ', '`', '```\n', 'word ', '\u{1F600}', 'x'.repeat(2_500), '\n'.repeat(90)),
      fc.string({ unit: 'grapheme', maxLength: 20 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), fc.integer({ min: 1, max: 40 }), (some, times) => {
        const text = some.join('').repeat(times);
        const blocks = bodyBlocks(text);
        const all = pagesOf(blocks);
        const letters = (one: string): string => one.replaceAll('\n', '');
        expect(letters(textOf(all))).toBe(letters(blocks.map((block) => block.text).join('')));
        expect(all.reduce((sum, { length }) => sum + length, 0)).toBe(
          blocks.reduce((sum, b) => sum + b.text.length, 0),
        );
        expect(all.every(({ length }) => length <= NEXT_PAGE + 500)).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  it('is never cut within a character', () => {
    expect(cutAt('ab', 5)).toBe(2);
    expect(cutAt('one two three', 10)).toBe(8);
    expect(cutAt('\u{1F600}\u{1F600}', 3)).toBe(2);
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), fc.integer({ min: 2, max: 50 }), (text, first) => {
        const pieces = piecesOf(text, first);
        expect(pieces.join('')).toBe(text);
        expect(pieces[0]?.length).toBeLessThanOrEqual(first * 1.1);
        if (text.isWellFormed()) expect(pieces.every((piece) => piece.isWellFormed())).toBe(true);
      }),
    );
  });
});

describe('a message of 1 MB', () => {
  const uniqueRuns = (): string => {
    let text = '';
    for (let length = 1; text.length < 900_000; length += 1) text += `${'`'.repeat(length)}a`;
    return text;
  };
  const TEXTS: Readonly<Record<string, string>> = {
    'a fence of spaces': `\`\`\`${' '.repeat(900_000)}\``,
    'a fence of tildes': `${'~'.repeat(900_000)}\``,
    backticks: `${'`'.repeat(900_000)}a`,
    'backticks in runs of every length': uniqueRuns(),
    code: '`a` '.repeat(225_000),
    fences: '```\na\n```\n'.repeat(90_000),
    'line feeds': `a${'\n'.repeat(900_000)}a`,
    spaces: `a${' '.repeat(900_000)}a`,
    'hidden characters': '\u200B\u200C'.repeat(150_000),
    'hidden characters apart': 'a\u200Bb\u200C'.repeat(110_000),
    'joined emoji': '\u{1F468}\u200D'.repeat(110_000),
    'one line': 'w'.repeat(900_000),
    'carriage returns': '\r'.repeat(900_000),
  };

  it.each(Object.entries(TEXTS))('of %s does not take long to read', (_, text) => {
    const parts = [{ text: `Subject\n${text}` }];
    const time = cpuTime(() => {
      for (const { blocks } of pagesOf(bodyBlocks(text)).slice(0, 3)) {
        for (const block of blocks) for (const span of codeSpans(block.text)) markHidden(span.text);
      }
      codeSpans(text);
      markHidden(text);
      textsBelow('Subject', parts);
      visibleText(text);
      visibleLine(text);
    });
    // seconds to minutes where something is quadratic
    expect(time).toBeLessThan(3_000);
  });

  it('of hidden characters has few marks, which count them all', () => {
    for (const text of ['\u200B\u200C'.repeat(150_000), 'a\u200Bb\u200C'.repeat(110_000)]) {
      const marks = markHidden(text).filter((piece) => 'mark' in piece);
      expect(marks.length).toBeLessThan(120);
      expect(marks.reduce((sum, { count }) => sum + count, 0)).toBe(text.replaceAll(/[^\u200B\u200C]/g, '').length);
    }
  });

  it('of hidden characters keeps every other one', () => {
    const text = 'a\u200Bb\u200C'.repeat(500);
    expect(
      markHidden(text)
        .map((piece) => ('text' in piece ? piece.text : ''))
        .join(''),
    ).toBe('ab'.repeat(500));
  });
});

describe('where a link leads', () => {
  it('is followed to web pages only', () => {
    expect(linkTarget('https://example.com/a?b=c')).toEqual({
      opens: true,
      href: 'https://example.com/a?b=c',
      shown: 'https://example.com/a?b=c',
    });
    expect(linkTarget('http://localhost:3000/')).toMatchObject({ opens: true });
  });

  it('is shown, and no more, for everything else', () => {
    for (const url of [
      'javascript:alert(1)',
      'data:text/html,x',
      'file:///etc/passwd',
      'vscode://open',
      'no url',
      '//example.com',
    ]) {
      expect(linkTarget(url)).toEqual({ opens: false, shown: url });
    }
  });

  it('names a host in letters that cannot pass for others', () => {
    expect(linkTarget('https://аpple.com/login')).toMatchObject({ shown: 'https://xn--pple-43d.com/login' });
  });

  it('does not hide behind spaces and case', () => {
    expect(linkTarget('  JavaScript:alert(1)')).toMatchObject({ opens: false });
    expect(linkTarget(' HTTPS://Example.COM')).toMatchObject({ opens: true, href: 'https://example.com/' });
  });
});
