import { UsageError } from '../start-error.ts';
import type { FlagTable, Flags } from './flags.ts';

/** The flag for what is said. */
export const MESSAGE_FLAG: FlagTable = { message: { short: 'm', value: 'TEXT', help: 'What to say' } };

/** What is said; undefined when the flag was not given. Fails with a UsageError when nothing stands in it. */
export function optionalMessage(flags: Flags): string | undefined {
  const text = flags.text('message');
  if (text !== undefined && text.trim() === '') throw new UsageError('-m is empty: say something.');
  return text;
}

/** The same where it is needed. */
export function requiredMessage(flags: Flags): string {
  const text = optionalMessage(flags);
  if (text === undefined) throw new UsageError('-m TEXT is missing: what to say.');
  return text;
}
