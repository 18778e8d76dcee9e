import { describe, expect, it } from 'vitest';
import { parseInput } from '../../../main/desk/parse-input.ts';
import { COMMANDS } from '../../../relay/contract/desk-api.ts';
import { RelayError } from '../../../relay/contract/reasons.ts';

function refusal(command: keyof typeof COMMANDS, input: unknown): RelayError {
  try {
    parseInput<unknown>(COMMANDS[command].input, input);
  } catch (error) {
    if (error instanceof RelayError) return error;
  }
  throw new Error('It was not refused.');
}

describe('the input of a command', () => {
  it('comes back as it is when it is right', () => {
    const input = { to: 'alice', body: 'Hello', artifacts: [{ type: 'link' as const, url: 'https://example.com' }] };
    expect(parseInput(COMMANDS.sendHandoff.input, input)).toEqual(input);
  });

  it('is refused with every field that is wrong, by its path', () => {
    const error = refusal('sendHandoff', {
      to: 'not a handle',
      body: '',
      artifacts: [
        { type: 'link', url: 'https://example.com' },
        { type: 'file_ref', path: '' },
      ],
    });
    expect(error.reason).toBe('INVALID_PARAMS');
    expect(error.violations.map(({ field }) => field)).toEqual(['to', 'body', 'artifacts[1].path']);
    expect(error.message).toContain('to: A handle is name or name@relay');
  });

  it.each([
    ['is empty', { to: 'alice', body: '' }, 'body: is empty.'],
    [
      'is too long',
      { to: 'alice', body: 'Hello', idempotency_key: 'x'.repeat(257) },
      'idempotency_key: has more than 256 characters.',
    ],
  ])('that %s is refused in words that a person reads', (_, input, message) => {
    expect(refusal('sendHandoff', input).message).toBe(message);
  });

  it('with too many entries, or a number out of its range, is refused in such words too', () => {
    const skills = Array.from({ length: 65 }, () => 'sql');
    expect(refusal('registerAgent', { handle: 'mia', skills }).message).toBe('skills: has more than 64 entries.');
    expect(refusal('listHandoffs', { limit: 101 }).message).toBe('limit: is more than 100.');
    expect(refusal('listHandoffs', { limit: 0 }).message).toBe('limit: is less than 1.');
  });

  it('is refused with members that no command knows', () => {
    const error = refusal('getThread', { task_id: 't1', taskid: 't2' });
    expect(error).toMatchObject({ reason: 'INVALID_PARAMS', violations: [{ field: '' }] });
    expect(error.message).toContain('taskid');
  });

  it('is refused when it is no object', () => {
    for (const input of [undefined, null, 'x', 1, []])
      expect(refusal('getSnapshot', input).reason).toBe('INVALID_PARAMS');
  });
});
