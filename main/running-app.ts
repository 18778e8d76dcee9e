import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Client } from './mcp/protocol.ts';
import { connectDesk, type DeskConnection } from './mcp/socket-client.ts';
import { systemCode } from './start-error.ts';

const instanceSchema = z.object({
  pid: z.int(),
  version: z.string(),
  shell: z.enum(['browser', 'electron']),
  relay: z.object({ url: z.string(), name: z.string(), id: z.string() }),
  socket: z.string(),
});
/** `run/instance.json`: where the app that owns the folder can be reached. It is there only while one runs. */
export type Instance = z.infer<typeof instanceSchema>;

/**
 * Connects to the app that runs on a data folder; undefined when none does. Fails as `connectDesk` does otherwise.
 * @param home the data folder
 */
export async function connectToOwner(
  home: string,
  client: Client,
  timeoutMs: number,
): Promise<DeskConnection | undefined> {
  const instance = await readInstance(home);
  if (instance === undefined) return undefined;
  try {
    return await connectDesk({ path: instance.socket, token: instance.token, client, timeoutMs });
  } catch (error) {
    // its files outlived it
    if (['ECONNREFUSED', 'ENOENT'].includes(systemCode(error) ?? '')) return undefined;
    throw error;
  }
}

async function readInstance(home: string): Promise<(Instance & { readonly token: string }) | undefined> {
  const run = join(home, 'run');
  try {
    const [instance, token] = await Promise.all([
      readFile(join(run, 'instance.json'), 'utf8'),
      readFile(join(run, 'token'), 'utf8'),
    ]);
    return { ...instanceSchema.parse(JSON.parse(instance)), token: token.trim() };
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
