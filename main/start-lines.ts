/** One line of what a start says on stdout: a word that programs look for, and what it stands for. */
export function printLine(word: 'Relay' | 'Window' | 'MCP' | 'Ready', text = ''): void {
  process.stdout.write(`${`${word.padEnd(8)}${text}`.trimEnd()}\n`);
}

/** What a second start says on stderr, beside the line of the window that the first one shows. */
export const RUNS_ALREADY = 'AgentRelay already runs here.';
