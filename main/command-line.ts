import { posix, win32 } from 'node:path';

/** How this app is called from a terminal, whatever folder that is in. */
export interface CommandLine {
  /** The `agentrelay` command, up to its own arguments: `/home/frank/agentrelay/bin/agentrelay --home '/tmp/a b'`. */
  readonly command: string;
  /** What starts the app, or shows the window of one that runs; not there for an installed application. */
  readonly start?: string;
}

export interface CommandLineOptions {
  /** The folder that holds `bin` and `out`. */
  readonly root: string;
  /** Whether this is an installed application: then its command is on the PATH. */
  readonly packaged: boolean;
  /** The data folder, and where it is when nobody says otherwise. */
  readonly home: string;
  readonly defaultHome: string;
  readonly platform: NodeJS.Platform;
}

/** Everything that a shell would take apart is quoted; the data folder is named only where it has to be. */
export function commandLine({ root, packaged, home, defaultHome, platform }: CommandLineOptions): CommandLine {
  const isWindows = platform === 'win32';
  const quote = isWindows ? quoteForWindows : quoteForPosix;
  const folder = home === defaultHome ? '' : ` --home ${quote(home)}`;
  if (packaged) return { command: `agentrelay${folder}` };
  // the launcher is a script for a POSIX shell
  const launcher = isWindows
    ? `node ${quote(win32.join(root, 'out', 'main', 'cli.js'))}`
    : quote(posix.join(root, 'bin', 'agentrelay'));
  const rest = folder === '' ? '' : ` --${folder}`;
  return { command: `${launcher}${folder}`, start: `npm --prefix ${quote(root)} start${rest}` };
}

function quoteForPosix(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** No path of Windows holds a quotation mark. */
function quoteForWindows(text: string): string {
  return /^[\w@+=:,./\\-]+$/.test(text) ? text : `"${text}"`;
}
