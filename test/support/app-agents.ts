import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { ARTIFACT_MEDIA_TYPE, type TypedArtifact } from '../../relay/contract/artifact.ts';
import { A2aClient, message } from './a2a-client.ts';
import type { Shell } from './launch-shell.ts';
import { ROOT } from './project-root.ts';

/** Agents on the relay of an app that is shown in a window, and the command line beside it. */

const run = promisify(execFile);
const registeredSchema = z.object({ api_key: z.string(), handle: z.string() });

/** Runs the `agentrelay` command. @returns what it printed, JSON */
export async function agentrelay(home: string, ...args: readonly string[]): Promise<string> {
  const { stdout } = await run(join(ROOT, 'bin/agentrelay'), [...args, '--home', home, '--json']);
  return stdout;
}

/** Registers an agent, which becomes a contact and a teammate of the app's account. */
export async function register(home: string, { lines }: Pick<Shell, 'lines'>, name: string): Promise<A2aClient> {
  const { api_key: apiKey, handle } = registeredSchema.parse(JSON.parse(await agentrelay(home, 'register', name)));
  return new A2aClient({ url: lines.get('Relay') ?? '', apiKey, handle });
}

let messages = 0;
/** Sends to the app's own account, frank. */
export async function handOver(
  agent: A2aClient,
  text: string,
  artifacts: readonly TypedArtifact[] = [],
): Promise<void> {
  messages += 1;
  const parts = [{ text }, ...artifacts.map((data) => ({ data: { ...data }, mediaType: ARTIFACT_MEDIA_TYPE }))];
  await agent.call(
    'SendMessage',
    { ...message(`m${messages}`, { parts }), configuration: { returnImmediately: true } },
    { at: '/a/frank' },
  );
}
