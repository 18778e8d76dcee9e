import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { build, type Rolldown } from 'vite';
import { beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../../support/project-root.ts';

/** What a browser gets when it opens the window for the first time, gzip, in bytes. */
const BUDGET = 400_000;

describe('the built window', () => {
  const files = new Map<string, string>();
  const html = (): string => files.get('index.html') ?? '';

  beforeAll(async () => {
    const root = join(ROOT, 'renderer');
    const result = await build({
      configFile: false,
      logLevel: 'silent',
      root,
      plugins: [react()],
      build: { write: false, minify: true, rolldownOptions: { input: join(root, 'index.html') } },
    });
    const outputs: readonly Rolldown.RolldownOutput[] = Array.isArray(result)
      ? result
      : 'output' in result
        ? [result]
        : [];
    for (const file of outputs.flatMap(({ output }) => output)) {
      files.set(file.fileName, file.type === 'chunk' ? file.code : Buffer.from(file.source).toString());
    }
  }, 120_000);

  it('is small enough to be there at once', () => {
    const sizes = [...files.values()].map((text) => gzipSync(text).length);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(BUDGET);
    expect(sizes.length).toBeGreaterThan(2);
  });

  it('has nothing inline that its policy would refuse', () => {
    expect(html()).not.toMatch(/<style|\sstyle=|\son\w+=/i);
    for (const [, attributes = '', body = ''] of html().matchAll(/<script([^>]*)>([^<]*)<\/script>/g)) {
      expect(attributes).toContain('src=');
      expect(body).toBe('');
    }
  });

  it('takes everything from its own origin', () => {
    const addresses = Array.from(html().matchAll(/(?:src|href)="([^"]*)"/g), (match) => match[1]);
    expect(addresses.length).toBeGreaterThan(1);
    for (const address of addresses) expect(address).toMatch(/^(?:\/assets\/|data:image\/)/);
    const sheets = [...files].filter(([name]) => name.endsWith('.css'));
    expect(sheets).not.toEqual([]);
    for (const [, css] of sheets) expect(css).not.toMatch(/@import|url\((?!["']?data:image)/);
  });
});
