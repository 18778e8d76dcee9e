import { mkdirSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pino, type Logger } from 'pino';
import { systemCode } from './start-error.ts';

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
 * Opens `agentrelay.log` in a folder of its own (0600, JSON lines), after putting a large one aside.
 * @param level a level of pino; `silent` writes nothing
 */
export function openLogFile(folder: string, level: string): LogFile {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, 'agentrelay.log');
  rotate(file);
  // A destination of this process: a transport would be a worker with files of its own beside the bundle.
  const destination = pino.destination({ dest: file, mode: 0o600, sync: false });
  // A full disk costs the log, not the app.
  let broken = false;
  destination.on('error', () => {
    broken = true;
  });
  const logger = pino({ level, base: null, redact: { paths: SECRETS, censor: '[secret]' } }, destination);
  return {
    logger,
    close: () =>
      new Promise((resolve) => {
        if (broken) return resolve();
        destination.once('close', resolve);
        destination.once('error', resolve);
        destination.end();
      }),
  };
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
