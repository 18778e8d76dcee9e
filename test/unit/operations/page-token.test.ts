import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RelayError } from '../../../relay/contract/reasons.ts';
import { blank } from '../../../relay/handoffs/evolve.ts';
import { pageToken, readPageToken } from '../../../relay/operations/page-token.ts';

const handoff = (id: string, statusAt: number) => ({
  ...blank({ id, contextId: 'c', sender: 1, recipient: 2 }),
  statusAt,
});

function refusal(token: string): RelayError {
  try {
    readPageToken('pageToken', token);
  } catch (error) {
    if (error instanceof RelayError) return error;
    throw error;
  }
  return expect.fail(`${token} was taken`);
}

describe('a page token', () => {
  test('says where a page ended, whatever became of the handoff since', () => {
    const token = pageToken(handoff('01a22cf9-46db-7716-a769-802f2c6c03ec', 1_800_000_000_000));
    expect(readPageToken('pageToken', token)).toEqual({
      after: { statusAt: 1_800_000_000_000, taskId: '01a22cf9-46db-7716-a769-802f2c6c03ec' },
    });
  });

  test('can go into a URL as it is', () => {
    expect(pageToken(handoff('a', 1))).toMatch(/^[A-Za-z0-9_-]+$/);
  });

  test.each([undefined, ''])('%j is the first page', (token) => {
    expect(readPageToken('pageToken', token)).toEqual({});
  });

  test.each([
    'x',
    '%%%',
    'bnVsbA',
    Buffer.from('[1]').toString('base64url'),
    Buffer.from('["a","b"]').toString('base64url'),
    Buffer.from('[-1,"b"]').toString('base64url'),
    Buffer.from(`[1,"${'x'.repeat(65)}"]`).toString('base64url'),
  ])('%j is refused, and the field is named', (token) => {
    const error = refusal(token);
    expect(error.reason).toBe('INVALID_PARAMS');
    expect(error.violations[0]?.field).toBe('pageToken');
  });

  test('any other text is refused or read, and nothing else happens', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (token) => {
        try {
          readPageToken('cursor', token);
        } catch (error) {
          expect(error).toBeInstanceOf(RelayError);
        }
      }),
    );
  });
});
