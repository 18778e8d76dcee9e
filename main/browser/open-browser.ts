import { spawn } from 'node:child_process';

/** The system's command that opens an address in the person's browser; undefined where nobody would see it. */
export function browserCommand(
  platform: NodeJS.Platform,
  env: Readonly<Record<string, string | undefined>>,
): readonly [command: string, ...args: string[]] | undefined {
  switch (platform) {
    case 'darwin':
      return ['open'];
    case 'win32':
      // "start" takes a first argument in quotes for the title
      return ['cmd', '/c', 'start', '""'];
    default:
      return env['DISPLAY'] || env['WAYLAND_DISPLAY'] ? ['xdg-open'] : undefined;
  }
}

/**
 * Opens an address in the system's browser.
 * @param onNone there is none to open it in, as far as that can be seen: what opens a browser may itself find none
 */
export function openBrowser(url: string, onNone: () => void): void {
  const command = browserCommand(process.platform, process.env);
  if (command === undefined) return onNone();
  const [program, ...args] = command;
  const child = spawn(program, [...args, url], { detached: true, stdio: 'ignore' });
  child.on('error', onNone);
  child.unref();
}
