import type { Command } from './command.ts';
import { COMMANDS } from './commands.ts';
import type { FlagTable } from './flags.ts';
import { ALONE_FLAGS, COMMON_FLAGS } from './invocation.ts';
import { columns } from './layout.ts';

/** What `agentrelay --help` and, for a command, `agentrelay COMMAND --help` print. */
export function helpText(name?: string): string {
  const command = name === undefined ? undefined : COMMANDS[name];
  return name === undefined || command === undefined ? overview() : commandHelp(name, command);
}

function overview(): string {
  const commands = Object.entries(COMMANDS).map(([name, command]) => [`  ${usage(name, command)}`, command.summary]);
  return [
    'Usage: agentrelay COMMAND',
    '',
    'Commands',
    ...columns([...commands, ['  help [command]', 'This text, or that of a command']]),
    '',
    'Every command takes',
    ...flagLines(COMMON_FLAGS),
    '',
    'Without a command',
    ...flagLines(ALONE_FLAGS),
    '',
    'Exit code: 0 done, 1 failed, 2 wrong usage, 3 the app is not running',
  ].join('\n');
}

function commandHelp(name: string, command: Command): string {
  const own = Object.keys(command.flags).length > 0;
  return [
    `Usage: agentrelay ${usage(name, command)}${own ? ' [options]' : ''}`,
    '',
    `${command.summary}.`,
    '',
    ...(own ? ['Options', ...flagLines(command.flags), ''] : []),
    'Every command takes',
    ...flagLines(COMMON_FLAGS),
  ].join('\n');
}

function usage(name: string, { operands }: Command): string {
  return [name, ...operands.map((operand) => `<${operand}>`)].join(' ');
}

function flagLines(flags: FlagTable): readonly string[] {
  return columns(
    Object.entries(flags).map(([name, { value, short, multiple, help }]) => [
      `  ${short === undefined ? '' : `-${short}, `}--${name}${value === undefined ? '' : ` ${value}`}`,
      multiple ? `${help} (may be repeated)` : help,
    ]),
  );
}
