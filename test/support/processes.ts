import { readdirSync, readFileSync } from 'node:fs';

/**
 * Command lines of the processes that have a text in theirs: a data folder's path, say. Linux only; elsewhere none are
 * found.
 */
export function processesWith(text: string): readonly string[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        return [readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')];
      } catch {
        // it has ended in between
        return [];
      }
    })
    .filter((command) => command.includes(text));
}
