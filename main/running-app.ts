import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Client } from './mcp/protocol.ts';
import { connectDesk, type DeskConnection } from './mcp/socket-client.ts';
import { systemCode, unusable } from './start-error.ts';

const instanceSchema = z.object({
  pid: z.int(),
  version: z.string(),
  shell: z.enum(['browser', 'electron']),
  relay: z.object({ url: z.string(), name: z.string(), id: z.string() }),
  socket: z.string(),
});
const jsonSchema = z.string().transform((text, context) => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    context.addIssue('no JSON');
    return z.NEVER;
  }
});
const publishedSchema = z.object({ instance: jsonSchema.pipe(instanceSchema), token: z.string().trim().min(1) });
/** `run/instance.json`: where the app that owns the folder can be reached. It is there only while one runs. */
export type Instance = z.infer<typeof instanceSchema>;

/**
 * What an app has published in its data folder: where it is and what to show there; `absent` when there is nothing, and
 * `damaged` when there is something else than an app writes. Each file is written as a whole, so that does not pass.
 */
export type Published = (Instance & { readonly token: string }) | 'absent' | 'damaged';

/**
 * Connects to the app that runs on a data folder; undefined when none does, or what it published is damaged. Fails as
 * `connectDesk` does otherwise, and with a StartError when the folder is not this user's to read.
 * @param home the data folder
 */
export async function connectToOwner(
  home: string,
  client: Client,
  timeoutMs: number,
): Promise<DeskConnection | undefined> {
  const published = await readPublished(home);
  if (published === 'absent' || published === 'damaged') return undefined;
  try {
    return await connectDesk({ path: published.socket, token: published.token, client, timeoutMs });
  } catch (error) {
    // its files outlived it
    if (['ECONNREFUSED', 'ENOENT'].includes(systemCode(error) ?? '')) return undefined;
    throw error;
  }
}

/** @param home the data folder */
export async function readPublished(home: string): Promise<Published> {
  const run = join(home, 'run');
  const [instance, token] = await Promise.all([
    readIfThere(join(run, 'instance.json')),
    readIfThere(join(run, 'token')),
  ]);
  if (instance === undefined || token === undefined) return 'absent';
  const read = publishedSchema.safeParse({ instance, token });
  return read.success ? { ...read.data.instance, token: read.data.token } : 'damaged';
}

/** A folder in the place of the file holds nothing: `''`. undefined when there is no such file, nor a folder for it. */
async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const code = systemCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    if (code === 'EISDIR') return '';
    throw unusable(file, error);
  }
}
