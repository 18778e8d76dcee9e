import { expect, it } from 'vitest';
import { CommandError, toFailure } from '../../../main/cli/failure.ts';
import { StartError, UsageError } from '../../../main/start-error.ts';
import { invalidParams, RelayError } from '../../../relay/contract/reasons.ts';

it.each([
  [new UsageError('x'), 2, 'USAGE'],
  [new CommandError('APP_NOT_RUNNING', 'x'), 3, 'APP_NOT_RUNNING'],
  [new CommandError('FILE_NOT_READABLE', 'x'), 1, 'FILE_NOT_READABLE'],
  [new StartError('x'), 1, 'INTERNAL'],
  [new RelayError('STATE_CHANGED', 'x'), 1, 'STATE_CHANGED'],
  [new Error('x'), 1, 'INTERNAL'],
  ['x', 1, 'INTERNAL'],
])('%s ends with the exit code %i and the reason %s', (error, exitCode, reason) => {
  expect(toFailure(error)).toMatchObject({ exitCode, reason, message: expect.stringContaining('x') });
});

it('says what to do next where the message does not', () => {
  expect(toFailure(new CommandError('APP_NOT_RUNNING', 'x')).hint).toMatch(/npm start/);
  expect(toFailure(new CommandError('FILE_NOT_READABLE', 'x')).hint).toMatch(/UTF-8/);
  expect(toFailure(new RelayError('RECIPIENT_NOT_FOUND', 'x')).hint).toMatch(/agentrelay register/);
  expect(toFailure(new RelayError('HANDLE_TAKEN', 'x')).hint).toBe('');
});

it('names the help of the command that was meant', () => {
  expect(toFailure(new UsageError('x'), 'show').hint).toBe('See agentrelay show --help.');
  expect(toFailure(new UsageError('x')).hint).toBe('See agentrelay --help.');
});

it.each([
  [
    'recipient',
    'is the sender. Hand work to somebody else.',
    'The recipient is the sender. Hand work to somebody else.',
  ],
  ['as', 'mia is no account of this desk.', '--as mia is no account of this desk.'],
  ['handle', 'A handle is name or name@relay.', 'A handle is name or name@relay.'],
  ['cursor', 'is no token of this relay.', '--cursor is no token of this relay.'],
  ['body', 'has more than 10 characters.', 'The message (-m) has more than 10 characters.'],
  ['skills[3]', 'is empty.', '--skill is empty.'],
  ['proposed_action.rationale', 'is empty.', '--rationale is empty.'],
  ['', 'Unrecognized key: "x"', 'Unrecognized key: "x"'],
  ['new_field', 'is wrong.', 'new_field is wrong.'],
])('calls the field %j as people do here', (field, description, message) => {
  expect(toFailure(invalidParams(field, description))).toMatchObject({ reason: 'INVALID_PARAMS', message });
});

it('says of a task that is not there what it is here: a handoff', () => {
  expect(toFailure(new RelayError('TASK_NOT_FOUND', 'There is no such task for this key.')).message).not.toMatch(
    /key|task/,
  );
});
