import { expect, it } from 'vitest';
import { browserCommand } from '../../../main/browser/open-browser.ts';

it('each system has its own command', () => {
  expect(browserCommand('darwin', {})).toEqual(['open']);
  expect(browserCommand('win32', {})?.[0]).toBe('cmd');
  expect(browserCommand('linux', { DISPLAY: ':0' })).toEqual(['xdg-open']);
  expect(browserCommand('linux', { WAYLAND_DISPLAY: 'wayland-0' })).toEqual(['xdg-open']);
});

it('without a display nobody would see a browser', () => {
  expect(browserCommand('linux', {})).toBeUndefined();
  expect(browserCommand('linux', { DISPLAY: '' })).toBeUndefined();
});
