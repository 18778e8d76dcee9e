import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { listStaticFiles } from '../../../main/static-files.ts';
import { serveWindow } from '../../../main/electron/app-protocol.ts';
import { CONTENT_SECURITY_POLICY } from '../../../main/window-files.ts';
import { tempDir } from '../../support/temp-dir.ts';

let get: (url: string, init?: RequestInit) => Promise<Response>;

beforeEach(async () => {
  const folder = tempDir();
  const root = join(folder, 'renderer');
  mkdirSync(join(root, 'assets'), { recursive: true });
  writeFileSync(join(folder, 'secret.json'), '{}');
  writeFileSync(join(root, 'index.html'), '<!doctype html>');
  writeFileSync(join(root, 'assets', 'index-1a2b.js'), 'export {};');
  writeFileSync(join(root, 'assets', 'index-1a2b.css'), 'body {}');
  writeFileSync(join(root, 'assets', 'index-1a2b.js.map'), '{}');
  const serve = serveWindow(await listStaticFiles(root));
  get = (url, init) => serve(new Request(url, init));
});

describe('the window’s own protocol', () => {
  test.each([
    ['app://bundle/', 'text/html; charset=utf-8', '<!doctype html>'],
    ['app://bundle/index.html', 'text/html; charset=utf-8', '<!doctype html>'],
    ['app://bundle/index.html?theme=dark#inbox', 'text/html; charset=utf-8', '<!doctype html>'],
    ['app://bundle/assets/index-1a2b.js', 'text/javascript; charset=utf-8', 'export {};'],
    ['app://bundle/assets/index-1a2b.css', 'text/css; charset=utf-8', 'body {}'],
  ])('serves %s as %s', async (url, type, text) => {
    const response = await get(url);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe(type);
    expect(await response.text()).toBe(text);
  });

  test.each([
    'app://bundle/missing.js',
    'app://bundle/assets',
    'app://bundle/assets/',
    'app://bundle/assets/index-1a2b.js.map',
    'app://bundle/../secret.json',
    'app://bundle/%2e%2e/secret.json',
    'app://bundle/..%2fsecret.json',
    'app://bundle/..%5csecret.json',
    'app://bundle/assets/..%2f..%2fsecret.json',
    'app://bundle//etc/passwd',
    'app://bundle/%00',
    'app://bundle/%E0%A4%A',
    'app://other/index.html',
  ])('has nothing at %s', async (url) => {
    const response = await get(url);
    expect(response.status).toBe(404);
    expect(await response.text()).toBe('');
  });

  test.each(['POST', 'PUT', 'DELETE', 'HEAD'])('takes no %s', async (method) => {
    expect((await get('app://bundle/index.html', { method })).status).toBe(405);
  });

  test.each(['app://bundle/index.html', 'app://bundle/missing.js'])('keeps pages in their place at %s', async (url) => {
    const { headers } = await get(url);
    expect(headers.get('content-security-policy')).toBe(CONTENT_SECURITY_POLICY);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
  });
});
