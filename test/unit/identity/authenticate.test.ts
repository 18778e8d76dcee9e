import { describe, expect, test } from 'vitest';
import { RelayError } from '../../../relay/contract/reasons.ts';
import { createAuthenticator } from '../../../relay/identity/authenticate.ts';
import { createKeyEnds } from '../../../relay/identity/key-ends.ts';

/** Must never be asked: a header that cannot hold a key is refused before anything is looked up. */
const untouchable = {
  keyByHash: () => Promise.reject(new Error('the store was asked')),
  touchKey: () => Promise.reject(new Error('the store was written')),
};
const { authenticate } = createAuthenticator({
  directory: untouchable,
  ends: createKeyEnds(() => 0),
  clock: () => 0,
});

describe('a request without a usable key', () => {
  test.each([
    ['no header', undefined, 'NO_HEADER'],
    ['an empty header', '', 'NO_HEADER'],
    ['a blank header', '   ', 'NO_HEADER'],
    ['another scheme', 'Basic YWxpY2U6c2VjcmV0', 'NOT_BEARER'],
    ['a scheme that only begins like it', `Bearers ar_${'A'.repeat(43)}`, 'NOT_BEARER'],
    ['the scheme alone', 'Bearer', 'NOT_BEARER'],
    ['the scheme and space', 'Bearer  ', 'NOT_BEARER'],
    ['the key without its scheme', `ar_${'A'.repeat(43)}`, 'NOT_BEARER'],
    ['two keys', `Bearer ar_${'A'.repeat(43)} ar_${'B'.repeat(43)}`, 'NOT_BEARER'],
    ['a key of another make', 'Bearer sk-1234567890', 'UNKNOWN_KEY'],
    ['a key that is too short', `Bearer ar_${'A'.repeat(42)}`, 'UNKNOWN_KEY'],
    ['a megabyte', `Bearer ${'A'.repeat(1_000_000)}`, 'UNKNOWN_KEY'],
    ['a megabyte of spaces', `Bearer${' '.repeat(1_000_000)}`, 'NOT_BEARER'],
  ])('is refused at once: %s', async (_, header, cause) => {
    const refusal = await authenticate(header).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(RelayError);
    expect(refusal).toMatchObject({ reason: 'UNAUTHENTICATED', metadata: { cause } });
  });

  test('is told what to do', async () => {
    await expect(authenticate(undefined)).rejects.toThrow(
      'The request has no Authorization header. Send "Authorization: Bearer <api key>"; "agentrelay register <handle>"',
    );
  });

  test('never has its secret repeated', async () => {
    for (const header of ['Basic c2VjcmV0', 'Bearer my-secret', 'my-secret']) {
      const refusal: unknown = await authenticate(header).catch((error: unknown) => error);
      expect(JSON.stringify(refusal) + String(refusal)).not.toMatch(/c2VjcmV0|my-secret/);
    }
  });
});
