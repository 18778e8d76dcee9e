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

/** Opens an address in the system's browser if there is one. It may fail: the address is on stdout as well. */
export function openBrowser(url: string): void {
  const command = browserCommand(process.platform, process.env);
  if (command === undefined) return;
  const [program, ...args] = command;
  const child = spawn(program, [...args, url], { detached: true, stdio: 'ignore' });
  child.on('error', () => undefined);
  child.unref();
}
