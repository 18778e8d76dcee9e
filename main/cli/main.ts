import { readFile } from 'node:fs/promises';
import { text as readAll } from 'node:stream/consumers';
import { connectToOwner } from '../running-app.ts';
import { dataFolder, thisMachine, type Machine } from '../settings.ts';
import { systemCode } from '../start-error.ts';
import type { Outcome, Terminal } from './command.ts';
import { CommandError, toFailure } from './failure.ts';
import { helpText } from './help.ts';
import { parseInvocation } from './invocation.ts';

/** How long the app may take for one answer. */
const TIMEOUT_MS = 60_000;

/** What the command is run with. */
export interface Surroundings {
  readonly machine: Machine;
  readonly terminal: Terminal;
  /** All of stdin. */
  readonly readInput: () => Promise<string>;
  readonly out: (text: string) => void;
  readonly error: (text: string) => void;
}

/** The `agentrelay` command in this process. */
export async function run(argv: readonly string[]): Promise<void> {
  // whoever reads us may have seen enough (`agentrelay inbox | head`)
  process.stdout.on('error', (error) => {
    if (systemCode(error) !== 'EPIPE') throw error;
  });
  process.exitCode = await runCommand(argv, {
    machine: thisMachine(),
    terminal: { columns: process.stdout.columns ?? 120, now: Date.now() },
    readInput: () => readAll(process.stdin),
    out: (text) => process.stdout.write(text),
    error: (text) => process.stderr.write(text),
  });
}

/** Runs one command line and prints what comes of it. Resolves to the exit code (docs/reference/cli.md). */
export async function runCommand(argv: readonly string[], surroundings: Surroundings): Promise<0 | 1 | 2 | 3> {
  const { out, error: complain } = surroundings;
  const isJson = argv.includes('--json');
  try {
    const { json, text } = await perform(argv, surroundings);
    out(`${isJson ? JSON.stringify(json) : text}\n`);
    return 0;
  } catch (error) {
    const { exitCode, reason, message, hint } = toFailure(error);
    if (isJson) out(`${JSON.stringify({ error: { reason, message, hint } })}\n`);
    else complain(`${hint === '' ? message : `${message}\n${hint}`}\n`);
    return exitCode;
  }
}

async function perform(argv: readonly string[], { machine, terminal, readInput }: Surroundings): Promise<Outcome> {
  const invocation = parseInvocation(argv);
  if (invocation.kind === 'help') {
    const help = helpText(invocation.command);
    return { json: { help }, text: help };
  }
  const { command, operands, flags } = invocation;
  const as = flags.text('as');
  const action = await command.prepare({
    operands,
    flags,
    as: as === undefined ? {} : { as },
    readText: (path) => readText(path, readInput),
  });
  const home = dataFolder(flags.text('home'), machine);
  const desk = await connectToOwner(home, 'cli', TIMEOUT_MS);
  if (desk === undefined) throw new CommandError('APP_NOT_RUNNING', `AgentRelay does not run on ${home}.`);
  try {
    return await action(desk, terminal);
  } finally {
    desk.close();
  }
}

async function readText(path: string, readInput: () => Promise<string>): Promise<string> {
  if (path === '-') return readInput();
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(path));
  } catch (error) {
    const why = systemCode(error) === 'ENOENT' ? 'there is no such file' : error instanceof Error ? error.message : '';
    throw new CommandError('FILE_NOT_READABLE', `${path} cannot be read: ${why}. Give a text file (UTF-8).`, {
      cause: error,
    });
  }
}
