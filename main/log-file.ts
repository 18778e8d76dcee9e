import { openSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pino, type Logger } from 'pino';
import { escapeHidden } from '../relay/contract/printable-json.ts';
import { StartError, systemCode } from './start-error.ts';

/** A log that has grown over this is put aside at the next start. */
const ROTATE_AT_BYTES = 5 * 1024 * 1024;
/** Put-aside logs that are kept: `agentrelay.log.1` is the newest. */
const KEPT = 3;

/** Members that hold secrets, at any place where something of ours could log them. */
const SECRETS = ['token', 'apiKey', 'api_key', 'authorization', 'cookie'].flatMap((name) => [
  name,
  `*.${name}`,
  `*.*.${name}`,
]);

/** The log of a running app, and how it is closed. */
export interface LogFile {
  readonly logger: Logger;
  /** Writes what is waiting. */
  close(): Promise<void>;
}

/**
 * Opens `agentrelay.log` in a folder (0600, JSON lines), after putting a large one aside. Fails with a
 * StartError where that cannot be.
 * @param level a level of pino; `silent` writes nothing
 */
export function openLogFile(folder: string, level: string): LogFile {
  const file = join(folder, 'agentrelay.log');
  // Written line by line by this process: a transport would be a worker with files of its own beside the bundle, and
  // what waits in memory is lost when it matters most. There are few lines.
  const destination = pino.destination({ dest: open(file), sync: true });
  // a full disk costs the log, not the app
  destination.on('error', () => undefined);
  const logger = pino(
    {
      level,
      base: null,
      redact: { paths: SECRETS, censor: '[secret]' },
      // what a peer wrote may stand in an error
      hooks: { streamWrite: escapeHidden },
    },
    destination,
  );
  return {
    logger,
    close: () =>
      new Promise((resolve) => {
        destination.once('close', resolve);
        destination.end();
      }),
  };
}

function open(file: string): number {
  try {
    rotate(file);
    return openSync(file, 'a', 0o600);
  } catch (error) {
    throw new StartError(`The log ${file} cannot be written (${systemCode(error) ?? 'unknown error'}). Move it away.`, {
      cause: error,
    });
  }
}

function rotate(file: string): void {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size <= ROTATE_AT_BYTES) return;
  for (let age = KEPT; age >= 1; age -= 1) {
    try {
      renameSync(age === 1 ? file : `${file}.${age - 1}`, `${file}.${age}`);
    } catch (error) {
      if (systemCode(error) !== 'ENOENT') throw error;
    }
  }
}
