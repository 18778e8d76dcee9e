import { describe, expect, it } from 'vitest';
import { chooseShell } from '../../../scripts/choose-shell.mjs';

const desktop = {
  electron: '/app/node_modules/electron/dist/electron',
  headless: false,
  platform: 'linux',
  env: { DISPLAY: ':0' },
  isRoot: false,
} as const;

describe('npm start', () => {
  it('uses Electron where its binary is installed', () => {
    expect(chooseShell(desktop).electron).toBe(desktop.electron);
    expect(chooseShell({ ...desktop, env: { WAYLAND_DISPLAY: 'wayland-0' } }).electron).toBe(desktop.electron);
    expect(chooseShell({ ...desktop, platform: 'darwin', env: {} }).electron).toBe(desktop.electron);
  });

  it.each([
    ['its binary is not installed', { electron: undefined }, /not installed/],
    ['nothing is to be opened', { headless: true }, /--headless/],
    ['there is no display', { env: {} }, /no display/],
    ['it would run as root', { isRoot: true }, /root/],
  ])('uses the browser shell where %s, and says why', (_, changes, why) => {
    const chosen = chooseShell({ ...desktop, ...changes });
    expect(chosen.electron).toBeUndefined();
    expect(chosen.why).toMatch(why);
  });

  it('has the binary fetched where nothing else is missing', () => {
    const without = { ...desktop, electron: undefined };
    expect(chooseShell(without).isMissing).toBe(true);
    for (const changes of [{ headless: true }, { env: {} }, { isRoot: true }]) {
      expect(chooseShell({ ...without, ...changes }).isMissing).toBeUndefined();
    }
  });
});
