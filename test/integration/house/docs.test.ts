import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { GENERATED_DOCS } from '../../../scripts/docs/files.ts';
import { render } from '../../../scripts/docs/render.ts';
import { ROOT } from '../../support/project-root.ts';
import { filesUnder } from './source-files.ts';

vi.setConfig({ testTimeout: 60_000 });

const DOCS = filesUnder(['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'docs'], ['.md']);
const CODE = filesUnder(['relay', 'main', 'renderer', 'test', 'scripts', 'bin'], ['.ts', '.tsx', '.mjs', 'agentrelay']);

describe('the documentation', () => {
  test.each(GENERATED_DOCS)('has in %s what the code says', async (path) => {
    const text = readFileSync(join(ROOT, path), 'utf8');
    expect(await render(text)).toBe(text);
  });

  test('refuses to fill a region of which the code knows nothing', async () => {
    await expect(render('<!-- generated: weather -->\n<!-- /generated -->\n')).rejects.toThrow('"weather"');
    await expect(render('# Nothing here\n')).rejects.toThrow('nothing');
  });

  test('links to nothing that is not there', () => {
    const broken = DOCS.flatMap(({ path, text }) =>
      [...text.matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].flatMap(([link, to = '', anchor]) => {
        const target = to === '' ? path : normalize(join(dirname(path), to));
        // pictures are made by the build of a release
        if (target.endsWith('.png')) return [];
        const isThere = existsSync(join(ROOT, target)) && (anchor === undefined || anchorsOf(target).has(anchor));
        return isThere ? [] : [`${path}: ${link}`];
      }),
    );
    expect(broken).toEqual([]);
  });

  test('is there wherever the code points to it', () => {
    const pointers = CODE.flatMap(({ path, text }) =>
      [...text.matchAll(/\bdocs\/[\w/-]+\.md\b/g)].map(([pointer]) => ({ path, pointer })),
    );
    expect(pointers.length).toBeGreaterThan(10);
    expect(pointers.filter(({ pointer }) => !existsSync(join(ROOT, pointer)))).toEqual([]);
  });

  test('names sections of a document as they are called there', () => {
    const pointers = CODE.flatMap(({ path, text }) =>
      [...text.matchAll(/\((docs\/[\w/-]+\.md), ([A-Z][^();]*?)\)/g)].map(([, file = '', section = '']) => ({
        path,
        file,
        section: section.replace(/\s*\n\s*\*?\s*/g, ' '),
      })),
    );
    expect(pointers.length).toBeGreaterThan(3);
    expect(pointers.filter(({ file, section }) => !anchorsOf(file).has(slug(section)))).toEqual([]);
  });

  test('promises nothing about security without a test that shows it', () => {
    const text = readFileSync(join(ROOT, 'docs/explanation/security.md'), 'utf8');
    const [, promises = ''] = /\n## What is promised\n(.*?)\n## /s.exec(text) ?? [];
    const rows = promises.split('\n').filter((line) => /^\| (?!promise|-)/.test(line));
    expect(rows.length).toBeGreaterThan(20);
    expect(rows.filter((row) => !/\]\(\.\.\/\.\.\/test\/[\w./-]+\.(?:test|spec)\.ts\) *[|,]/.test(row))).toEqual([]);
  });

  test('is in the index', () => {
    const index = readFileSync(join(ROOT, 'docs/README.md'), 'utf8');
    const missing = DOCS.map(({ path }) => path)
      .filter((path) => path.startsWith('docs/') && path !== 'docs/README.md')
      .filter((path) => !index.includes(`](${path.slice('docs/'.length)})`));
    expect(missing).toEqual([]);
  });

  test('names only npm scripts that there are', () => {
    const { scripts } = z
      .object({ scripts: z.record(z.string(), z.string()) })
      .parse(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')));
    const code = DOCS.flatMap(({ text }) => [...text.matchAll(/```.*?```|`[^`\n]+`/gs)].map(([span]) => span));
    const named = code.flatMap((span) =>
      [...span.matchAll(/\bnpm (?:run )?([a-z][\w:-]*)/g)].map(([, name = '']) => name),
    );
    const builtIn = new Set(['ci', 'install']);
    expect(named).toContain('start');
    expect(named.filter((name) => !builtIn.has(name) && !Object.hasOwn(scripts, name))).toEqual([]);
  });

  test('names only tests that there are', () => {
    const named = DOCS.flatMap(({ text }) =>
      [...text.matchAll(/vitest run (.*?) ?-t "([^"]+)"/g)].map(([, file = '', title = '']) => ({ file, title })),
    );
    expect(named.length).toBeGreaterThan(0);
    const missing = named.filter(
      ({ file, title }) => !CODE.some((code) => code.path === file && code.text.includes(title)),
    );
    expect(missing).toEqual([]);
  });

  test('names only files and folders of this project that there are', () => {
    const named = DOCS.flatMap(({ path, text }) =>
      [...text.matchAll(/(?<![\w/~.-])(?:relay|main|renderer|test|scripts|bin)\/[\w./-]*[\w/-]/g)].map(([file]) => ({
        path,
        file,
      })),
    );
    // a name in capitals stands for any
    const missing = named.filter(({ file }) => !/[A-Z]{3}/.test(file) && !existsSync(join(ROOT, file)));
    expect(missing).toEqual([]);
  });
});

describe('the project', () => {
  test('names no folder of anybody’s machine', () => {
    const folders = /\/(?:home|Users)\/(?!(?:alice|frank|mia|priya)\b)\w|['"`(\s]\/(?:root|work)\/\w/;
    const named = [...DOCS, ...CODE]
      .filter(({ path }) => path !== 'test/integration/house/docs.test.ts')
      .flatMap(({ path, text }) =>
        text.split('\n').flatMap((line, at) => (folders.test(line) ? [`${path}:${at + 1}: ${line.trim()}`] : [])),
      );
    expect(named).toEqual([]);
  });

  test('carries its licence', () => {
    expect(readFileSync(join(ROOT, 'LICENSE'), 'utf8')).toMatch(/Apache License\s+Version 2\.0, January 2004/);
  });
});

/** The anchors that a Markdown file's headings make. */
function anchorsOf(path: string): ReadonlySet<string> {
  const text = readFileSync(join(ROOT, path), 'utf8').replace(/```.*?```/gs, '');
  return new Set([...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => slug(heading)));
}

/** As GitHub makes them: lower case, punctuation gone, spaces to dashes. */
function slug(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');
}
