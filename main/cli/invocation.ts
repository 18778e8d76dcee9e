import { parseArgs } from 'node:util';
import { UsageError } from '../start-error.ts';
import type { Command } from './command.ts';
import { COMMANDS } from './commands.ts';
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
  | {
      readonly kind: 'command';
      readonly name: string;
      readonly command: Command;
      readonly operands: readonly string[];
      readonly flags: Flags;
    };

/** Reads a command line, without the program's own name. Fails with a UsageError. */
export function parseInvocation(argv: readonly string[]): Invocation {
  const at = commandIndex(argv);
  const name = at === undefined ? undefined : argv[at];
  if (name === undefined) {
    if (parse(argv, {}).flags.isOn('help')) return { kind: 'help' };
    throw new UsageError('A command is missing.');
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined) throw new UsageError(`There is no command "${name}".`);
  const { flags, operands } = parse(argv.toSpliced(at ?? 0, 1), command.flags);
  if (flags.isOn('help')) return { kind: 'help', command: name };
  const missing = command.operands[operands.length];
  if (missing !== undefined) throw new UsageError(`${name} needs <${missing}>.`);
  const extra = operands[command.operands.length];
  if (extra !== undefined) throw new UsageError(`${name} does not know what to do with "${extra}".`);
  return { kind: 'command', name, command, operands, flags };
}

/** The command is the first argument that is no common flag and no value of one. */
function commandIndex(argv: readonly string[]): number | undefined {
  const { tokens } = parseArgs({
    args: [...argv],
    options: toOptions(COMMON_FLAGS),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  return tokens.find((token) => token.kind === 'positional')?.index;
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
