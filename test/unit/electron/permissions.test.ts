import { expect, test } from 'vitest';
import { isPermitted } from '../../../main/electron/permissions.ts';

test('the window may put text on the clipboard', () => {
  expect(isPermitted('clipboard-sanitized-write', 'app://bundle/index.html')).toBe(true);
});

test.each([
  'clipboard-read',
  'geolocation',
  'media',
  'notifications',
  'openExternal',
  'local-network-access',
  'fullscreen',
  'unknown',
])('it has no %s', (permission) => {
  expect(isPermitted(permission, 'app://bundle/index.html')).toBe(false);
});

test.each(['https://example.com/', 'app://other/', 'about:blank', '', undefined])('%j has nothing at all', (url) => {
  expect(isPermitted('clipboard-sanitized-write', url)).toBe(false);
});
