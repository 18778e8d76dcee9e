import { describe, expect, it } from 'vitest';
import { createFlags } from '../../../main/cli/flags.ts';
import { UsageError } from '../../../main/start-error.ts';

describe('flags', () => {
  it('give the last of several values where one is wanted', () => {
    expect(createFlags({ role: ['a', 'b'] }).text('role')).toBe('b');
  });

  it('are one of the words they may be', () => {
    const flags = createFlags({ role: 'sender', status: ['pending', 'failed'] });
    expect(flags.oneOf('role', ['sender', 'recipient'])).toBe('sender');
    expect(flags.someOf('status', ['pending', 'failed', 'declined'])).toEqual(['pending', 'failed']);
    expect(flags.oneOf('absent', ['x'])).toBeUndefined();
    expect(flags.someOf('absent', ['x'])).toEqual([]);
  });

  it('refuse another word and list those there are', () => {
    expect(() => createFlags({ role: 'boss' }).oneOf('role', ['sender', 'recipient'])).toThrow(
      new UsageError('--role is one of sender, recipient, not "boss".'),
    );
    expect(() => createFlags({ status: ['pending', 'lost'] }).someOf('status', ['pending'])).toThrow(/"lost"/);
  });

  it('count within a range', () => {
    expect(createFlags({ limit: '20' }).count('limit', 1, 100)).toBe(20);
    expect(createFlags({}).count('limit', 1, 100)).toBeUndefined();
    for (const limit of ['0', '101', '-1', '1.5', 'ten', '']) {
      expect(() => createFlags({ limit }).count('limit', 1, 100)).toThrow(/--limit is a number from 1 to 100/);
    }
  });
});
