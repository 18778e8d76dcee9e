import { inspect } from 'node:util';
import { visibleText } from '../relay/contract/plain-text.ts';
import { RelayError } from '../relay/contract/reasons.ts';
import { StartError, systemCode, UsageError } from './start-error.ts';

/** Whoever reads our output may go away (`npm start | head`): that is no reason to end. */
export function outliveReaders(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error) => {
      if (systemCode(error) !== 'EPIPE') throw error;
    });
  }
}

/**
 * Says on stderr why a start failed: what a person can mend in a sentence, a fault of ours with its stack. Returns the
 * exit code: 2 when the command line is wrong, 1 for all else.
 */
export function reportFailure(error: unknown): 1 | 2 {
  const expected = error instanceof UsageError || error instanceof StartError || error instanceof RelayError;
  console.error(visibleText(expected ? error.message : inspect(error)));
  return error instanceof UsageError ? 2 : 1;
}
