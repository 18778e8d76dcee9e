import { readFile } from 'node:fs/promises';
import { text as readAll } from 'node:stream/consumers';
import { connectToOwner } from '../running-app.ts';
import { dataFolder, thisMachine } from '../settings.ts';
import { systemCode } from '../start-error.ts';
import type { Outcome } from './command.ts';
import { CommandError, toFailure } from './failure.ts';
import { helpText } from './help.ts';
import { parseInvocation } from './invocation.ts';

/** How long the app may take for one answer. */
const TIMEOUT_MS = 60_000;

/** The `agentrelay` command: runs it, prints, and sets the exit code (0 done, 1 failed, 2 usage, 3 not running). */
export async function run(argv: readonly string[]): Promise<void> {
  // whoever reads us may have seen enough (`agentrelay inbox | head`)
  process.stdout.on('error', (error) => {
    if (systemCode(error) !== 'EPIPE') throw error;
  });
  const isJson = argv.includes('--json');
  try {
    const { json, text } = await perform(argv);
    process.stdout.write(`${isJson ? JSON.stringify(json) : text}\n`);
  } catch (error) {
    const { exitCode, reason, message, hint } = toFailure(error);
    process.exitCode = exitCode;
    if (isJson) process.stdout.write(`${JSON.stringify({ error: { reason, message, hint } })}\n`);
    else process.stderr.write(`${[message, ...(hint === '' ? [] : [hint])].join('\n')}\n`);
  }
}

async function perform(argv: readonly string[]): Promise<Outcome> {
  const invocation = parseInvocation(argv);
  if (invocation.kind === 'help') {
    const help = helpText(invocation.command);
    return { json: { help }, text: help };
  }
  const { command, operands, flags } = invocation;
  const as = flags.text('as');
  const action = await command.prepare({ operands, flags, as: as === undefined ? {} : { as }, readText });
  const home = dataFolder(flags.text('home'), thisMachine());
  const desk = await connectToOwner(home, 'cli', TIMEOUT_MS);
  if (desk === undefined) throw new CommandError('APP_NOT_RUNNING', `AgentRelay does not run on ${home}.`);
  try {
    return await action(desk, { columns: process.stdout.columns ?? 120, now: Date.now() });
  } finally {
    desk.close();
  }
}

/** A file as text; `-` is stdin. */
async function readText(path: string): Promise<string> {
  try {
    if (path === '-') return await readAll(process.stdin);
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(path));
  } catch (error) {
    const why = systemCode(error) === 'ENOENT' ? 'there is no such file' : error instanceof Error ? error.message : '';
    throw new CommandError('FILE_NOT_READABLE', `${path} cannot be read: ${why}. Give a text file (UTF-8).`, {
      cause: error,
    });
  }
}
