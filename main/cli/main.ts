import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer as readAll } from 'node:stream/consumers';
import { outliveReaders } from '../entry.ts';
import { connectToOwner, readPublished } from '../running-app.ts';
import { dataFolder, thisMachine, type Machine } from '../settings.ts';
import { systemCode } from '../start-error.ts';
import { version } from '../version.ts';
import type { Outcome, Terminal } from './command.ts';
import { CommandError, toFailure } from './failure.ts';
import { helpText } from './help.ts';
import { namedCommand, parseInvocation } from './invocation.ts';

/** How long the app may take for one answer. */
const TIMEOUT_MS = 60_000;

/** What the command is run with. */
export interface Surroundings {
  readonly machine: Machine;
  readonly terminal: Terminal;
  /** All of stdin. */
  readonly readInput: () => Promise<Uint8Array>;
  readonly out: (text: string) => void;
  readonly error: (text: string) => void;
}

/** The `agentrelay` command in this process. */
export async function run(argv: readonly string[]): Promise<void> {
  // whoever reads us may have seen enough (`agentrelay inbox | head`)
  outliveReaders();
  process.exitCode = await runCommand(argv, {
    machine: thisMachine(),
    terminal: { columns: process.stdout.columns ?? Number.POSITIVE_INFINITY, now: Date.now() },
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
    const { exitCode, reason, message, hint } = toFailure(error, namedCommand(argv));
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
  if (invocation.kind === 'version') return { json: { version }, text: `agentrelay ${version}` };
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
  if (desk === undefined) throw await notRunning(home);
  try {
    return await action(desk, terminal);
  } finally {
    desk.close();
  }
}

async function notRunning(home: string): Promise<CommandError> {
  const isDamaged = (await readPublished(home)) === 'damaged';
  const message = isDamaged
    ? `AgentRelay does not run on ${home}, or cannot be reached: what it wrote into ${join(home, 'run')} is damaged. End it if it runs.`
    : `AgentRelay does not run on ${home}.`;
  return new CommandError('APP_NOT_RUNNING', message);
}

async function readText(path: string, readInput: () => Promise<Uint8Array>): Promise<string> {
  const isInput = path === '-';
  try {
    const bytes = isInput ? await readInput() : await readFile(path);
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    const message = `${isInput ? 'stdin' : path} cannot be read: ${whyUnreadable(error)}.`;
    throw new CommandError('FILE_NOT_READABLE', message, { cause: error });
  }
}

function whyUnreadable(error: unknown): string {
  switch (systemCode(error)) {
    case 'ENOENT':
      return 'there is no such file';
    case 'EISDIR':
      return 'it is a folder';
    case 'EACCES':
      return 'you have no right to it';
    case 'ERR_ENCODING_INVALID_ENCODED_DATA':
      return 'it is not text in UTF-8';
    default:
      return error instanceof Error ? error.message : String(error);
  }
}
