import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { writePrivateFile } from './files.ts';
import { StartError, systemCode } from './start-error.ts';

/** Where keys are kept. A shell that has the system's keychain brings its own. */
export interface SecretStore {
  get(name: string): Promise<string | undefined>;
  /** Resolves when the secret would survive a power cut. */
  set(name: string, secret: string): Promise<void>;
  /** Forgets one. */
  remove(name: string): Promise<void>;
}

const fileSchema = z.record(z.string(), z.string());

/** Secrets in a file (0600), written as a whole. A file that cannot be read is an error, and never written over. */
export function fileSecretStore(path: string): SecretStore {
  let writes = Promise.resolve();
  const read = async (): Promise<Record<string, string>> => {
    try {
      return fileSchema.parse(JSON.parse(await readFile(path, 'utf8')));
    } catch (error) {
      if (systemCode(error) === 'ENOENT') return {};
      throw new StartError(`${path} cannot be read. Restore it from a backup: it holds the keys of your accounts.`, {
        cause: error,
      });
    }
  };
  const change = (make: (secrets: Record<string, string>) => Record<string, string>): Promise<void> => {
    const write = writes.then(async () => writePrivateFile(path, `${JSON.stringify(make(await read()), null, 2)}\n`));
    // one failed write is its caller's, not the next one's
    writes = write.catch(() => undefined);
    return write;
  };
  return {
    get: async (name) => {
      await writes;
      const secrets = await read();
      return Object.hasOwn(secrets, name) ? secrets[name] : undefined;
    },
    set: (name, secret) => change((secrets) => ({ ...secrets, [name]: secret })),
    remove: (name) => change(({ [name]: _gone, ...others }) => others),
  };
}
