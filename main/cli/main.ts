import { readFile } from 'node:fs/promises';
import { buffer as readAll } from 'node:stream/consumers';
import { visibleText } from '../../relay/contract/plain-text.ts';
import { printableJson } from '../../relay/contract/printable-json.ts';
import { outliveReaders } from '../entry.ts';
import { connectToOwner } from '../running-app.ts';
import { dataFolder, thisMachine, type Machine } from '../settings.ts';
import { systemCode } from '../start-error.ts';
import { version } from '../version.ts';
import type { Outcome, Terminal } from './command.ts';
import { CommandError, toFailure } from './failure.ts';
import { helpText } from './help.ts';
import { namedCommand, parseInvocation } from './invocation.ts';
import { notRunning } from './not-running.ts';

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
  const { out } = surroundings;
  const complain = (text: string): void => surroundings.error(visibleText(text));
  const isJson = argv.includes('--json');
  let found: 0 | 1 = 0;
  try {
    const say = ({ json, text, isBad }: Outcome): void => {
      if (isBad) found = 1;
      out(`${isJson ? printableJson(json) : visibleText(text)}\n`);
    };
    await perform(argv, { ...surroundings, error: complain }, say);
    return found;
  } catch (error) {
    const { exitCode, reason, message, hint } = toFailure(error, namedCommand(argv));
    if (isJson) out(`${printableJson({ error: { reason, message, hint } })}\n`);
    else complain(`${hint === '' ? message : `${message}\n${hint}`}\n`);
    return exitCode;
  }
}

/** @param say prints what comes of it, as the caller wants to read it */
async function perform(
  argv: readonly string[],
  { machine, terminal, readInput, error }: Surroundings,
  say: (outcome: Outcome) => void,
): Promise<void> {
  const invocation = parseInvocation(argv);
  if (invocation.kind === 'help') {
    const help = helpText(invocation.command);
    say({ json: { help }, text: help });
    return;
  }
  if (invocation.kind === 'version') {
    say({ json: { version }, text: `agentrelay ${version}` });
    return;
  }
  const { command, operands, flags } = invocation;
  const as = flags.text('as');
  const action = await command.prepare({
    operands,
    flags,
    as: as === undefined ? {} : { as },
    machine,
    readText: (path) => readText(path, readInput),
  });
  if ('kind' in action) {
    await action.act({ out: say, error });
    return;
  }
  const home = dataFolder(flags.text('home'), machine);
  const desk = await connectToOwner(home, 'cli', TIMEOUT_MS);
  if (desk === undefined) throw await notRunning(home);
  try {
    const outcome = action(desk, terminal);
    if (Symbol.asyncIterator in outcome) for await (const part of outcome) say(part);
    else say(await outcome);
  } finally {
    desk.close();
  }
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
