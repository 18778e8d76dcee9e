import { expect } from 'vitest';
import type { InboxItem } from '../../relay/contract/desk-api.ts';
import { startProcess, type TestProcess } from './app-process.ts';
import { runOn, type CommandResult, type CommandSurroundings } from './command-line.ts';
import { tempDir } from './temp-dir.ts';

/** Somebody's desktop: an app in a process of its own, on a data folder of its own, and the command line for it. */
export interface Desktop {
  readonly home: string;
  /** `http://127.0.0.1:7319` */
  readonly relayUrl: string;
  readonly cli: (args: readonly string[], more?: CommandSurroundings) => Promise<CommandResult>;
  /** The one value of a command that does what it should. */
  json<T>(args: readonly string[], more?: CommandSurroundings): Promise<T>;
  /** What such a command says to people. */
  says(args: readonly string[], more?: CommandSurroundings): Promise<string>;
  inbox(as?: string): Promise<readonly InboxItem[]>;
  /** Kills the app as a power cut would, and starts it again. */
  crash(): Promise<void>;
}

/** A desktop, ready; it ends with the test. Needs the built app. @param relay what its own relay calls itself */
export async function desktop(handle: string, relay: string): Promise<Desktop> {
  const home = tempDir();
  const start = async (port: string): Promise<TestProcess> => {
    const env = { AGENTRELAY_HANDLE: handle, AGENTRELAY_NAME: relay };
    const app = startProcess({ home, args: ['--port', port], env });
    await app.waitFor(/^Ready$/m);
    return app;
  };
  let app = await start('0');
  const relayUrl = /^Relay +(\S+)$/m.exec(app.stdout())?.[1] ?? '';
  const cli: Desktop['cli'] = (args, more) => runOn(home, args, more);
  const done = async (args: readonly string[], more?: CommandSurroundings): Promise<string> => {
    const { code, stdout, stderr } = await cli(args, more);
    expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: '' });
    return stdout;
  };
  const json = async <T>(args: readonly string[], more?: CommandSurroundings): Promise<T> =>
    JSON.parse(await done([...args, '--json'], more)) as T;
  return {
    home,
    relayUrl,
    cli,
    json,
    says: done,
    inbox: async (as) =>
      (await json<{ items: InboxItem[] }>(['inbox', ...(as === undefined ? [] : ['--as', as])])).items,
    async crash() {
      app.kill('SIGKILL');
      await app.ended;
      app = await start(new URL(relayUrl).port);
    },
  };
}

/** Has one invite the other as `name`, and that one join. @returns what joining said */
export async function bringTogether(
  host: Desktop,
  guest: Desktop,
  name: string,
  ...more: readonly string[]
): Promise<{ readonly handle: string; readonly relay: string; readonly inviter: string }> {
  const { link } = await host.json<{ link: string }>(['invite', name]);
  return guest.json(['join', '-', ...more], { input: link });
}
