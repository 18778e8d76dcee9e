import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { writePrivateFile } from './files.ts';
import { StartError, systemCode } from './start-error.ts';

const accountSchema = z.object({ handle: z.string(), relayId: z.string() });
const configSchema = z.object({ deskId: z.uuid(), account: accountSchema.exactOptional() });

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
}

/** Reads the file, or makes it at the first start. Fails with a StartError when it is there and cannot be read. */
export async function openConfig(file: string, newId: () => string): Promise<Config> {
  const write = (content: z.infer<typeof configSchema>): Promise<void> =>
    writePrivateFile(file, `${JSON.stringify(content, null, 2)}\n`);
  let content = await read(file);
  if (content === undefined) {
    content = { deskId: newId() };
    await write(content);
  }
  const { deskId, account } = content;
  return { file, deskId, account, setAccount: (next) => write({ deskId, account: next }) };
}

async function read(file: string): Promise<z.infer<typeof configSchema> | undefined> {
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
