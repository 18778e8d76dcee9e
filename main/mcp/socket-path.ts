import { hash } from 'node:crypto';
import { isAbsolute, join } from 'node:path';
import { StartError } from '../start-error.ts';

/** The longest socket path that every system takes: macOS has 104 bytes, Linux 108, each with the ending zero. */
const MAX_BYTES = 103;

export interface SocketPlace {
  readonly path: string;
  /** A folder that has to be made for it, for this user alone; absent where the data folder holds it. */
  readonly folder?: string;
}

/** What the place is worked out from. */
export interface SocketMachine {
  readonly platform: NodeJS.Platform;
  /** `XDG_RUNTIME_DIR`, where that is a folder of this user; a relative one is to be ignored (XDG Base Directory Specification). */
  readonly runtimeDir: string | undefined;
  readonly tmpDir: string;
  /** The user's number; undefined on Windows. */
  readonly uid: number | undefined;
}

/**
 * Where the local socket of a data folder is: `run/mcp.sock` in it; where that path is too long for a socket, a hashed
 * name under the runtime folder; on Windows a named pipe. Fails with a StartError where even the hashed name is too long.
 * @param home the data folder's real path
 */
export function socketPlace(home: string, machine: SocketMachine): SocketPlace {
  const name = hash('sha256', home, 'hex').slice(0, 16);
  if (machine.platform === 'win32') return { path: `\\\\.\\pipe\\agentrelay-${name}` };
  const own = join(home, 'run', 'mcp.sock');
  if (fits(own)) return { path: own };
  const folders = [
    ...(machine.runtimeDir && isAbsolute(machine.runtimeDir) ? [join(machine.runtimeDir, 'agentrelay')] : []),
    join(machine.tmpDir, `agentrelay-${machine.uid ?? 'user'}`),
  ];
  for (const folder of folders) {
    const path = join(folder, `${name}.sock`);
    if (fits(path)) return { path, folder };
  }
  throw new StartError(
    `The path ${own} is too long for a socket (over ${MAX_BYTES} bytes), and so is one under ${machine.tmpDir}. ` +
      'Choose a shorter data folder with --home, or a shorter TMPDIR.',
  );
}

function fits(path: string): boolean {
  return Buffer.byteLength(path) <= MAX_BYTES;
}
