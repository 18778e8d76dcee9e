// Types in choose-shell.d.mts: a start must get as far as its message under a Node that reads no TypeScript.
export function chooseShell({ electron, headless, platform, env, isRoot }) {
  if (headless) return { why: '--headless asks for no window' };
  if (platform === 'linux' && !env.DISPLAY && !env.WAYLAND_DISPLAY) return { why: 'there is no display for Electron' };
  // Chromium's sandbox refuses it, and without its sandbox it is not to be run
  if (platform === 'linux' && isRoot) return { why: 'Electron does not run as root' };
  if (electron === undefined) return { why: 'the Electron binary is not installed', isMissing: true };
  return { electron, why: 'its binary is installed' };
}
