import { open, rm } from 'node:fs/promises';
import { systemCode } from '../start-error.ts';
import { CommandError } from './failure.ts';

/** A file for one key, made before there is a key: what cannot be kept is not asked for. */
export interface KeyFile {
  readonly path: string;
  /** Resolves when the key would survive a power cut. */
  keep(key: string): Promise<void>;
  /** There is no key after all. */
  discard(): Promise<void>;
}

/** Makes the file, for this user alone (0600). Fails with FILE_NOT_WRITABLE; what is there already is never replaced. */
export async function reserveKeyFile(path: string): Promise<KeyFile> {
  const file = await open(path, 'wx', 0o600).catch((error: unknown) => {
    const code = systemCode(error) ?? String(error);
    const why = code === 'EEXIST' ? 'it is there already' : code;
    throw new CommandError('FILE_NOT_WRITABLE', `${path} cannot be made for the key: ${why}.`, { cause: error });
  });
  return {
    path,
    async keep(key) {
      await file.writeFile(`${key}\n`);
      await file.sync();
      await file.close();
    },
    async discard() {
      await file.close();
      await rm(path, { force: true });
    },
  };
}
