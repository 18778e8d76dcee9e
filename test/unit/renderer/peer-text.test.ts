import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bodyBlocks, codeSpans } from '../../../renderer/text/blocks.ts';
import { linkTarget } from '../../../renderer/text/link-target.ts';
import { markHidden } from '../../../renderer/text/marks.ts';

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
      { kind: 'prose', spans: [{ text: 'One line.\n\n  Another, **not bold**.', code: false }] },
    ]);
  });

  it('has code in fences, with its language', () => {
    expect(bodyBlocks('See:\n\n```ts\nconst a = 1;\n\nconst b = 2;\n```\n\nOk?')).toEqual([
      { kind: 'prose', spans: [{ text: 'See:', code: false }] },
      { kind: 'code', language: 'ts', text: 'const a = 1;\n\nconst b = 2;' },
      { kind: 'prose', spans: [{ text: 'Ok?', code: false }] },
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
    expect(bodyBlocks('```a``` b')).toEqual([
      {
        kind: 'prose',
        spans: [
          { text: 'a', code: true },
          { text: ' b', code: false },
        ],
      },
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
        const all = bodyBlocks(body).map((block) =>
          block.kind === 'code' ? block.language + block.text : block.spans.map(({ text }) => text).join(''),
        );
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

  it('are found in a long line of backticks without taking long', () => {
    expect(codeSpans('`'.repeat(20_000) + 'a').at(-1)).toMatchObject({ code: false });
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
