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

  it('are a length of time within a range, in seconds', () => {
    const seconds = (expires: string): number | undefined => createFlags({ expires }).seconds('expires', 60, 86_400);
    expect(['1m', '90s', '24h', '1d', '60s'].map(seconds)).toEqual([60, 90, 86_400, 86_400, 60]);
    expect(createFlags({ overlap: '0' }).seconds('overlap', 0, 60)).toBe(0);
    expect(createFlags({}).seconds('expires', 60, 86_400)).toBeUndefined();
    for (const expires of ['0', '59s', '25h', '2d', '10', '', 'h', '-1h', '1.5h', '1w', '1h30m', '99999999s']) {
      expect(() => seconds(expires)).toThrow(
        new UsageError(`--expires is from 1m to 1d, such as 90s, 10m or 24h, not "${expires}".`),
      );
    }
  });
});
