import { expect, it } from 'vitest';
import { CommandError, toFailure } from '../../../main/cli/failure.ts';
import { UsageError } from '../../../main/start-error.ts';
import { RelayError } from '../../../relay/contract/reasons.ts';

it.each([
  [new UsageError('x'), 2, 'USAGE'],
  [new CommandError('APP_NOT_RUNNING', 'x'), 3, 'APP_NOT_RUNNING'],
  [new CommandError('FILE_NOT_READABLE', 'x'), 1, 'FILE_NOT_READABLE'],
  [new RelayError('STATE_CHANGED', 'x'), 1, 'STATE_CHANGED'],
  [new Error('x'), 1, 'INTERNAL'],
  ['x', 1, 'INTERNAL'],
])('%s ends with the exit code %i and the reason %s', (error, exitCode, reason) => {
  expect(toFailure(error)).toMatchObject({ exitCode, reason, message: expect.stringContaining('x') });
});

it('says what to do next where the message does not', () => {
  expect(toFailure(new CommandError('APP_NOT_RUNNING', 'x')).hint).toMatch(/npm start/);
  expect(toFailure(new RelayError('HANDLE_TAKEN', 'x')).hint).toBe('');
});
