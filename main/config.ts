import { readFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { writePrivateFile } from './files.ts';
import { StartError, systemCode } from './start-error.ts';

const accountSchema = z.object({ handle: z.string(), relayId: z.string() });
// what a newer version has put there stays
const configSchema = z.looseObject({
  deskId: z.uuid(),
  account: accountSchema.exactOptional(),
  windowPort: z.int().min(1).max(65535).exactOptional(),
});
type Content = Readonly<z.infer<typeof configSchema>>;

/** Which account of which relay: never its key. */
export type ConfiguredAccount = Readonly<z.infer<typeof accountSchema>>;

/** What the data folder's owner keeps of itself, in `config.json`. */
export interface Config {
  readonly file: string;
  /** Tells this desk from every other one, for good. */
  readonly deskId: string;
  /** The account on the own relay; undefined until the first start has made it. */
  readonly account: ConfiguredAccount | undefined;
  setAccount(account: ConfiguredAccount): Promise<void>;
  /** Where the browser shell's window was last; undefined before its first start. */
  readonly windowPort: number | undefined;
  setWindowPort(port: number): Promise<void>;
}

/** Reads the file, or makes it at the first start. Fails with a StartError when it is there and cannot be read. */
export async function openConfig(file: string, newId: () => string): Promise<Config> {
  const stored = await read(file);
  let content: Content = stored ?? { deskId: newId() };
  const change = async (changes: Partial<Content>): Promise<void> => {
    const next = { ...content, ...changes };
    if (isDeepStrictEqual(next, content) && stored !== undefined) return;
    content = next;
    await writePrivateFile(file, `${JSON.stringify(content, null, 2)}\n`);
  };
  if (stored === undefined) await change({});
  return {
    file,
    deskId: content.deskId,
    account: content.account,
    setAccount: (account) => change({ account }),
    windowPort: content.windowPort,
    setWindowPort: (windowPort) => change({ windowPort }),
  };
}

/** The account that is noted in the file; undefined before the first start has made it. Fails as `openConfig` does. */
export async function readConfiguredAccount(file: string): Promise<ConfiguredAccount | undefined> {
  return (await read(file))?.account;
}

async function read(file: string): Promise<Content | undefined> {
  try {
    return configSchema.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw new StartError(
      `${file} cannot be read. Restore it from a backup, or remove it to begin with a new account.`,
      {
        cause: error,
      },
    );
  }
}
