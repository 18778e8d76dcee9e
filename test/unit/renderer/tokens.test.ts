import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../../support/project-root.ts';

const RENDERER = join(ROOT, 'renderer');
const TOKENS = readFileSync(join(RENDERER, 'styles', 'tokens.css'), 'utf8');
const FILES = readdirSync(RENDERER, { recursive: true, encoding: 'utf8' }).map((name) => ({
  name,
  text: /\.(css|tsx?|html)$/.test(name) ? readFileSync(join(RENDERER, name), 'utf8') : '',
}));
const SHEETS = FILES.filter(({ name }) => name.endsWith('.css') && !name.endsWith('tokens.css'));
const CODE = FILES.filter(({ name }) => /\.tsx?$/.test(name));

const withoutComments = (css: string): string => css.replace(/\/\*[\s\S]*?\*\//g, '');
/** Declarations only: the condition of a media or container query cannot be a token. */
const declarations = (css: string): string => withoutComments(css).replace(/@(media|container)[^{]*\{/g, '{');

const defined = new Set(Array.from(withoutComments(TOKENS).matchAll(/(--[\w-]+)\s*:/g), (match) => match[1] ?? ''));

describe('the design tokens', () => {
  it('are the only place with a colour', () => {
    const found = SHEETS.flatMap(({ name, text }) =>
      (declarations(text).match(/#[0-9a-f]{3,8}\b|\b(?:rgb|hsl|oklch|light-dark)a?\(/gi) ?? []).map(
        (literal) => `${name}: ${literal}`,
      ),
    );
    expect(found).toEqual([]);
  });

  it('are the only place with a size', () => {
    const found = SHEETS.flatMap(({ name, text }) =>
      (declarations(text).match(/\b\d*\.?\d+(?:px|rem|em|ch|ms|vh|vw)\b/g) ?? []).map(
        (literal) => `${name}: ${literal}`,
      ),
    );
    expect(found).toEqual([]);
  });

  it('are not gone around in code', () => {
    const found = CODE.filter(({ text }) =>
      /#[0-9a-f]{6}\b|\d(?:px|rem)\b|dangerouslySetInnerHTML|<style/i.test(
        text.replace(/\/\/.*|max-width: 899px/g, ''),
      ),
    );
    expect(found.map(({ name }) => name)).toEqual([]);
  });

  it('are all there that are used', () => {
    const local = new Set(
      SHEETS.flatMap(({ text }) => Array.from(text.matchAll(/(--key-[\w-]+)\s*:/g), (match) => match[1])),
    );
    const missing = [...SHEETS, ...CODE].flatMap(({ name, text }) =>
      Array.from(text.matchAll(/(?:var\(|sizeOf\(')(--[\w-]+)/g), (match) => match[1] ?? '')
        .filter((token) => !defined.has(token) && !local.has(token))
        .map((token) => `${name}: ${token}`),
    );
    expect(missing).toEqual([]);
  });

  it('are all used that are there', () => {
    const all = [TOKENS, ...FILES.map(({ text }) => text)].join('\n');
    // the scale of spaces is whole, whichever of them are in use
    const unused = [...defined].filter(
      (token) => !token.startsWith('--space-') && !new RegExp(`(?:var\\(|sizeOf\\(')${token}(?![\\w-])`).test(all),
    );
    expect(unused).toEqual([]);
  });
});

describe('class names', () => {
  it('that code asks for are in its sheet', () => {
    const missing = CODE.flatMap(({ name, text }) =>
      Array.from(text.matchAll(/import (\w+) from '(\.[^']+\.module\.css)'/g)).flatMap(([, local = '', path = '']) => {
        const sheet = withoutComments(readFileSync(join(RENDERER, name, '..', path), 'utf8'));
        return Array.from(text.matchAll(new RegExp(`\\b${local}\\['([\\w-]+)'\\]`, 'g')), (match) => match[1] ?? '')
          .filter((used) => !new RegExp(`\\.${used}(?![\\w-])`).test(sheet))
          .map((used) => `${name}: ${used}`);
      }),
    );
    expect(missing).toEqual([]);
  });
});

describe('contrast', () => {
  type Mode = 0 | 1;
  const value = (token: string, mode: Mode): string => {
    const [, found = ''] = new RegExp(`${token}:\\s*([^;]+);`).exec(withoutComments(TOKENS)) ?? [];
    const pair = /light-dark\(([^,]+),\s*([^)]+)\)/.exec(found);
    const chosen = (pair === null ? found : (pair[mode + 1] ?? '')).trim();
    const alias = /^var\((--[\w-]+)\)$/.exec(chosen);
    return alias === null ? chosen : value(alias[1] ?? '', mode);
  };
  /** Relative luminance, WCAG 2.2. */
  const luminance = (hex: string): number => {
    const channel = (at: number): number => {
      const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    };
    return 0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5);
  };
  const ratio = (one: string, other: string, mode: Mode): number => {
    const [high = 0, low = 0] = [luminance(value(one, mode)), luminance(value(other, mode))].toSorted((a, b) => b - a);
    return (high + 0.05) / (low + 0.05);
  };
  const tooFaint = (pairs: readonly (readonly [string, string])[], least: number): readonly string[] =>
    pairs.flatMap(([ink, ground]) =>
      ([0, 1] as const)
        .filter((mode) => ratio(ink, ground, mode) < least)
        .map((mode) => `${ink} on ${ground} ${mode === 0 ? 'light' : 'dark'}: ${ratio(ink, ground, mode).toFixed(2)}`),
    );
  const on = (inks: readonly string[], grounds: readonly string[]): (readonly [string, string])[] =>
    inks.flatMap((ink) => grounds.map((ground) => [ink, ground] as const));
  const GROUNDS = [
    '--bg-window',
    '--bg-pane',
    '--bg-sunken',
    '--bg-raised',
    '--bg-control',
    '--bg-hover',
    '--bg-current',
    '--bg-selected',
  ];

  it('of text is 4.5 at least, on every ground on which it may stand', () => {
    const text = on(['--text', '--text-2', '--text-3'], GROUNDS);
    const tones = ['needs', 'working', 'live', 'held', 'failed'].map(
      (tone) => [`--${tone}-text`, `--${tone}-tint`] as const,
    );
    const code = [
      ...on(['--text', '--text-3', '--live-text'], ['--add-ground']),
      ...on(['--text', '--text-3', '--failed-text'], ['--del-ground']),
    ];
    const marked = [['--text', '--add-word'] as const, ['--text', '--del-word'] as const];
    const words = on(['--accent-text', '--failed-text'], ['--bg-pane']);
    const filled = on(['--text-on-fill'], ['--accent-fill', '--accent-fill-hover']);
    const badges = on(['--text-2'], ['--done-tint']);
    expect(tooFaint([...text, ...tones, ...code, ...marked, ...words, ...filled, ...badges], 4.5)).toEqual([]);
  });

  it('of glyphs, of the edges of fields and of the focus ring is 3 at least', () => {
    const glyphs = ['needs', 'working', 'live', 'held', 'failed', 'done'].map((tone) => `--${tone}-solid`);
    const pairs = on([...glyphs, '--focus'], ['--bg-window', '--bg-pane', '--bg-hover', '--bg-selected']);
    expect(tooFaint([...pairs, ...on(['--line-control'], ['--bg-pane'])], 3)).toEqual([]);
  });
});
