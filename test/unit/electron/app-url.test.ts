import { expect, test } from 'vitest';
import { APP_ENTRY, isAppUrl, isSafeExternal } from '../../../main/electron/app-url.ts';

test.each([APP_ENTRY, 'app://bundle/', 'app://bundle/assets/index.js?v=1#top', 'APP://bundle/index.html'])(
  '%s is the window’s own',
  (url) => {
    expect(isAppUrl(url)).toBe(true);
  },
);

test.each([
  'app://other/index.html',
  'app://bundle.evil/index.html',
  'app://bundle:8080/index.html',
  'app:bundle/index.html',
  'https://bundle/index.html',
  'http://127.0.0.1:7319/',
  'file:///etc/passwd',
  'data:text/html,app://bundle/',
  'javascript:alert(1)',
  'about:blank',
  '//bundle/index.html',
  '',
])('%j is not', (url) => {
  expect(isAppUrl(url)).toBe(false);
});

test.each(['https://example.com/docs?a=1#b', 'HTTPS://example.com/', 'mailto:alice@example.com'])(
  '%s may be opened outside',
  (url) => {
    expect(isSafeExternal(url)).toBe(true);
  },
);

test.each([
  'http://example.com/',
  'file:///usr/bin/xterm',
  'smb://host/share',
  'vscode://file/x',
  'ms-msdt:/id',
  'javascript:alert(1)',
  'data:text/html,x',
  APP_ENTRY,
  'C:\\Windows\\System32\\calc.exe',
  'example.com',
  '',
])('%j may not', (url) => {
  expect(isSafeExternal(url)).toBe(false);
});
