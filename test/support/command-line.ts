import { runCommand } from '../../main/cli/main.ts';
import { thisMachine } from '../../main/settings.ts';

/** What a command came to. */
export interface CommandResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CommandSurroundings {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly input?: string | Buffer;
  readonly columns?: number;
}

/**
 * `agentrelay` on a data folder, to its end: everything but a process of its own.
 * @param home the data folder; empty, none is named
 */
export async function runOn(
  home: string,
  args: readonly string[],
  { env = {}, input = '', columns = 120 }: CommandSurroundings = {},
): Promise<CommandResult> {
  let stdout = '';
  let stderr = '';
  const code = await runCommand(home === '' ? args : ['--home', home, ...args], {
    machine: { ...thisMachine(), env },
    terminal: { columns, now: Date.now() },
    readInput: async () => Buffer.from(input),
    out: (text) => (stdout += text),
    error: (text) => (stderr += text),
  });
  return { code, stdout, stderr };
}
