import type { Command } from './command.ts';
import { COMMANDS, commandsOf } from './commands.ts';
import type { FlagTable } from './flags.ts';
import { ALONE_FLAGS, COMMON_FLAGS } from './invocation.ts';
import { columns } from './layout.ts';

/** What `agentrelay --help` and, for a command or a group of commands, `agentrelay COMMAND --help` print. */
export function helpText(name?: string): string {
  if (name === undefined) return overview();
  const command = COMMANDS[name];
  return command === undefined ? groupHelp(name) : commandHelp(name, command);
}

function overview(): string {
  return [
    'Usage: agentrelay COMMAND',
    '',
    'Commands',
    ...columns([...Object.keys(COMMANDS).map(commandLine), ['  help [command]', 'This text, or that of a command']]),
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

function groupHelp(group: string): string {
  return [
    `Usage: agentrelay ${group} COMMAND`,
    '',
    `Without a COMMAND it is ${group} list.`,
    '',
    'Commands',
    ...columns(commandsOf(group).map((word) => commandLine(`${group} ${word}`))),
    '',
    'Every command takes',
    ...flagLines(COMMON_FLAGS),
  ].join('\n');
}

function commandLine(name: string): readonly string[] {
  const command = COMMANDS[name];
  return command === undefined ? [] : [`  ${usage(name, command)}`, command.summary];
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
