import { expect, test } from 'vitest';
import { trayMenu } from '../../../main/electron/tray-menu.ts';

const actions = { open: () => {}, quit: () => {} };

test('while the app runs, the menu opens and quits', () => {
  expect(trayMenu({ phase: 'running' }, actions)).toEqual([
    { label: 'Open AgentRelay', enabled: true, click: actions.open },
    { type: 'separator' },
    { label: 'Quit', enabled: true, click: actions.quit },
  ]);
});

test('while it quits, the menu says so and offers nothing', () => {
  expect(trayMenu({ phase: 'quitting' }, actions)).toEqual([
    { label: 'Open AgentRelay', enabled: false, click: actions.open },
    { type: 'separator' },
    { label: 'Quitting…', enabled: false, click: actions.quit },
  ]);
});
