import { parseArgs } from 'node:util';
import { UsageError } from '../start-error.ts';
import type { Command } from './command.ts';
import { COMMANDS, commandsOf } from './commands.ts';
import { createFlags, type FlagTable, type Flags } from './flags.ts';

/** Flags that every command takes. */
export const COMMON_FLAGS: FlagTable = {
  json: { help: 'One JSON value on stdout' },
  home: { value: 'DIR', help: "The app's data folder" },
  as: { value: 'HANDLE', help: 'The account that acts' },
  help: { short: 'h', help: 'This text' },
};

/** A command line, understood. */
export type Invocation =
  | { readonly kind: 'help'; readonly command?: string }
  | { readonly kind: 'version' }
  | {
      readonly kind: 'command';
      readonly name: string;
      readonly command: Command;
      readonly operands: readonly string[];
      readonly flags: Flags;
    };

/** Flags that stand without a command. */
export const ALONE_FLAGS: FlagTable = { version: { help: 'The version of this command' } };

/** Reads a command line, without the program's own name. Fails with a UsageError. */
export function parseInvocation(argv: readonly string[]): Invocation {
  const named = findName(argv);
  if (named === undefined) {
    const { flags } = parse(argv, ALONE_FLAGS);
    if (flags.isOn('help')) return { kind: 'help' };
    if (flags.isOn('version')) return { kind: 'version' };
    throw new UsageError('A command is missing.');
  }
  if (named.name === 'help') return parseHelp(named.rest);
  const name = isGroup(named.name) ? `${named.name} list` : named.name;
  const command = commandNamed(name);
  const { flags, operands } = parse(named.rest, command.flags);
  if (flags.isOn('help')) return { kind: 'help', command: named.name };
  const missing = command.operands[operands.length];
  if (missing !== undefined) throw new UsageError(`${name} needs <${missing}>.`);
  // a variable of the shell that is not set
  const empty = operands.findIndex((operand) => operand.trim() === '');
  if (empty !== -1) throw new UsageError(`${name} needs <${command.operands[empty]}>, and what was given is empty.`);
  const extra = operands[command.operands.length];
  if (extra !== undefined) throw new UsageError(`${name} does not know what to do with "${extra}".`);
  return { kind: 'command', name, command, operands, flags };
}

/** `help`, or `help COMMAND`. */
function parseHelp(rest: readonly string[]): Invocation {
  const named = findName(parse(rest, {}).operands);
  if (named === undefined) return { kind: 'help' };
  const [extra] = named.rest;
  if (extra !== undefined) throw new UsageError(`help does not know what to do with "${extra}".`);
  if (!isGroup(named.name)) commandNamed(named.name);
  return { kind: 'help', command: named.name };
}

function commandNamed(name: string): Command {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command !== undefined) return command;
  const [group = ''] = name.split(' ', 1);
  const known = isGroup(group) ? ` ${group} takes ${commandsOf(group).join(', ')}.` : '';
  throw new UsageError(`There is no command "${name}".${known}`);
}

/** The command that a command line is about, whatever else is wrong with it; undefined where it names none. */
export function namedCommand(argv: readonly string[]): string | undefined {
  const name = findName(argv)?.name ?? '';
  if (Object.hasOwn(COMMANDS, name)) return name;
  const [group = ''] = name.split(' ', 1);
  return isGroup(group) ? group : undefined;
}

function isGroup(name: string): boolean {
  return commandsOf(name).length > 0;
}

/**
 * The command is the first argument that is no common flag and no value of one; where that is a group, with the next one.
 * @returns its name, and all the other arguments
 */
function findName(argv: readonly string[]): { readonly name: string; readonly rest: readonly string[] } | undefined {
  const { tokens } = parseArgs({
    args: [...argv],
    options: toOptions(COMMON_FLAGS),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const [first, second] = tokens.filter((token) => token.kind === 'positional');
  if (first === undefined) return undefined;
  const words = isGroup(first.value) && second !== undefined ? [first, second] : [first];
  const at = new Set(words.map(({ index }) => index));
  return { name: words.map(({ value }) => value).join(' '), rest: argv.filter((_argument, index) => !at.has(index)) };
}

function parse(argv: readonly string[], own: FlagTable): { flags: Flags; operands: readonly string[] } {
  try {
    const { values, positionals } = parseArgs({
      args: [...argv],
      options: toOptions({ ...COMMON_FLAGS, ...own }),
      allowPositionals: true,
    });
    return { flags: createFlags(values), operands: positionals };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    // "Unknown option '--x'. To specify a positional argument …": the first sentence says it
    throw new UsageError(`${error.message.split(/[.\n]/, 1)[0]}.`, { cause: error });
  }
}

function toOptions(flags: FlagTable) {
  return Object.fromEntries(
    Object.entries(flags).map(([name, { value, short, multiple = false }]) => [
      name,
      { type: value === undefined ? ('boolean' as const) : ('string' as const), multiple, ...(short && { short }) },
    ]),
  );
}
